# front: one database that has the functions of memory, and no memories: each call goes to the database of its user, by
# PL/Proxy. The functions are made out of the catalog of a database, so there is none that is forgotten.
#
# A function of the API is two: memory.NAME(arguments), which every role calls, adds the settings of the session and the
# shard, and memory_front.NAME(arguments, settings, shard), in PL/Proxy, has the call made there. The settings hold for
# that statement.
package Front;

# What a front does not have, since it is about an index, a connection or an operator: clients connect to the databases.
use constant left_out => "'index_stats', 'verify_index', 'score', 'found', 'query', 'websearch_query', 'bm25_rank', 'next_jobs', 'finish_job', 'fail_job', 'set_scope', 'scope', 'current_user_id', 'shard_of'";

# Functions without a user, and how the answers of all shards become one: 'sum', 'one' of them, or a statement.
my %of_all = (
	(map { $_ => 'one' } qw(init grant_access revoke_access protect unprotect set_dictionary set_retention define_predicate use_model drop_model create_vector_index)),
	scrub => 'sum', retry_jobs => 'sum', sweep => 'sum_of_members', used_models => 'sum_of_models');

# Those that write for the users that elements of an argument name, which must be one: argument and its place.
my %elements = (remember_many => 'episodes', put_items => 'items', assert_facts => 'facts', import_user => 'lines');

sub make
{
	my ($fleet) = @_;
	my ($front) = $fleet->fronts or die "$fleet->{file} has no [front NAME]\n";
	my ($database) = $fleet->databases;
	my $home = $fleet->home($database);
	for my $server ($fleet->fronts)
	{
		$server->value(undef, q{SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('memory') AND relkind IN ('r', 'p')}) == 0
		  && !$server->value(undef, q{SELECT count(*) FROM pg_extension WHERE extname = 'memory'})
		  or die "front $server->{name} has memories of its own; a front is a database without the extension memory\n";
		$server->run(undef, join "\n", 'BEGIN;', "SET LOCAL client_min_messages = warning;\nSET LOCAL check_function_bodies = off;", before($home, $database), cluster($fleet, $server), machinery($fleet, $home, $database), of_users($home, $database), of_all($home, $database),
			status($home, $database), scope($home, $database), 'COMMIT;');
		print "front $server->{name} has the functions of $database\n" unless $Server::dry_run;
	}
	return;
}

# What was made before goes, unless something else depends on it.
sub before
{
	my ($home, $database) = @_;
	my $schema = $home->value($database, q{SELECT nspname FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace WHERE typname = 'vector'});
	my $types = join "\n", $home->column($database, q{
		SELECT format('CREATE TYPE memory.%I AS (%s);', t.typname, (SELECT string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = t.typrelid AND attnum > 0))
		FROM pg_type t JOIN pg_class c ON c.oid = t.typrelid WHERE t.typnamespace = 'memory'::regnamespace AND c.relkind = 'c' ORDER BY t.oid});
	return qq{CREATE EXTENSION IF NOT EXISTS plproxy;
CREATE EXTENSION IF NOT EXISTS vector SCHEMA $schema;
CREATE SCHEMA IF NOT EXISTS memory;
CREATE SCHEMA IF NOT EXISTS memory_front;
DROP VIEW IF EXISTS memory.status;
GRANT USAGE ON SCHEMA memory, memory_front TO PUBLIC;
DO \$\$
DECLARE gone text;
BEGIN
    FOR gone IN SELECT format('DROP FUNCTION %s', p.oid::regprocedure) FROM pg_proc p WHERE pronamespace IN ('memory'::regnamespace, 'memory_front'::regnamespace) LOOP
        EXECUTE gone;
    END LOOP;
    FOR gone IN SELECT format('DROP TYPE memory.%I', typname) FROM pg_type t JOIN pg_class c ON c.oid = typrelid WHERE typnamespace = 'memory'::regnamespace AND c.relkind = 'c' ORDER BY t.oid DESC LOOP
        EXECUTE gone;
    END LOOP;
END \$\$;
$types};
}

# Where the shards are: as the front's line says, or on their servers.
sub cluster
{
	my ($fleet, $front) = @_;
	my $n = 0;
	my @places = map { my ($home, $there) = $fleet->so_far($_); defined $front->{shards} ? "$front->{shards} dbname=$_" : "$home->{connect} dbname=$there" } $fleet->databases;
	my $options = join ', ', map { sprintf 'p%d %s', $n++, Server::literal($_) } @places;
	return qq{DROP SERVER IF EXISTS memory_shards CASCADE;
CREATE SERVER memory_shards FOREIGN DATA WRAPPER plproxy OPTIONS ($options);
CREATE USER MAPPING FOR PUBLIC SERVER memory_shards;
GRANT USAGE ON FOREIGN SERVER memory_shards TO PUBLIC;};
}

sub machinery
{
	my ($fleet, $home, $database) = @_;
	# They are known when the library is loaded.
	my $settings = $home->value($database, q{DO 'BEGIN PERFORM memory.shard_of(NULL, 1); END'; SELECT string_agg(quote_literal(name), ', ' ORDER BY name) FROM pg_settings WHERE name LIKE 'memory.%' AND context = 'user'});
	my $last = $fleet->shards - 1;
	my $made_of = Server::literal($home->value($database, made_of()));
	return sprintf <<'SQL', $made_of, $settings, $last;
CREATE FUNCTION memory_front.made_of() RETURNS text LANGUAGE sql IMMUTABLE RETURN %s;
COMMENT ON FUNCTION memory_front.made_of() IS 'A digest of the functions that this front was made of; memory-shards check compares it with the databases.';
CREATE FUNCTION memory_front.settings() RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE BEGIN ATOMIC
    SELECT coalesce(jsonb_object_agg(name, value), '{}') FROM unnest(ARRAY[%s]) name, current_setting(name, true) value WHERE value <> '';
END;
COMMENT ON FUNCTION memory_front.settings() IS 'The settings memory.* of this session, which travel with each call.';
CREATE FUNCTION memory_front.shard(user_id text) RETURNS int LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (('x' || encode(substr(sha256(convert_to(coalesce(user_id, current_setting('memory.user_id', true), ''), 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint & %s)::int;
COMMENT ON FUNCTION memory_front.shard(text) IS 'memory.shard_of() of a call''s user.';
CREATE FUNCTION memory_front.user_of(argument text, elements jsonb, user_id text) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
    given text := coalesce(user_id, nullif(current_setting('memory.user_id', true), ''));
    first_user text;
    other record;
BEGIN
    IF jsonb_typeof(elements) IS DISTINCT FROM 'array' OR jsonb_array_length(elements) = 0 THEN
        RETURN user_id;
    END IF;
    first_user := coalesce(elements -> 0 ->> 'user_id', given);
    SELECT n, coalesce(element ->> 'user_id', given) AS named INTO other FROM jsonb_array_elements(elements) WITH ORDINALITY e (element, n)
    WHERE coalesce(element ->> 'user_id', given) IS DISTINCT FROM first_user ORDER BY n LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '%%[%%].user_id is %%, and that of an element before is %%', argument, other.n, coalesce(quote_ident(other.named), 'NULL'), coalesce(quote_ident(first_user), 'NULL')
            USING ERRCODE = 'invalid_parameter_value', HINT = 'Users may be in different databases: call once for each user.';
    END IF;
    RETURN first_user;
END $$;
COMMENT ON FUNCTION memory_front.user_of(text, jsonb, text) IS 'The one user that the elements of an argument are of.';
CREATE FUNCTION memory_front.fail(state text, message text, detail text, hint text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    message := regexp_replace(message, '^[\w."]+\(\d+\): \[[^]]*\] REMOTE \w+: ', '');
    detail := regexp_replace(detail, '^Remote detail: ', '');
    hint := regexp_replace(hint, '^Remote hint: ', '');
    IF detail <> '' AND hint <> '' THEN RAISE EXCEPTION USING ERRCODE = state, MESSAGE = message, DETAIL = detail, HINT = hint; END IF;
    IF detail <> '' THEN RAISE EXCEPTION USING ERRCODE = state, MESSAGE = message, DETAIL = detail; END IF;
    IF hint <> '' THEN RAISE EXCEPTION USING ERRCODE = state, MESSAGE = message, HINT = hint; END IF;
    RAISE EXCEPTION USING ERRCODE = state, MESSAGE = message;
END $$;
COMMENT ON FUNCTION memory_front.fail(text, text, text, text) IS 'Raises the error of a shard as the shard raised it.';
SQL
}

# What a front is made of: version, names, arguments and results.
sub made_of
{
	return q{SELECT md5((SELECT extversion FROM pg_extension WHERE extname = 'memory') || string_agg(format('%s(%s) %s', proname, pg_get_function_arguments(oid), pg_get_function_result(oid)), ';' ORDER BY oid::regprocedure::text COLLATE "C"))
		FROM pg_proc WHERE pronamespace = 'memory'::regnamespace};
}

# The functions of a condition, each with what its two halves need. Arguments whose values are numbers of objects travel by name.
sub functions
{
	my ($home, $database, $condition) = @_;
	my $left_out = left_out;
	return map { my %function; @function{qw(name arguments result volatile set void composite inner types names place shared)} = @$_; \%function } $home->rows($database, qq{
		SELECT quote_ident(p.proname), pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), CASE p.provolatile WHEN 'i' THEN 'IMMUTABLE' WHEN 's' THEN 'STABLE' ELSE 'VOLATILE' END,
			p.proretset, p.prorettype = 'void'::regtype, t.typtype = 'c' OR p.prorettype = 'record'::regtype,
			coalesce((SELECT string_agg('\$' || n || CASE WHEN a::regtype::text LIKE 'reg%' THEN '::text' ELSE '' END, ', ' ORDER BY n) FROM unnest(p.proargtypes) WITH ORDINALITY x (a, n)), ''),
			coalesce((SELECT string_agg(CASE WHEN a::regtype::text LIKE 'reg%' THEN 'text' ELSE format_type(a, NULL) END, ', ' ORDER BY n) FROM unnest(p.proargtypes) WITH ORDINALITY x (a, n)), ''),
			coalesce((SELECT string_agg(CASE WHEN coalesce(p.proargnames[n], '') <> '' THEN quote_ident(p.proargnames[n]) || ' => ' ELSE '' END || '\$' || n || CASE WHEN a::regtype::text LIKE 'reg%' THEN '::' || a::regtype ELSE '' END, ', ' ORDER BY n) FROM unnest(p.proargtypes) WITH ORDINALITY x (a, n)), ''),
			coalesce(array_position(p.proargnames[1:p.pronargs], 'user_id'), 0),
			coalesce(p.proargnames[1:p.pronargs] && p.proargnames[p.pronargs + 1:], false)
		FROM pg_proc p JOIN pg_type t ON t.oid = p.prorettype
		WHERE p.pronamespace = 'memory'::regnamespace AND p.prokind = 'f' AND p.proname NOT IN ($left_out) AND ($condition) ORDER BY p.proname});
}

# The half in PL/Proxy. The settings are there before the function is called, since it is called with what depends on them.
sub inner
{
	my ($function, $where, $columns) = @_;
	my $n = () = $function->{inner} =~ /\$/g;
	my ($settings, $shard) = ($n + 1, $n + 2);
	my $types = join ', ', grep { $_ ne '' } $function->{types}, 'jsonb', 'int';
	my $result = $function->{void} eq 't' ? 'text' : $function->{result} =~ s/^SETOF //r;
	$result = "SETOF $result" if $result !~ /^TABLE/ && ($function->{set} eq 't' || $where eq 'ALL');
	my $picked = $function->{composite} eq 't' ? 'r.*' : $function->{void} eq 't' ? "''::text AS r" : 'r';
	my $run = $where eq 'ALL' ? 'ALL' : "\$$shard";
	return "CREATE FUNCTION memory_front.$function->{name}($types) RETURNS $result LANGUAGE plproxy VOLATILE AS \$front\$\n"
	  . "    CLUSTER 'memory_shards';\n    RUN ON $run;\n"
	  . "    SELECT $picked FROM (SELECT count(set_config(name, value, true)) AS settings FROM jsonb_each_text(\$$settings) t(name, value)) s, LATERAL (SELECT " . ($function->{composite} eq 't' ? 'f.*' : $function->{void} eq 't' ? 'f::text AS r' : 'f AS r') . " FROM memory.$function->{name}($function->{names}) f WHERE s.settings >= 0) r;\n\$front\$;\n";
}

sub outer
{
	my ($function, $user, $body) = @_;
	my $arguments = join ', ', grep { $_ ne '' } $function->{inner}, 'memory_front.settings()', "memory_front.shard($user)";
	my $call = "memory_front.$function->{name}($arguments)";
	$body //= $function->{void} eq 't' ? "PERFORM $call;" : $function->{set} eq 't' ? "RETURN QUERY SELECT * FROM $call;" : "RETURN $call;";
	$body =~ s/\bCALL\b/$call/g;
	my $volatile = $function->{volatile} eq 'IMMUTABLE' ? 'STABLE' : $function->{volatile};
	my $handled = "RETURNS $function->{result} LANGUAGE plpgsql $volatile AS \$front\$\n"
	  . "<<front>>\nDECLARE detail text; hint text;\nBEGIN\n    $body\nEXCEPTION WHEN OTHERS THEN\n"
	  . "    GET STACKED DIAGNOSTICS front.detail = PG_EXCEPTION_DETAIL, front.hint = PG_EXCEPTION_HINT;\n    PERFORM memory_front.fail(SQLSTATE, SQLERRM, front.detail, front.hint);\nEND \$front\$;\n";
	return "CREATE FUNCTION memory.$function->{name}($function->{arguments}) $handled" if $function->{shared} ne 't';
	# An argument and a column of one name are one variable too many for PL/pgSQL.
	return "CREATE FUNCTION memory_front.answers_of_$function->{name}($function->{types}) $handled"
	  . "CREATE FUNCTION memory.$function->{name}($function->{arguments}) RETURNS $function->{result} LANGUAGE sql $volatile AS \$front\$ SELECT * FROM memory_front.answers_of_$function->{name}($function->{inner}) \$front\$;\n";
}

sub of_users
{
	my ($home, $database) = @_;
	my @made;
	for my $function (functions($home, $database, "'user_id' = ANY (p.proargnames[1:p.pronargs])"))
	{
		my $user = "\$$function->{place}";
		if (my $argument = $elements{ $function->{name} }) { $user = "memory_front.user_of('$argument', " . ($argument eq 'lines' ? 'to_jsonb($1)' : '$1') . ", $user)" }
		$user = "coalesce(\$$function->{place}, $user)" if $function->{name} eq 'import_user';
		push @made, inner($function, 'ONE'), outer($function, $user);
	}
	return join '', @made;
}

sub of_all
{
	my ($home, $database) = @_;
	my @made;
	for my $function (functions($home, $database, "NOT 'user_id' = ANY (coalesce(p.proargnames[1:p.pronargs], '{}'))"))
	{
		my $how = $of_all{ $function->{name} };
		if (!defined $how) { push @made, inner($function, 'ONE'), outer($function, "''"); next }
		my %body = (
			one => $function->{void} eq 't' ? 'PERFORM * FROM CALL;' : 'RETURN QUERY SELECT DISTINCT * FROM CALL;',
			sum => 'RETURN (SELECT sum(n) FROM CALL n);',
			sum_of_members => q{RETURN (SELECT jsonb_object_agg(key, total) FROM (SELECT key, CASE WHEN key = 'time' THEN to_jsonb(max(value)) ELSE to_jsonb(sum(CASE WHEN key <> 'time' THEN value::numeric END)) END AS total
        FROM CALL answer, jsonb_each_text(answer) WHERE key <> 'digest' GROUP BY key) sums);},
			sum_of_models => 'RETURN QUERY SELECT m.namespace, m.task, m.model, m.url, m.options, sum(m.waiting)::bigint, sum(m.failed)::bigint, sum(m.done)::bigint FROM CALL m GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2;');
		push @made, inner($function, 'ALL'), outer($function, "''", $body{$how});
	}
	return join '', @made;
}

# The view of all databases, with the name of each behind its columns.
sub status
{
	my ($home, $database) = @_;
	my $columns = $home->value($database, q{SELECT string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'memory.status'::regclass AND attnum > 0});
	return "CREATE FUNCTION memory_front.status() RETURNS TABLE ($columns, database text) LANGUAGE plproxy VOLATILE AS \$front\$\n"
	  . "    CLUSTER 'memory_shards';\n    RUN ON ALL;\n    SELECT s.*, current_database()::text AS database FROM memory.status s;\n\$front\$;\n"
	  . "CREATE VIEW memory.status AS SELECT * FROM memory_front.status() ORDER BY database, thing, name;\nGRANT SELECT ON memory.status TO PUBLIC;\n";
}

# The scope is that of the session at the front.
sub scope
{
	my ($home, $database) = @_;
	my ($namespace, $model) = map { Server::literal($home->value($database, "DO 'BEGIN PERFORM memory.shard_of(NULL, 1); END'; SELECT boot_val FROM pg_settings WHERE name = 'memory.$_'")) } qw(namespace embedding_model);
	return sprintf <<'SQL', $namespace, $model;
CREATE FUNCTION memory.current_user_id() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE RETURN nullif(current_setting('memory.user_id', true), '');
CREATE FUNCTION memory.scope() RETURNS TABLE (namespace text, user_id text, agent_id text, session_id text, model text) LANGUAGE sql STABLE PARALLEL SAFE ROWS 1 BEGIN ATOMIC
    SELECT coalesce(nullif(current_setting('memory.namespace', true), ''), %s), nullif(current_setting('memory.user_id', true), ''), nullif(current_setting('memory.agent_id', true), ''),
        nullif(current_setting('memory.session_id', true), ''), coalesce(nullif(current_setting('memory.embedding_model', true), ''), %s);
END;
CREATE FUNCTION memory_front.set_scope(text, text, text, text, boolean, text) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF $1 = '' THEN
        RAISE EXCEPTION 'user_id must not be empty' USING ERRCODE = 'invalid_parameter_value', HINT = 'Pass NULL for the anonymous user.';
    END IF;
    RETURN (SELECT count(set_config(name, coalesce(value, ''), coalesce($5, false)))
        FROM (VALUES ('memory.user_id', $1), ('memory.agent_id', $2), ('memory.session_id', $3), ('memory.namespace', $4), ('memory.embedding_model', $6)) s (name, value));
END $$;
CREATE FUNCTION memory.set_scope(user_id text DEFAULT NULL, agent_id text DEFAULT NULL, session_id text DEFAULT NULL, namespace text DEFAULT NULL, is_local boolean DEFAULT false, model text DEFAULT NULL)
    RETURNS TABLE (namespace text, user_id text, agent_id text, session_id text, model text) LANGUAGE sql VOLATILE ROWS 1
    AS $$ SELECT memory_front.set_scope($1, $2, $3, $4, $5, $6); SELECT * FROM memory.scope() $$;
CREATE FUNCTION memory.shard_of(user_id text, shards bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ('x' || encode(substr(sha256(convert_to(coalesce(user_id, ''), 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint & (shards - 1);
SQL
}
