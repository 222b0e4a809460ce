// What memory.set_retention() has said; no user's.
#include "retention/tables.h"

namespace memory::retention {

namespace {

using schema::Type;

constexpr schema::Column columns[] = {
    {"thing", Type::name,
     "NOT NULL CHECK (thing IN ('episode', 'session', 'checkpoint', 'run', 'item', "
     "'block_version'))",
     "What is kept."},
    {"kind", Type::name, "NOT NULL DEFAULT '' CHECK (kind = '' OR thing = 'episode')",
     "Of episodes, the kind; '' is for all that have no rule of their own."},
    {"ttl", Type::interval, "CHECK (ttl > '0'::interval)", "How long it lives. NULL: for ever."},
    {"half_life", Type::interval, "CHECK (half_life > '0'::interval)",
     "The age at which it counts half. NULL: it does not fade."},
    {"keep", Type::int8, "CHECK (keep >= 1)", "How many are kept, the newest. NULL: all."},
};

constexpr schema::Part triggers[] = {
    {"memory_retention_changed",
     "AFTER INSERT OR UPDATE OR DELETE ON {table} FOR EACH ROW"
     " EXECUTE FUNCTION memory_internal.retention_changed()",
     "Tells all sessions that the rules have changed."},
};

constexpr schema::Table tables[] = {
    {
        .name = "retention",
        .rows = schema::Rows::of_namespaces,
        .comment = "How long what is kept in a namespace, and how many (memory.set_retention).",
        .columns = columns,
        .key = "thing, kind",
        .key_comment = "One rule for a thing and a kind, within its namespace.",
        .triggers = triggers,
    },
};

} // namespace

constinit const schema::Room room{"retention", tables, nullptr};

} // namespace memory::retention
