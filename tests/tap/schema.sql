-- Everything in the schema memory that users own, and that a dump must carry: one line
-- each, in an order that depends on names only.
SET search_path = pg_catalog;
WITH
relation AS (SELECT * FROM pg_class WHERE relnamespace = 'memory'::regnamespace AND relkind <> 'c'),
acl AS (
    SELECT 'pg_class'::regclass AS classid, oid, 0 AS part, relacl AS acl FROM relation
    UNION ALL SELECT 'pg_class'::regclass, attrelid, attnum, attacl FROM pg_attribute
    UNION ALL SELECT 'pg_namespace'::regclass, oid, 0, nspacl FROM pg_namespace
    UNION ALL SELECT 'pg_default_acl'::regclass, oid, 0, defaclacl FROM pg_default_acl
),
granted AS (
    SELECT classid, acl.oid, part, string_agg(format('%s by %s: %s%s', a.grantee::regrole, a.grantor::regrole,
               a.privilege_type, CASE WHEN a.is_grantable THEN '*' ELSE '' END), ', '
               ORDER BY a.grantee::regrole::text, a.grantor::regrole::text, a.privilege_type) AS acl
    FROM acl, aclexplode(acl.acl) AS a GROUP BY 1, 2, 3
),
line(text) AS (
    SELECT concat_ws(' | ', 'relation', relname, relkind, relpersistence, relowner::regrole, reloptions, relrowsecurity,
               relforcerowsecurity, relreplident, g.acl, obj_description(r.oid, 'pg_class'),
               CASE WHEN relkind IN ('v', 'm') THEN pg_get_viewdef(r.oid) END)
    FROM relation r LEFT JOIN granted g ON g.classid = 'pg_class'::regclass AND g.oid = r.oid AND g.part = 0
    UNION ALL
    SELECT concat_ws(' | ', 'column', relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
               attcollation::regcollation, attstorage, attcompression,
               -- pg_dump 18 leaves it out where the index is a constraint's.
               CASE WHEN NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = attrelid) THEN nullif(attstattarget, -1) END,
               (SELECT array_agg(o ORDER BY o) FROM unnest(attoptions) AS o WHERE o NOT LIKE 'pg\_%'), -- not the server's own
              
               pg_get_expr(d.adbin, d.adrelid), g.acl, col_description(attrelid, attnum))
    FROM relation r JOIN pg_attribute ON attrelid = r.oid AND attnum > 0 AND NOT attisdropped
         LEFT JOIN pg_attrdef d ON d.adrelid = attrelid AND d.adnum = attnum
         LEFT JOIN granted g ON g.classid = 'pg_class'::regclass AND g.oid = attrelid AND g.part = attnum
    UNION ALL
    SELECT concat_ws(' | ', 'constraint', relname, conname, contype, convalidated, pg_get_constraintdef(c.oid), obj_description(c.oid, 'pg_constraint'))
    FROM relation r JOIN pg_constraint c ON conrelid = r.oid OR confrelid = r.oid
    UNION ALL
    SELECT concat_ws(' | ', 'index', relname, pg_get_indexdef(indexrelid), indisunique, indisvalid, indisclustered, indisreplident)
    FROM relation r JOIN pg_index ON indexrelid = r.oid
    UNION ALL
    SELECT concat_ws(' | ', 'trigger', relname, pg_get_triggerdef(t.oid), tgenabled, obj_description(t.oid, 'pg_trigger'))
    FROM relation r JOIN pg_trigger t ON tgrelid = r.oid AND NOT tgisinternal
    UNION ALL
    SELECT concat_ws(' | ', 'policy', tablename, policyname, permissive, roles, cmd, qual, with_check) FROM pg_policies WHERE schemaname = 'memory'
    UNION ALL
    SELECT concat_ws(' | ', 'statistics', pg_get_statisticsobjdef(s.oid)) FROM relation r JOIN pg_statistic_ext s ON stxrelid = r.oid
    UNION ALL
    SELECT concat_ws(' | ', 'published', pubname, to_jsonb(t) - 'schemaname' - 'pubname') FROM pg_publication_tables t WHERE schemaname = 'memory'
    UNION ALL
    SELECT concat_ws(' | ', 'publication', to_jsonb(p) - 'oid' - 'pubowner') FROM pg_publication p
    UNION ALL
    SELECT concat_ws(' | ', 'schema', nspname, nspowner::regrole, g.acl)
    FROM pg_namespace n LEFT JOIN granted g ON g.classid = 'pg_namespace'::regclass AND g.oid = n.oid WHERE nspname = 'memory'
    UNION ALL
    SELECT concat_ws(' | ', 'default privileges', defaclrole::regrole, defaclobjtype, g.acl)
    FROM pg_default_acl d JOIN granted g ON g.classid = 'pg_default_acl'::regclass AND g.oid = d.oid
    WHERE defaclnamespace = 'memory'::regnamespace
    UNION ALL
    SELECT concat_ws(' | ', 'extension', extname, extversion, extnamespace::regnamespace) FROM pg_extension
)
SELECT text FROM line ORDER BY text COLLATE "C";
