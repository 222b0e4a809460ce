// What the tables of memory are, as data. A room describes its tables once; init(), grants,
// policies, the anonymous warning and whatever else must not forget a table go through the
// descriptions (rooms.h).
#pragma once

#include <span>

namespace memory::schema {

// Types of columns. A name is compared byte by byte: text of collation "C", so that an index on it
// survives a change of the C library.
enum class Type {
    name,
    text,
    uuid,
    instant,
    flag,
    int4,
    int8,
    float4,
    float8,
    jsonb,
    bytes,
    interval,
    int8s, // an array of them
    names, // an array of names
    texts, // an array of texts
    uuids,
    vector
};

// What a column holds. Keys that plans depend on, times and numbers have planner statistics. Words
// are what users say, and names that callers make up: statistics would show them to others and
// outlive them, so that such columns have none. Nor has payload, which no plan depends on.
enum class Holds { keys, words, payload };

// A value of the extension's own as a default is given apart from the column: DROP EXTENSION …
// CASCADE takes such defaults, and init() puts them back.
struct Column {
    const char *name;
    Type type;
    const char *rest; // of its definition, behind the type
    const char *comment;
    Holds holds = Holds::keys;
    const char *default_call = nullptr; // "memory_internal.default_id()"
};

// Of indexes that seem to cost the same the planner takes the newest. Before a table's first
// ANALYZE one that has the columns of the key, too, seems as good as the key, and a row would be
// looked for among all of its user: such an index is made before the key.
enum class Index { usual, unique, before_key };

// `definition` follows CREATE INDEX name ON memory.table, or ADD CONSTRAINT name, or CREATE TRIGGER
// name; a trigger's names its table as {table}. {vector} stands for the schema that pgvector lives
// in; {part} behind a table of users is part_mark of script.h.
struct Part {
    const char *name;
    const char *definition;
    const char *comment;
    Index index = Index::usual;
};

// To what the rows of a table belong, and so which columns lead it and its primary key.
enum class Rows {
    of_users,      // namespace and user_id
    of_namespaces, // namespace
    of_all,
};

// To what rows of users belong, beside their user: what they go with.
enum class Of {
    user,    // nothing else
    episode, // the one in column episode_id
    session, // the one whose key is in column session
    store,   // that of the checkpoints of a session and its forks, in column store
};

struct Table {
    const char *name;
    Rows rows;
    const char *comment;
    std::span<const Column> columns; // behind those that `rows` says
    const char *key;                 // the primary key behind those
    const char *key_comment;
    const char *rules = "";   // CHECKs, each after a comma: never made again where they are missing
    const char *storage = ""; // WITH (…)
    std::span<const Part> indexes = {};
    std::span<const Part> constraints = {};
    std::span<const Part> triggers = {};
    // Patterns (LIKE), apart by blanks, of its indexes over expressions with words: row security
    // does not apply to an index, so these have no statistics either.
    const char *word_indexes = "";
    // Which of its rows calls show, as a condition on t: others have expired. Of a table that users
    // share, those that the rows of user $2 in namespace $1 rest on; they are exported with these.
    const char *shown = "";
    Of of = Of::user;
    // Which rows t of user $2 in namespace $1 go with all that the user has, where some that others
    // are about to write must stay: a condition. $3 are the keys of the sessions that are locked.
    const char *forgotten_when = "";
};

// Rows of no user are what a namespace or the database agrees upon: writers write the former, the
// owner and admins the others.
constexpr bool of_users(const Table &table) noexcept { return table.rows == Rows::of_users; }

} // namespace memory::schema
