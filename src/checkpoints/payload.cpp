// Brings what a checkpoint consists of: its state, the parts that refs names, and its writes.
#include "checkpoints/payload.h"

#include "checkpoints/parts.h"
#include "checkpoints/sql.h"
#include "checkpoints/state.h"
#include "pg/statement.h"

namespace memory::checkpoints {

namespace {

using pg::SnapshotOf;

// $5 the checkpoint's id.
MEMORY_STATEMENT(find_writes, "SELECT w.task, w.name, w.type, w.data {writes:}"_sql);

// Columns of names, types and data, each an array in the row.
struct Columns {
    explicit Columns(std::pmr::memory_resource *memory)
        : names(memory), types(memory), data(memory) {}

    void add(std::string_view name, std::string_view type, std::optional<pg::Bytes> bytes) {
        names.push_back(name);
        types.push_back(type);
        data.push_back(bytes);
    }

    std::pmr::vector<std::string_view> names;
    std::pmr::vector<std::string_view> types;
    std::pmr::vector<std::optional<pg::Bytes>> data;
};
void bind(pg::Values &to, const Columns &columns) {
    to.add(columns.names);
    to.add(columns.types);
    to.add(columns.data);
}

void add_head(pg::Values &row, const Shown &shown, std::optional<pg::Document> state) {
    row.add(shown.session_id);
    row.add(shown.path);
    row.add(shown.id);
    row.add(shown.parent);
    row.add(state);
    row.add(shown.metadata);
    row.add(shown.created_at);
}

void add_parts(pg::Values &row, std::span<const Part> parts, const Versions &versions,
               const char *place, std::pmr::memory_resource *memory) {
    Columns columns(memory);
    for (const Part &part : parts)
        columns.add(part.ref.name, part.type,
                    part.number ? std::optional(versions.bytes(*part.number, place))
                                : std::nullopt);
    row.add(columns);
}

void add_writes(pg::Values &row, const Path &path, std::string_view id,
                std::pmr::memory_resource *memory) {
    std::pmr::vector<std::string_view> tasks(memory);
    Columns columns(memory);
    const pg::Rows rows = find_writes.run(SnapshotOf::caller, {path, id});
    for (std::uint64_t at = 0; at < rows.size(); ++at) {
        const auto [task, name, type, bytes] =
            rows.get<pg::Text, pg::Text, pg::Text, std::optional<pg::Bytea>>(at);
        tasks.push_back(task);
        columns.add(name, type, bytes);
    }
    row.add(tasks);
    row.add(columns);
}

} // namespace

const char *place_of(std::string_view session_id, std::string_view path, std::string_view id) {
    const pg::Quoted shown_id(id);
    const pg::Quoted session(session_id);
    const pg::Quoted shown_path(path);
    return pg::call([&] {
        const char *place = psprintf("checkpoint \"%.*s\" of session \"%.*s\"", shown_id.length,
                                     shown_id.text, session.length, session.text);
        return path.empty()
                   ? place
                   : psprintf("%s, path \"%.*s\"", place, shown_path.length, shown_path.text);
    });
}

pg::Values bare_row(const Shown &shown) {
    pg::Values row;
    add_head(row, shown, std::nullopt);
    constexpr Oid types[]{TEXTARRAYOID, TEXTARRAYOID, BYTEAARRAYOID, TEXTARRAYOID,
                          TEXTARRAYOID, TEXTARRAYOID, BYTEAARRAYOID};
    for (const Oid type : types)
        row.add(pg::Parameter::absent(type));
    return row;
}

pg::Values whole_row(const access::Tenant &tenant, const Shown &shown,
                     std::pmr::memory_resource *memory) {
    const Path path{tenant, shown.session, shown.path};
    const Store store{tenant, shown.store};
    const char *place = place_of(shown.session_id, shown.path, shown.id);
    const std::pmr::vector<Part> parts =
        find_parts(path, refs_of(shown.refs, memory), SnapshotOf::caller, memory);
    std::pmr::vector<std::int64_t> numbers(memory);
    numbers.push_back(shown.state);
    for (const Part &part : parts)
        if (part.number)
            numbers.push_back(*part.number);
    Versions versions(store, memory);
    versions.fetch(numbers, SnapshotOf::caller);
    pg::Values row;
    add_head(row, shown, state_of(versions.bytes(shown.state, place)));
    add_parts(row, parts, versions, place, memory);
    add_writes(row, path, shown.id, memory);
    return row;
}

} // namespace memory::checkpoints
