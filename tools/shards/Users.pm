# Which users a database has, and which tables are theirs.
package Users;

# Tables of schema memory with rows of users. Queues are no memory.
use constant tables => q{
	SELECT quote_ident(c.relname) FROM pg_class c
	WHERE c.relnamespace = 'memory'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'jobs'
	AND 2 = (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname IN ('namespace', 'user_id') AND NOT a.attisdropped)
	ORDER BY 1};

# A query for all pairs of namespace and user, '' for the anonymous one. It goes from user to user along the primary
# keys, so its cost is that of the users, not of their rows.
sub query
{
	my ($server, $database) = @_;
	return join "\nUNION\n", map { qq{(WITH RECURSIVE u AS (
	(SELECT namespace, user_id FROM memory.$_ ORDER BY 1, 2 LIMIT 1)
	UNION ALL
	SELECT n.* FROM u, LATERAL (SELECT t.namespace, t.user_id FROM memory.$_ t WHERE (t.namespace, t.user_id) > (u.namespace, u.user_id) ORDER BY 1, 2 LIMIT 1) n)
SELECT namespace, user_id FROM u)} } $server->column($database, tables);
}

# The namespaces in which a user has rows.
sub namespaces
{
	my ($server, $database, $user) = @_;
	my $name = Server::literal($user);
	return $server->column($database, join("\nUNION\n", map { "SELECT namespace FROM memory.$_ WHERE user_id = $name" } $server->column($database, tables)) . "\nORDER BY 1");
}
