-- The schema may have been there before the extension, with an owner that is no superuser, while this
-- script runs as one. "vector" below must mean pgvector's type: a C function that is declared with
-- another type of that name would read it as a vector.
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_catalog.pg_type t
        WHERE t.typname OPERATOR(pg_catalog.=) 'vector'
        AND t.typnamespace OPERATOR(pg_catalog.=) 'memory'::pg_catalog.regnamespace::pg_catalog.oid
        AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_extension e
            ON e.oid OPERATOR(pg_catalog.=) d.refobjid
            WHERE d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_type'::pg_catalog.regclass::pg_catalog.oid
            AND d.objid OPERATOR(pg_catalog.=) t.oid
            AND d.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_extension'::pg_catalog.regclass::pg_catalog.oid
            AND d.deptype OPERATOR(pg_catalog.=) 'e' AND e.extname OPERATOR(pg_catalog.=) 'vector')) THEN
        RAISE EXCEPTION USING ERRCODE = 'duplicate_object',
            MESSAGE = 'schema memory holds a type "vector" that is not pgvector''s',
            HINT = 'Rename or drop it, then create the extension.';
    END IF;
END $$;


-- What users do not call by its name: defaults of our tables' columns, trigger functions, and the
-- functions of types, operators, operator classes and aggregates. A member of the extension, so
-- that it comes and goes with it, and dumps leave it out; no table is ever in it. CREATE SCHEMA
-- fails where one of that name exists, so that it holds no foreign objects.
CREATE SCHEMA memory_internal;
GRANT USAGE ON SCHEMA memory_internal TO PUBLIC;
COMMENT ON SCHEMA memory_internal IS
'Support functions of extension memory, called by its tables, types and operators. Functions for applications are in schema memory.';
