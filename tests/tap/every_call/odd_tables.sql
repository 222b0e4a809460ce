-- What t/061_odd_tables.pl does to the tables of memory, which are the user's own, and what is called then.

-- Calls that are answered: of each function those that touch different tables, three at most, those that touch most first.
CREATE TABLE harness.deep (thing text, statement text, touches name[]);
CREATE FUNCTION harness.touched() RETURNS jsonb LANGUAGE sql AS $$
	SELECT jsonb_object_agg(relname, seq_scan + coalesce(idx_scan, 0) + n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_xact_user_tables WHERE schemaname = 'memory'
$$;
CREATE PROCEDURE harness.find_deep() LANGUAGE plpgsql AS $$
DECLARE
	its harness.call; before jsonb;
BEGIN
	FOR its IN SELECT * FROM harness.call WHERE kind = 'function' AND NOT long LOOP
		before := harness.touched();
		IF harness.said(its.statement) LIKE 'answer%' THEN
			INSERT INTO harness.deep SELECT its.thing, its.statement, ARRAY(SELECT key FROM jsonb_each(harness.touched()) WHERE value <> before->key ORDER BY key);
		END IF;
	END LOOP;
	DELETE FROM harness.deep WHERE ctid NOT IN (SELECT ctid FROM
		(SELECT ctid, row_number() OVER (PARTITION BY thing ORDER BY cardinality(touches) DESC) AS place FROM
			(SELECT DISTINCT ON (thing, touches) thing, touches, ctid FROM harness.deep ORDER BY thing, touches, length(statement) DESC, statement) d) r WHERE place <= 3);
	-- What looks at the catalogs alone is called whatever has been changed.
	UPDATE harness.deep SET touches = NULL WHERE thing ~ '^memory\.(init|protect|unprotect|create_vector_index)\(';
	DELETE FROM harness.deep WHERE touches = '{}';
END $$;

-- Makes a column of another type, with what depends on it out of the way.
CREATE FUNCTION harness.retype(relation regclass, name name, type text, value text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	command text;
BEGIN
	FOR command IN
		SELECT format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I CASCADE', conrelid::regclass, conname) FROM pg_constraint WHERE (conrelid = relation OR confrelid = relation) AND contype IN ('f', 'c')
		UNION ALL SELECT format('DROP TRIGGER %I ON %s', tgname, relation) FROM pg_trigger WHERE tgrelid = relation AND NOT tgisinternal
		UNION ALL SELECT format('ALTER TABLE %s ALTER %I DROP EXPRESSION', relation, attname) FROM pg_attribute WHERE attrelid = relation AND attgenerated <> ''
		UNION ALL SELECT format('ALTER TABLE %s ALTER %I DROP DEFAULT', relation, name) LOOP
		EXECUTE command;
	END LOOP;
	command := format('ALTER TABLE %s ALTER %I TYPE %s USING %s', relation, name, type, value);
	BEGIN
		EXECUTE command;
	EXCEPTION WHEN OTHERS THEN
		-- Primary keys would be no longer unique, and there is no operator class for every type.
		FOR command IN SELECT format(CASE WHEN conname IS NULL THEN 'DROP INDEX %s' ELSE 'ALTER TABLE %2$s DROP CONSTRAINT %3$I CASCADE' END, indexrelid::regclass, relation, conname)
				FROM pg_index LEFT JOIN pg_constraint ON conindid = indexrelid AND conrelid = relation, pg_attribute a
				WHERE indrelid = relation AND attrelid = relation AND attname = name
				AND EXISTS (SELECT FROM pg_depend WHERE refclassid = 'pg_class'::regclass AND refobjid = relation AND refobjsubid = attnum AND objid IN (indexrelid, pg_constraint.oid)) LOOP
			EXECUTE command;
		END LOOP;
		EXECUTE format('ALTER TABLE %s ALTER %I TYPE %s USING %s', relation, name, type, value);
	END;
END $$;

-- In place of a table another relation of its name, as it was before init().
CREATE FUNCTION harness.replace(name name, made text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('CREATE TABLE harness.as_it_was (LIKE memory.%I INCLUDING ALL); INSERT INTO harness.as_it_was (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM memory.%1$I; DROP TABLE memory.%1$I CASCADE', name,
		(SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = format('memory.%I', name)::regclass AND attnum > 0 AND attgenerated = ''));
	EXECUTE format(made, name, (SELECT attname FROM pg_attribute WHERE attrelid = 'harness.as_it_was'::regclass AND attnum = 1));
	BEGIN
		PERFORM memory.init();
	EXCEPTION WHEN OTHERS THEN
		NULL;
	END;
END $$;
CREATE FUNCTION harness.swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE FUNCTION harness.upset() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'DELETE' THEN
		NEW := jsonb_populate_record(NEW, (SELECT jsonb_object_agg(key, CASE jsonb_typeof(value) WHEN 'string' THEN to_jsonb(reverse(value #>> '{}')) ELSE value END)
			FROM jsonb_each(to_jsonb(NEW)) WHERE value #>> '{}' !~ '^[0-9a-f-]{36}$|^\d{4}-\d\d|infinity'));
		RETURN NEW;
	END IF;
	RETURN OLD;
END $$;
CREATE FOREIGN DATA WRAPPER nothing;
CREATE SERVER nothing FOREIGN DATA WRAPPER nothing;
-- All belongs to a role that is no superuser.
CREATE ROLE owner;
GRANT USAGE ON FOREIGN SERVER nothing TO owner;
ALTER SCHEMA memory OWNER TO owner;
ALTER SCHEMA harness OWNER TO owner;
DO $$
DECLARE
	name text;
BEGIN
	FOR name IN SELECT oid::regclass FROM pg_class WHERE relnamespace IN ('memory'::regnamespace, 'harness'::regnamespace) AND relkind = 'r' LOOP
		EXECUTE format('ALTER TABLE %s OWNER TO owner', name);
	END LOOP;
END $$;

CREATE COLLATION harness.loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
GRANT USAGE ON SCHEMA harness TO owner;
SET SESSION AUTHORIZATION owner;
CREATE TABLE harness.change (place int GENERATED ALWAYS AS IDENTITY, relation name, change text);
INSERT INTO harness.change (relation, change)
WITH relations AS (SELECT oid, relname FROM pg_class WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r'),
	columns AS (SELECT r.oid, relname, attname, attbyval FROM relations r JOIN pg_attribute ON attrelid = r.oid AND attnum > 0 AND NOT attisdropped)
SELECT relname, format('SELECT harness.retype(%L, %L, %L, %L)', 'memory.' || relname, attname, type, value) FROM columns,
	-- As an address each would be followed into nowhere, or into memory that is not a text's.
	(VALUES (false, 'bigint', '1311768467294899695'), (false, 'smallint', '8'), (false, '"char"', '''x'''), (true, 'text', '''1'''), (true, 'uuid', '''00000000-0000-0000-0000-000000000000'''),
		(NULL, 'bytea', '''\x01ff'''), (NULL, 'numeric', '1')) t (attbyval, type, value) WHERE t.attbyval IS NULL OR t.attbyval = columns.attbyval
UNION ALL SELECT relname, format('SELECT harness.retype(%L, %L, %L, quote_ident(%2$L))', 'memory.' || relname, attname, 'text COLLATE ' || locale) FROM columns, unnest(ARRAY['harness.loose', '"tr-x-icu"']) locale
	WHERE (SELECT atttypid FROM pg_attribute WHERE attrelid = oid AND attname = columns.attname) = 'text'::regtype
UNION ALL SELECT relname, format('ALTER TABLE memory.%I DROP %I CASCADE', relname, attname) FROM columns
UNION ALL SELECT relname, format('ALTER TABLE memory.%I RENAME %I TO other', relname, attname) FROM columns
UNION ALL SELECT relname, format('SELECT harness.retype(%L, %L, (SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = %1$L::regclass AND attname = %2$L), quote_ident(%2$L)); ALTER TABLE %1$s ALTER %2$I DROP NOT NULL; UPDATE %1$s SET %2$I = NULL', 'memory.' || relname, attname)
	FROM columns WHERE attname NOT IN (SELECT a.attname FROM pg_attribute a JOIN pg_index ON attrelid = indexrelid WHERE indrelid = columns.oid AND indisprimary)
UNION ALL SELECT relname, format('SELECT harness.replace(%L, %L)', relname, made) FROM relations, unnest(ARRAY[
	'CREATE TABLE memory.%1$I (LIKE harness.as_it_was INCLUDING DEFAULTS INCLUDING GENERATED) PARTITION BY HASH (%2$I); CREATE TABLE memory.part PARTITION OF memory.%1$I FOR VALUES WITH (MODULUS 1, REMAINDER 0)',
	'CREATE VIEW memory.%I AS SELECT * FROM harness.as_it_was', 'CREATE MATERIALIZED VIEW memory.%I AS SELECT * FROM harness.as_it_was', 'CREATE SEQUENCE memory.%I', 'CREATE TYPE memory.%I AS (a int)',
	'CREATE FOREIGN TABLE memory.%I () INHERITS (harness.as_it_was) SERVER nothing', 'CREATE TABLE memory.%1$I () INHERITS (harness.as_it_was)', 'CREATE UNLOGGED TABLE memory.%I (LIKE harness.as_it_was)',
	'CREATE TABLE memory.%I (a int)', 'CREATE TABLE memory.%I ()']) made
UNION ALL SELECT relname, format('CREATE TABLE harness.child () INHERITS (memory.%1$I); INSERT INTO harness.child OVERRIDING SYSTEM VALUE SELECT %2$s FROM memory.%1$I', relname,
	(SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = r.oid AND attnum > 0 AND NOT attisdropped)) FROM relations r
	WHERE NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = r.oid AND attgenerated <> '')
UNION ALL SELECT relname, format('CREATE TRIGGER a BEFORE %s ON memory.%I FOR EACH ROW EXECUTE FUNCTION harness.%s()', act, relname, how) FROM relations, unnest('{INSERT,UPDATE,DELETE}'::text[]) act, unnest('{swallow,upset}'::text[]) how
UNION ALL SELECT relname, format('CREATE RULE a AS ON %s TO memory.%I DO INSTEAD %s', act, relname, instead) FROM relations, unnest('{INSERT,UPDATE,DELETE}'::text[]) act, unnest('{NOTHING,SELECT 1311768467294899695}'::text[]) instead
UNION ALL SELECT relname, format('ALTER TABLE memory.%I ENABLE ROW LEVEL SECURITY; ALTER TABLE memory.%1$I FORCE ROW LEVEL SECURITY; CREATE POLICY a ON memory.%1$I %s', relname, policy)
	FROM relations, unnest(ARRAY['USING (false)', 'USING (1 / (random() * 0)::int = 1)', 'FOR SELECT USING (true)', 'USING (true) WITH CHECK (false)']) policy
UNION ALL SELECT relname, format('ALTER TABLE memory.%I DROP CONSTRAINT %I CASCADE', relname, conname) FROM relations JOIN pg_constraint ON conrelid = relations.oid WHERE contype <> 'n'
UNION ALL SELECT relname, format('DROP INDEX %s', indexrelid::regclass) FROM relations JOIN pg_index ON indrelid = oid WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
UNION ALL SELECT relname, format('DROP INDEX %s; CREATE INDEX %s ON memory.%I %s', indexrelid::regclass, (SELECT c.relname FROM pg_class c WHERE c.oid = indexrelid), relname, shape) FROM relations JOIN pg_index ON indrelid = relations.oid,
	unnest(ARRAY['((1))', 'USING hash ((''x''::text))', 'USING brin (user_id)', 'USING recall (user_id)', 'USING recall (namespace, user_id, (user_id || ''x''))', '(namespace, user_id)', 'USING gist (memory_internal.stretch(namespace, user_id, 1, ''-infinity'', ''infinity''))']) shape
	WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid) AND EXISTS (SELECT FROM columns c WHERE c.oid = relations.oid AND attname = 'user_id');

-- Does each of the changes, calls what touches the table, and undoes all; a line for each error that is an internal one.
CREATE FUNCTION harness.run_changes() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	its harness.change; call harness.deep; said text; answers bigint := 0; errors bigint := 0; changes bigint := 0; refused bigint := 0;
BEGIN
	FOR its IN SELECT * FROM harness.change ORDER BY place LOOP
		RAISE NOTICE '> %', its.change;
		BEGIN
			EXECUTE its.change;
			changes := changes + 1;
			FOR call IN SELECT * FROM harness.deep WHERE touches IS NULL OR its.relation = ANY (touches) LOOP
				RAISE NOTICE '>> %', call.statement;
				said := harness.said(call.statement);
				IF said LIKE 'answer%' THEN
					answers := answers + 1;
				ELSE
					errors := errors + 1;
				END IF;
				-- The owner is told what is in the tables, and which operators are missing.
				IF said ~ '^(XX|57014|58|P0004)' AND said !~ 'key columns are not both collatable' -- PostgreSQL 18's own, of a foreign key
						AND said !~ 'referential integrity query on .* gave unexpected result' -- the same, of a rule on a table whose rows go with another's
						AND said !~ '^XX001 .* is damaged: ' THEN -- what is stored of a checkpoint was changed
					RETURN NEXT format('%s: %s [%s]', its.change, left(translate(said, E'\n', ' '), 500), left(call.statement, 400));
				END IF;
			END LOOP;
			RAISE EXCEPTION USING ERRCODE = 'HARNS';
		EXCEPTION WHEN SQLSTATE 'HARNS' THEN
			NULL;
		WHEN OTHERS THEN
			refused := refused + 1;
			RETURN NEXT format('refused %s: %s %s', its.change, SQLSTATE, SQLERRM);
		END;
	END LOOP;
	RETURN NEXT format('changes %s refused %s answers %s errors %s', changes, refused, answers, errors);
END $$;
