// Brings what a checkpoint consists of: its state, the parts that refs names, and its writes.
#include "checkpoints/payload.h"

#include "checkpoints/parts.h"
#include "checkpoints/sql.h"
#include "checkpoints/state.h"
#include "pg/arrays.h"
#include "pg/statement.h"

namespace memory::checkpoints {

namespace {

using pg::SnapshotOf;

// $5 the checkpoint's id.
MEMORY_STATEMENT(find_writes, "SELECT w.task, w.name, w.type, w.data {writes:}"_sql);

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
    std::pmr::vector<std::string_view> names(memory);
    std::pmr::vector<std::string_view> types(memory);
    std::pmr::vector<std::optional<std::size_t>> sizes(memory);
    for (const Part &part : parts) {
        names.push_back(part.ref.name);
        types.push_back(part.type);
        sizes.push_back(part.number ? std::optional(versions.size(*part.number, place))
                                    : std::nullopt);
    }
    const pg::ByteaArray data(sizes);
    for (std::size_t n = 0; n < parts.size(); ++n)
        if (parts[n].number)
            versions.bring(*parts[n].number, data.element(n), place);
    row.add(names);
    row.add(types);
    row.add(data.parameter());
}

void add_writes(pg::Values &row, const Path &path, std::string_view id,
                std::pmr::memory_resource *memory) {
    std::pmr::vector<std::string_view> tasks(memory);
    std::pmr::vector<std::string_view> names(memory);
    std::pmr::vector<std::string_view> types(memory);
    std::pmr::vector<std::optional<pg::Bytes>> data(memory);
    const pg::Rows rows = find_writes.run(SnapshotOf::caller, {path, id});
    for (std::uint64_t at = 0; at < rows.size(); ++at) {
        const auto [task, name, type, bytes] =
            rows.get<pg::Text, pg::Text, pg::Text, std::optional<pg::Bytea>>(at);
        tasks.push_back(task);
        names.push_back(name);
        types.push_back(type);
        data.push_back(bytes);
    }
    row.add(tasks);
    row.add(names);
    row.add(types);
    row.add(data);
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
