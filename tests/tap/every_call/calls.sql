-- Everything of the extension that can be called, the statements that call it, and how they are run and judged.

-- The library's settings are known once it is loaded.
SELECT memory.scope();

-- %s stands for each argument. A function that is new is here because it is a member of the extension.
CREATE TABLE harness.thing (name text, kind text, arguments text[], types regtype[], required int, call text);
CREATE FUNCTION harness.members(class regclass) RETURNS SETOF oid LANGUAGE sql AS $$
	SELECT objid FROM pg_depend JOIN pg_extension e ON refclassid = 'pg_extension'::regclass AND refobjid = e.oid AND deptype = 'e' WHERE extname = 'memory' AND classid = class
$$;
CREATE FUNCTION harness.thing_of(p pg_proc) RETURNS harness.thing LANGUAGE sql AS $$
	SELECT ROW(p.oid::regprocedure, CASE WHEN p.prorettype = 'trigger'::regtype THEN 'trigger' WHEN p.prokind = 'a' THEN 'aggregate'
			WHEN p.prorettype IN (SELECT oid FROM pg_type WHERE typtype = 'p' AND typname NOT IN ('void', 'record')) THEN 'scalar' ELSE 'function' END,
		ARRAY(SELECT coalesce(a.name, '') FROM unnest(p.proargnames, p.proargmodes) WITH ORDINALITY a (name, mode, i) WHERE p.proargmodes IS NULL OR mode IN ('i', 'b', 'v') ORDER BY i),
		ARRAY(SELECT unnest(p.proargtypes)::regtype), p.pronargs - p.pronargdefaults, p.oid::regproc::text)::harness.thing
$$;
INSERT INTO harness.thing SELECT (harness.thing_of(p)).* FROM pg_proc p WHERE oid IN (SELECT harness.members('pg_proc'));
INSERT INTO harness.thing SELECT o.oid::regoperator, 'operator', '{}', array_remove(ARRAY[oprleft, oprright]::oid[], 0::oid)::oid[]::regtype[], 2,
		CASE oprleft WHEN 0 THEN '' ELSE '%s ' END || format('OPERATOR(%I.%s)', n.nspname, replace(oprname, '%', '%%')) || ' %s'
	FROM pg_operator o JOIN pg_namespace n ON n.oid = oprnamespace WHERE o.oid IN (SELECT harness.members('pg_operator'));
INSERT INTO harness.thing SELECT format('cast %s to %s', castsource::regtype, casttarget::regtype), 'cast', '{}', ARRAY[castsource::regtype], 1, format('CAST(%%s AS %s)', casttarget::regtype)
	FROM pg_cast WHERE oid IN (SELECT harness.members('pg_cast'));
INSERT INTO harness.thing SELECT 'relation ' || oid::regclass, 'relation', '{}', '{}', 0, oid::regclass::text FROM pg_class WHERE oid IN (SELECT harness.members('pg_class'));
INSERT INTO harness.thing SELECT 'type ' || oid::regtype, 'cast', '{}', ARRAY['text'::regtype], 1, format('CAST(%%s AS %s)', oid::regtype) FROM pg_type WHERE oid IN (SELECT harness.members('pg_type'));
INSERT INTO harness.thing SELECT 'setting ' || name, 'setting', '{}', ARRAY['text'::regtype], 1, format('set_config(%L, %%s, false)', name) FROM pg_settings WHERE name LIKE 'memory.%';
-- A template by a dictionary of it.
CREATE TEXT SEARCH DICTIONARY harness.chain (TEMPLATE = memory.chain, dictionaries = 'simple, english_stem');
INSERT INTO harness.thing SELECT 'template ' || tmplname, 'cast', '{}', ARRAY['text'::regtype], 1, format('ts_lexize(%L, %%s)', 'harness.' || tmplname)
	FROM pg_ts_template WHERE oid IN (SELECT harness.members('pg_ts_template'));
GRANT SELECT ON harness.thing TO PUBLIC;

CREATE FUNCTION harness.values_of(thing harness.thing, i int) RETURNS SETOF harness.value LANGUAGE sql AS $$
	SELECT * FROM harness.value v WHERE v.type = thing.types[i] AND (v.name IS NULL OR v.name IN (thing.arguments[i], thing.call || '.' || thing.arguments[i]))
		ORDER BY v.name IS NULL, v.name = thing.arguments[i], v.place
$$;
CREATE FUNCTION harness.argument(thing harness.thing, i int, value text) RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN i > thing.required OR thing.arguments[i] <> '' AND thing.kind = 'function' THEN format('%I => ', thing.arguments[i]) ELSE '' END
		|| CASE WHEN thing.types[i]::text IN ('anyarray', 'internal') THEN value ELSE format('(%s)::%s', value, thing.types[i]) END
$$;
-- The statement for arguments of which those that are NULL are left out.
CREATE FUNCTION harness.statement(thing harness.thing, chosen text[], number int) RETURNS text LANGUAGE sql AS $$
	SELECT CASE thing.kind WHEN 'function' THEN format(CASE number % 4 WHEN 3 THEN 'SELECT (%s)::text' ELSE 'SELECT string_agg(t::text, '' '') FROM (SELECT * FROM %s AS t LIMIT 100) t' END, call)
		WHEN 'relation' THEN format('SELECT string_agg(t::text, '' '') FROM %s t', thing.call)
		WHEN 'aggregate' THEN format(CASE number % 3 WHEN 0 THEN 'SELECT (%s)::text FROM generate_series(0, 2) n' WHEN 1 THEN 'SELECT (%s OVER (ORDER BY n))::text FROM generate_series(0, 2) n' ELSE 'SELECT (%s)::text' END, call)
		ELSE format('SELECT (%s)::text', call) END
	FROM (SELECT CASE WHEN thing.call LIKE '%\%s%' THEN format(thing.call, VARIADIC chosen) ELSE format('%s(%s)', thing.call, array_to_string(chosen, ', ')) END AS call) c
$$;
-- Each value at each place, beside usual ones where they must be; and choices of all places that look like chance.
CREATE FUNCTION harness.statements_of(thing harness.thing) RETURNS TABLE (statement text, long boolean, of_another boolean) LANGUAGE plpgsql AS $$
DECLARE
	usual text[]; chosen text[]; value harness.value; n int := cardinality(thing.types); done int := 0;
BEGIN
	FOR i IN 1 .. n LOOP
		usual[i] := CASE WHEN i <= thing.required THEN harness.argument(thing, i, (SELECT v.value FROM harness.values_of(thing, i) v LIMIT 1)) END;
	END LOOP;
	FOR i IN 1 .. n LOOP
		chosen := usual; chosen[i] := harness.argument(thing, i, 'NULL'); done := done + 1;
		RETURN QUERY SELECT harness.statement(thing, chosen, done), false, false;
		FOR value IN SELECT * FROM harness.values_of(thing, i) LOOP
			chosen[i] := harness.argument(thing, i, value.value); done := done + 1;
			RETURN QUERY SELECT harness.statement(thing, chosen, done), value.long, value.of_another;
		END LOOP;
	END LOOP;
	FOR number IN 1 .. 14 LOOP
		long := false; of_another := false; chosen := usual;
		FOR i IN 1 .. n LOOP
			SELECT * INTO value FROM harness.values_of(thing, i) v WHERE NOT v.long ORDER BY md5(concat_ws('/', thing.name, number, i, v.place)) LIMIT 1;
			CONTINUE WHEN i > thing.required AND md5(concat_ws('/', number, i, thing.name)) < '6';
			chosen[i] := harness.argument(thing, i, value.value); of_another := of_another OR value.of_another;
		END LOOP;
		RETURN QUERY SELECT harness.statement(thing, chosen, number), false, of_another;
	END LOOP;
END $$;

-- A trigger function on relations of every kind and name, with columns of ours that have other types, or are dropped: numbers
-- where texts are expected, that would be addresses of the server's memory.
CREATE FUNCTION harness.triggers_of(thing harness.thing) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	its record; n int := 0;
	fires text[] := ARRAY['AFTER INSERT ON %1$s FOR EACH ROW', 'BEFORE INSERT ON %1$s FOR EACH ROW', 'AFTER INSERT OR UPDATE OR DELETE ON %1$s FOR EACH ROW', 'AFTER INSERT ON %1$s FOR EACH STATEMENT',
		'AFTER INSERT ON %1$s REFERENCING NEW TABLE AS x FOR EACH STATEMENT', 'BEFORE TRUNCATE ON %1$s FOR EACH STATEMENT'];
	acts text := 'INSERT INTO %1$s (%3$s) SELECT %2$s; UPDATE %1$s SET (%3$s) = ROW(%2$s); DELETE FROM %1$s; TRUNCATE %1$s';
	made text; temporary boolean; at text;
BEGIN
	FOR its IN SELECT relname, t.type, t.value, string_agg(quote_ident(attname) || ' ' || t.type, ', ' ORDER BY attnum) AS columns, string_agg(t.value, ', ') AS row, string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS names
			FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped,
			(VALUES ('bigint', '1311768467294899695'), ('smallint', '7'), ('"char"', '''x'''), ('float8', '8e-320'), ('bytea', '''\xffffffffff'''), ('text', '''x'''), ('name', '''x'''), ('memory.query', '''x'''), ('text[]', '''{x}''')) t (type, value)
			WHERE relnamespace = 'memory'::regnamespace AND relkind IN ('r', 'p') GROUP BY 1, 2, 3 ORDER BY 1, 2 LOOP
		n := n + 1; temporary := n % 3 <> 0;
		at := CASE WHEN temporary THEN 'pg_temp.' ELSE 'here.' END || CASE n % 4 WHEN 0 THEN 't' ELSE its.relname END;
		made := CASE n % 5
			WHEN 1 THEN format('CREATE TABLE %s (its_key int, %s) PARTITION BY LIST (its_key); CREATE TABLE %s PARTITION OF %1$s DEFAULT', at, its.columns, at || '_part')
			WHEN 2 THEN format('CREATE TABLE %s (gone text, %s, lost text); ALTER TABLE %1$s DROP gone, DROP lost', at, its.columns)
			ELSE format('CREATE TABLE %s (%s)', at, its.columns) END;
		RETURN NEXT CASE WHEN temporary THEN '' ELSE 'CREATE SCHEMA here; ' END || made
			|| format('; CREATE TRIGGER x ' || fires[n % 6 + 1] || ' EXECUTE FUNCTION %2$s(); ', at, thing.call) || format(acts, at, its.row, its.names);
		RETURN NEXT format('CREATE VIEW pg_temp.%I AS SELECT %s; CREATE TRIGGER x INSTEAD OF INSERT ON pg_temp.%1$I FOR EACH ROW EXECUTE FUNCTION %3$s(); INSERT INTO pg_temp.%1$I SELECT %4$s',
			its.relname, (SELECT string_agg(format('%s::%s AS %s', its.value, its.type, name), ', ') FROM unnest(string_to_array(its.names, ', ')) name), thing.call, its.row);
	END LOOP;
	RETURN QUERY SELECT format('CREATE TEMP TABLE %I AS SELECT * FROM memory.%1$I LIMIT 0; CREATE TRIGGER x AFTER INSERT ON pg_temp.%1$I FOR EACH ROW EXECUTE FUNCTION %2$s(%3$L); INSERT INTO pg_temp.%1$I SELECT (jsonb_populate_record(NULL::pg_temp.%1$I, ''{}'')).*',
		relname, thing.call, 'an argument') FROM pg_class WHERE relnamespace = 'memory'::regnamespace AND relkind IN ('r', 'p');
	RETURN NEXT format('CREATE TEMP TABLE t (); CREATE TRIGGER x AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION %s(); INSERT INTO t DEFAULT VALUES', thing.call);
	RETURN NEXT format('SELECT %s()', thing.call);
END $$;

-- Statements in the order in which they are run.
CREATE TABLE harness.call (place int GENERATED ALWAYS AS IDENTITY, thing text, kind text, statement text, long boolean, of_another boolean);
GRANT SELECT ON harness.call TO PUBLIC;
CREATE PROCEDURE harness.list() LANGUAGE sql AS $$
	TRUNCATE harness.call;
	INSERT INTO harness.call (thing, kind, statement, long, of_another)
		SELECT t.name, t.kind, s.* FROM harness.thing t, harness.statements_of(t) s WHERE kind <> 'trigger'
		UNION ALL SELECT t.name, t.kind, s, false, false FROM harness.thing t, harness.triggers_of(t) s WHERE kind = 'trigger';
$$;
-- Types of arguments without a value: there must be none.
CREATE FUNCTION harness.unknown_types() RETURNS SETOF regtype LANGUAGE sql AS $$
	SELECT DISTINCT type FROM harness.thing, unnest(types) type WHERE type NOT IN (SELECT type FROM harness.value WHERE name IS NULL) ORDER BY 1
$$;

-- What a statement answers or says, without what it did.
CREATE FUNCTION harness.said(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	answer text; state text; message text; detail text; hint text; context text; col text; con text; rel text;
BEGIN
	BEGIN
		IF statement LIKE 'SELECT%' THEN
			EXECUTE statement INTO answer;
		ELSE
			EXECUTE statement;
		END IF;
		RAISE EXCEPTION USING ERRCODE = 'HARNS';
	EXCEPTION WHEN SQLSTATE 'HARNS' THEN
		-- What is longer is a megabyte that was passed, and would be searched for seconds.
		RETURN 'answer: ' || left(coalesce(answer, ''), 20000);
	WHEN OTHERS OR query_canceled OR assert_failure THEN
		GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT, context = PG_EXCEPTION_CONTEXT,
			col = COLUMN_NAME, con = CONSTRAINT_NAME, rel = TABLE_NAME;
		RETURN left(concat_ws(' ', state, message, detail, hint, col, con, rel, context), 20000);
	END;
END $$;
-- Without new ids and the times of new rows, in which a mark may be by chance.
CREATE FUNCTION harness.lasting(said text) RETURNS text LANGUAGE sql AS $$
	SELECT regexp_replace(regexp_replace(said, '(?!01900000)[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}', 'id', 'g'), '(?!2001-02-03)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+', 'time', 'g')
$$;
-- What must not be said: a mark that is not in the statement, and whatever shows a mistake of the library or of this file.
CREATE FUNCTION harness.is_wrong(said text, statement text) RETURNS boolean LANGUAGE sql AS $$
	SELECT said ~ '^(XX|57014|58|42601|42883|42725|P0001|P0004)' OR EXISTS (SELECT FROM harness.mark m WHERE said ~* m.mark AND statement !~* m.mark)
$$;

-- What was said in one world, to be compared with another.
CREATE TABLE harness.heard (world text, place int, said text);
GRANT SELECT, INSERT ON harness.heard TO PUBLIC;
-- Runs the calls; a line for each that says what must not be said, and a last one with the numbers. Each is announced by a
-- NOTICE, so that it is known what a NOTICE or the end of the session came from.
CREATE FUNCTION harness.run(longs boolean, others boolean, world text DEFAULT NULL, only_of text DEFAULT '^(?!leaky)') RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	its harness.call; said text; calls bigint := 0; answered text[] := '{}'; answers bigint := 0; began timestamptz; took interval; slowest interval := '0'; slow text := '';
BEGIN
	FOR its IN SELECT * FROM harness.call c WHERE (longs OR NOT long) AND (others OR NOT of_another) AND thing ~ only_of ORDER BY place LOOP
		RAISE NOTICE '> %', left(its.statement, 2000);
		began := clock_timestamp(); said := harness.lasting(harness.said(its.statement)); took := clock_timestamp() - began;
		calls := calls + 1;
		IF took > slowest THEN
			slowest := took; slow := left(its.statement, 200);
		END IF;
		IF said LIKE 'answer%' THEN
			answers := answers + 1;
			answered := CASE WHEN its.thing = ANY (answered) THEN answered ELSE answered || its.thing END;
		END IF;
		-- No value is of type internal: such a function is not found.
		IF harness.is_wrong(said, its.statement) AND NOT (said LIKE '42883%' AND its.thing ~ '[(,]internal') OR took > '1 minute' THEN
			RETURN NEXT format('%s: %s [%s] %s', its.thing, left(translate(said, E'\n', ' '), 700), left(its.statement, 400), CASE WHEN took > '1 minute' THEN took END);
		END IF;
		IF world IS NOT NULL THEN
			INSERT INTO harness.heard VALUES (world, its.place, md5(said));
		END IF;
	END LOOP;
	RETURN QUERY SELECT 'answered ' || t FROM unnest(answered) t;
	RETURN NEXT format('calls %s answers %s slowest %s %s', calls, answers, slowest, slow);
END $$;

-- Pages that a statement asks for of the tables in schema memory and their indexes, once what it needs is planned and cached.
CREATE FUNCTION harness.pages() RETURNS bigint LANGUAGE sql AS $$
	SELECT sum(pg_stat_get_xact_blocks_fetched(c.oid)) FROM pg_class c WHERE relnamespace IN ('memory'::regnamespace, 'pg_toast'::regnamespace) AND relkind IN ('r', 'i', 't')
$$;
CREATE FUNCTION harness.pages_of(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	before bigint;
BEGIN
	PERFORM harness.said(statement);
	before := harness.pages();
	PERFORM harness.said(statement);
	RETURN harness.pages() - before;
END $$;
-- Rows of these tables that this transaction has written, rolled back or not.
CREATE FUNCTION harness.written() RETURNS bigint LANGUAGE sql AS $$
	SELECT sum(pg_stat_get_xact_tuples_inserted(c.oid) + pg_stat_get_xact_tuples_updated(c.oid)) FROM pg_class c WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r'
$$;
-- Calls about the other user, or an id of the other user's, that take more or fewer pages than about one that there is not; and
-- how many there were. What writes leaves dead rows, so that the next call takes others: it is only asked
-- for refusals that come before anything is written.
CREATE FUNCTION harness.run_costs() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	its harness.call; none text; compared bigint := 0; of_none bigint; of_wombat bigint; written bigint;
BEGIN
	FOR its IN SELECT * FROM harness.call c WHERE c.statement ~ 'user_id => \(''wombat''|beef' AND NOT long AND thing !~ '^leaky' ORDER BY place LOOP
		CONTINUE WHEN EXISTS (SELECT FROM pg_proc WHERE oid::regprocedure::text = its.thing AND provolatile = 'v') AND harness.said(its.statement) LIKE 'answer%';
		written := harness.written();
		none := replace(replace(its.statement, 'wombat', 'nobody'), 'beef', 'bee1');
		of_none := harness.pages_of(none);
		of_wombat := harness.pages_of(its.statement);
		CONTINUE WHEN harness.written() > written;
		compared := compared + 1;
		IF of_none <> of_wombat THEN
			RETURN NEXT format('%s pages instead of %s: %s', of_wombat, of_none, left(its.statement, 400));
		END IF;
	END LOOP;
	RETURN NEXT 'compared ' || compared;
END $$;
