// Items and their vectors (docs/items.md).
//
// Every put changes updated_at, which is in an index: an update is never heap-only, so there is
// nothing to gain from leaving columns out of indexes, and rows are packed.
#include "items/tables.h"

#include "items/sql.h"
#include "models/columns.h"
#include "pg/statement.h"

namespace memory::items {

namespace {

using schema::Column;
using schema::Holds;
using schema::Part;
using schema::Rows;
using schema::Table;
using schema::Type;

constexpr Column item_columns[] = {
    {"id", Type::uuid, "NOT NULL", "What its vectors know it by.", Holds::keys,
     "memory_internal.default_id()"},
    {"path", Type::names, "NOT NULL", "Where it is: names from the outermost to the innermost.",
     Holds::words},
    {"key", Type::name, "NOT NULL", "Its name on the path.", Holds::words},
    {"value", Type::jsonb, "NOT NULL", "Any JSON of the application's.", Holds::words},
    {"texts", Type::texts, "",
     "What it is recalled by. NULL: all strings among the values, at any depth.", Holds::words},
    {"version", Type::int8, "NOT NULL DEFAULT 1 CHECK (version >= 1)",
     "1 at first, and one more with every put."},
    {"created_at", Type::instant, "NOT NULL DEFAULT now()", "When it was put first."},
    {"updated_at", Type::instant, "NOT NULL DEFAULT now()",
     "When it was put last; it never goes back."},
    {"ttl", Type::interval, "CHECK (ttl > '0'::interval)",
     "How long it lives from its last put or touch. NULL: for ever.", Holds::payload},
    {"expires_at", Type::instant, "",
     "When it expires: from then on no call returns it. NULL: never."},
};

// The tenant leads as it is: under row security only comparisons of the column itself keep a
// session from the pages of another user's entries. But without statistics the planner takes an
// index that begins with the tenant for as good as any other that does, and would read all of a
// user's items for one. So each has a condition that is true of every row, and is for statements
// that say it, too; and the place in the order of updates is the value of another function.
constexpr Part item_indexes[] = {
    {"items_by_place",
     "(namespace, user_id, (memory_internal.place_key(path, key))) WHERE key > ''",
     "One item by path and key, and all that is under a path side by side.", schema::Index::unique},
    {"items_by_update",
     "(namespace, user_id, updated_at DESC, (memory_internal.place_order(path, key)))"
     " WHERE updated_at > '-infinity'",
     "The items of a user that were put last."},
    {"items_by_expiry", "(namespace, user_id, expires_at) WHERE expires_at IS NOT NULL",
     "The items of a user that expire, the earliest first."},
    {"items_by_text",
     "USING recall (namespace, user_id, (memory_internal.item_text(value, texts)))",
     "Ranked text search among the items of a user."},
};

constexpr Part item_triggers[] = {
    {"memory_vectors_made",
     "AFTER INSERT OR UPDATE OF value, texts ON {table}"
     " FOR EACH ROW WHEN (memory_internal.embeds_here(NEW.namespace))"
     " EXECUTE FUNCTION memory_internal.embed_item()",
     "Embeds items where the namespace's model is the database's own (memory.use_model)."},
    {"memory_jobs_queued",
     "AFTER INSERT OR UPDATE OF namespace, user_id, id, value, texts ON {table}"
     " FOR EACH ROW WHEN (memory_internal.asks_models(NEW.namespace))"
     " EXECUTE FUNCTION memory_internal.queue_item()",
     "Queues the vectors of items, by models outside of the database (memory.use_model)."},
};

constexpr Column embedding_columns[] = {
    {"item", Type::uuid, "NOT NULL", "The item, by its id."},
    models::model_column,
    {"n", Type::int4, "NOT NULL CHECK (n >= 1)",
     "An item may have several vectors, of which the most similar one counts."},
    models::vector_column,
};

constexpr Part embedding_indexes[] = {models::codes_named("item_embeddings_by_code")};

constexpr Part embedding_constraints[] = {
    {"item_embeddings_namespace_user_id_item_fkey",
     "FOREIGN KEY (namespace, user_id, item) REFERENCES memory.items ON DELETE CASCADE",
     "Deleted together with its item."}};

constexpr Table tables[] = {
    {
        .name = "items",
        .rows = Rows::of_users,
        .comment = "JSON under a path and a key: what an agent or an application keeps.",
        .columns = item_columns,
        .key = "id",
        .key_comment = "One item by its id, within its user.",
        .rules = R"(,
    CONSTRAINT namespace_not_empty CHECK (namespace <> ''),
    CONSTRAINT ids_at_most_512_bytes CHECK (octet_length(namespace) <= 512
        AND octet_length(user_id) <= 512),
    CONSTRAINT key_from_1_to_1024_bytes CHECK (octet_length(key) >= 1
        AND octet_length(key) <= 1024),
    CONSTRAINT path_of_names CHECK (cardinality(path) = 0 OR (array_ndims(path) = 1
        AND array_lower(path, 1) = 1 AND array_position(path, NULL) IS NULL
        AND '' <> ALL (path) AND octet_length(array_to_string(path, '')) <= 1024)),
    CONSTRAINT times_finite CHECK (isfinite(created_at) AND isfinite(updated_at)
        AND isfinite(expires_at)))",
        .indexes = item_indexes,
        .triggers = item_triggers,
        .word_indexes = "items\\_by\\_%",
        .shown = "{not_expired:t}"_sql.text,
    },
    {
        .name = "item_embeddings",
        .rows = Rows::of_users,
        .comment = "Vectors of items, several per item and embedding model. Deleted together with "
                   "their item.",
        .columns = embedding_columns,
        .key = "item, model, n",
        .key_comment = "The vectors of an item.",
        .storage = models::inline_vectors,
        .indexes = embedding_indexes,
        .constraints = embedding_constraints,
        .triggers = models::vector_triggers,
        .shown = R"(EXISTS (SELECT FROM memory.items i
            WHERE {tenant:i} AND i.id = t.item AND {not_expired:i}))"_sql.text,
    },
};

// Of any user.
MEMORY_STATEMENT(find_named_user, "{named_user:items}"_sql);

} // namespace

constinit const schema::Room room{"items", tables, nullptr, &find_named_user};

} // namespace memory::items
