-- Everything that the extension memory owns in the catalog, one line each, in an order that depends
-- on names only: two databases with the same lines have the same extension.
\pset format unaligned
\pset tuples_only on
SET search_path = pg_catalog;

CREATE TEMPORARY VIEW member AS
SELECT d.classid, d.objid, i.type, i.identity
FROM pg_depend d, LATERAL pg_identify_object(d.classid, d.objid, 0) i
WHERE d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass
  AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'memory');

SELECT 'member', type, identity, obj_description(objid, classid::regclass::name) AS line
FROM member ORDER BY 2, 3;

SELECT 'routine', m.identity, p.proacl,
       CASE WHEN p.prokind = 'a' THEN (SELECT row_to_json(a) FROM pg_aggregate a WHERE a.aggfnoid = p.oid)::text
            ELSE pg_get_functiondef(p.oid) END
FROM member m JOIN pg_proc p ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid ORDER BY 2;

SELECT 'relation', m.identity, c.relkind, c.relacl, c.reloptions,
       CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END
FROM member m JOIN pg_class c ON m.classid = 'pg_class'::regclass AND m.objid = c.oid ORDER BY 2;

SELECT 'column', a.attrelid::regclass, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
       pg_get_expr(d.adbin, d.adrelid), a.attacl, col_description(a.attrelid, a.attnum)
FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attnum > 0 AND NOT a.attisdropped
  AND (a.attrelid IN (SELECT objid FROM member WHERE classid = 'pg_class'::regclass)
       OR a.attrelid IN (SELECT t.typrelid FROM member m JOIN pg_type t ON m.objid = t.oid
                         WHERE m.classid = 'pg_type'::regclass AND t.typrelid <> 0))
ORDER BY a.attrelid::regclass::text, a.attnum;

SELECT 'type', m.identity, t.typtype, t.typlen, t.typbyval, t.typalign, t.typstorage, t.typacl,
       t.typinput, t.typoutput, t.typreceive, t.typsend, t.typmodin, t.typmodout, t.typdefault,
       (SELECT array_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid)
FROM member m JOIN pg_type t ON m.classid = 'pg_type'::regclass AND m.objid = t.oid ORDER BY 2;

SELECT 'operator', m.identity, o.oprcode, o.oprcom::regoperator, o.oprnegate::regoperator,
       o.oprrest, o.oprjoin, o.oprcanmerge, o.oprcanhash
FROM member m JOIN pg_operator o ON m.classid = 'pg_operator'::regclass AND m.objid = o.oid ORDER BY 2;

SELECT 'access method', a.amname, a.amtype, a.amhandler
FROM member m JOIN pg_am a ON m.classid = 'pg_am'::regclass AND m.objid = a.oid ORDER BY 2;

SELECT 'operator class', m.identity, c.opcdefault, c.opcintype::regtype, c.opckeytype::regtype
FROM member m JOIN pg_opclass c ON m.classid = 'pg_opclass'::regclass AND m.objid = c.oid ORDER BY 2;

SELECT 'in family', m.identity, i.identity
FROM member m
JOIN LATERAL (SELECT 'pg_amop'::regclass AS c, oid FROM pg_amop WHERE amopfamily = m.objid
              UNION ALL
              SELECT 'pg_amproc'::regclass, oid FROM pg_amproc WHERE amprocfamily = m.objid) part ON true
JOIN LATERAL pg_identify_object(part.c, part.oid, 0) i ON true
WHERE m.classid = 'pg_opfamily'::regclass ORDER BY 2, 3;

SELECT 'cast', m.identity, c.castfunc::regprocedure, c.castcontext, c.castmethod
FROM member m JOIN pg_cast c ON m.classid = 'pg_cast'::regclass AND m.objid = c.oid ORDER BY 2;

SELECT 'constraint', c.conname, c.contypid::regtype, pg_get_constraintdef(c.oid)
FROM pg_constraint c
WHERE c.contypid IN (SELECT objid FROM member WHERE classid = 'pg_type'::regclass) ORDER BY 2, 3;

SELECT 'configuration', t::regclass, c
FROM pg_extension, unnest(extconfig, extcondition) AS part(t, c) WHERE extname = 'memory' ORDER BY 2;

SELECT 'schema', n.nspname, n.nspacl FROM pg_namespace n WHERE n.nspname = 'memory';
