// memory.put_writes() and memory.writes(): what tasks write on the way to the next checkpoint.
#include "checkpoints/arguments.h"
#include "checkpoints/settings.h"
#include "checkpoints/sql.h"
#include "checkpoints/store.h"
#include "checkpoints/tables.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "sessions/sessions.h"

#include <set>

namespace memory::checkpoints {

namespace {

using pg::SnapshotOf;

// $5 checkpoint, $6 task, $7 its path, $8 to $12 numbers, places, names, types and data.
constexpr pg::sql::Fragment insertion[]{
    {"insert", "INSERT INTO memory.checkpoint_writes AS w"
               " (namespace, user_id, session, path, checkpoint, task, task_path, number, idx,"
               " name, type, data)"
               " SELECT $1, $2, $3, $4, $5, $6, $7, g.number, g.idx, g.name, g.type, g.data"
               " FROM ROWS FROM (unnest($8::bigint[]), unnest($9::bigint[]), unnest($10::text[]), "
               "unnest($11::text[]), unnest($12::bytea[])) g "
               "(number, idx, name, type, data)"
               " ON CONFLICT (session, (memory_internal.name_key(path)),"
               " (memory_internal.name_key(checkpoint)), (memory_internal.name_key(task)), idx,"
               " user_id, namespace)"},
};
MEMORY_STATEMENT(insert_new, compose_with<"{insert} DO NOTHING", insertion>());
MEMORY_STATEMENT(insert_or_replace, compose_with<R"({insert} DO UPDATE
    SET task_path = excluded.task_path, name = excluded.name, type = excluded.type,
        data = excluded.data)",
                                                 insertion>());

// $5 checkpoint, $6 a task or NULL.
MEMORY_STATEMENT(find_writes, R"(
    SELECT w.task, w.task_path, w.idx, w.name, w.type, w.data
    {writes:AND ($6::text IS NULL OR w.task = $6)})"_sql);

// The columns of the rows to write.
struct Writes {
    std::span<const std::int64_t> idx;
    std::span<const std::string_view> names;
    std::span<const std::string_view> types;
    std::span<const std::optional<pg::Bytes>> data;
};

template <class Call>
Writes read_writes(const Call &call) {
    const Writes writes{call.bigints("idx").required(), call.texts("names").required(),
                        call.texts("types").required(), call.byteas("data").required()};
    const std::size_t count = writes.idx.size();
    if (writes.names.size() != count || writes.types.size() != count || writes.data.size() != count)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                        "idx, names, types and data must have as many elements, but have %zu, %zu, "
                        "%zu and %zu",
                        count, writes.names.size(), writes.types.size(), writes.data.size());
    std::size_t size = 0;
    for (const auto &one : writes.data)
        size += one ? one->size() : 0;
    check_size("data", size);
    return writes;
}

// Which of them count: of those of one place the first, or the last.
std::pmr::vector<std::size_t> chosen(const Writes &writes, bool last,
                                     std::pmr::memory_resource *memory) {
    std::pmr::vector<std::size_t> chosen(memory);
    std::pmr::set<std::int64_t> known(memory);
    const std::size_t count = writes.idx.size();
    for (std::size_t n = 0; n < count; ++n) {
        const std::size_t at = last ? count - 1 - n : n;
        if (known.insert(writes.idx[at]).second)
            chosen.push_back(at);
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

// As arrays in the statement's order, with numbers from `number` on.
void add_columns(pg::Values &to, const Writes &writes, std::span<const std::size_t> chosen,
                 std::int64_t number, std::pmr::memory_resource *memory) {
    std::pmr::vector<std::int64_t> numbers(memory);
    std::pmr::vector<std::int64_t> idx(memory);
    std::pmr::vector<std::string_view> names(memory);
    std::pmr::vector<std::string_view> types(memory);
    std::pmr::vector<std::optional<pg::Bytes>> data(memory);
    for (const std::size_t at : chosen) {
        numbers.push_back(number++);
        idx.push_back(writes.idx[at]);
        names.push_back(writes.names[at]);
        types.push_back(writes.types[at]);
        data.push_back(writes.data[at]);
    }
    to.add(numbers);
    to.add(idx);
    to.add(names);
    to.add(types);
    to.add(data);
}

} // namespace

MEMORY_CALL(memory_put_writes,
            "session_id text, checkpoint text, task text, idx bigint[], names text[],"
            " types text[], data bytea[], path text, task_path text, replace boolean,"
            " user_id text") {
    const std::string_view session_id = sessions::written_session(call.text("session_id"));
    const std::string_view checkpoint = sessions::checked_name(call.text("checkpoint"));
    const std::string_view task = sessions::checked_name(call.text("task"));
    const std::string_view path_name = path_of(call.text("path"));
    const std::string_view task_path = path_of(call.text("task_path"));
    const bool replace = call.boolean("replace").or_else(false);
    const Writes writes = read_writes(call);
    const access::Writing writing(call, room);
    pg::ContextResource memory(CurrentMemoryContext);
    const std::pmr::vector<std::size_t> rows = chosen(writes, replace, &memory);
    const sessions::Locked session =
        sessions::lock(writing.tenant(), session_id, access::agent_setting());
    const std::int64_t number =
        lock({writing.tenant(), session.store}, static_cast<std::int64_t>(rows.size()));
    pg::Values values{Path{writing.tenant(), session.key, path_name}, checkpoint, task, task_path};
    add_columns(values, writes, rows, number, &memory);
    const pg::Rows written =
        (replace ? insert_or_replace : insert_new).run(SnapshotOf::now, values);
    return call.result(static_cast<std::int64_t>(written.size()));
}

MEMORY_CALL(memory_writes, "session_id text, checkpoint text, task text, path text, user_id text") {
    const std::string_view session_id = sessions::checked_name(call.text("session_id"));
    const std::string_view checkpoint = sessions::checked_name(call.text("checkpoint"));
    const std::optional<std::string_view> task = sessions::name_if_given(call.text("task"));
    const std::string_view path_name = path_of(call.text("path"));
    access::Reading reading(call, room);
    const auto session = sessions::find(SnapshotOf::caller, reading.tenant(), session_id);
    if (session)
        reading.rows().add_from(
            find_writes, SnapshotOf::caller,
            {Path{reading.tenant(), session->key, path_name}, checkpoint, task});
    return call.nothing();
}

} // namespace memory::checkpoints
