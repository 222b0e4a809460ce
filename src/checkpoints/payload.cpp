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
MEMORY_STATEMENT(find_writes, R"(
    SELECT w.task, w.name, w.type, w.data FROM memory.checkpoint_writes w
    WHERE {of_path:w} AND {same:w.checkpoint,$5} ORDER BY w.task, w.idx)"_sql);

// An array on its way into a row; elements may be NULL.
class Elements {
  public:
    explicit Elements(std::pmr::memory_resource *memory) : values_(memory), nulls_(memory) {}

    void add(std::optional<Datum> value) {
        values_.push_back(value.value_or(Datum{0}));
        nulls_.push_back(!value);
    }
    pg::Parameter array(Oid type) const {
        return pg::Parameter::array(type, values_,
                                    {reinterpret_cast<const bool *>(nulls_.data()), nulls_.size()});
    }

  private:
    std::pmr::vector<Datum> values_;
    std::pmr::vector<std::uint8_t> nulls_;
};

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
    Elements names(memory);
    Elements types(memory);
    Elements data(memory);
    for (const Part &part : parts) {
        names.add(pg::to_datum(part.ref.name));
        types.add(pg::to_datum(part.type));
        data.add(part.number ? std::optional(pg::to_datum(versions.bytes(*part.number, place)))
                             : std::nullopt);
    }
    row.add(names.array(TEXTOID));
    row.add(types.array(TEXTOID));
    row.add(data.array(BYTEAOID));
}

void add_writes(pg::Values &row, const Path &path, std::string_view id,
                std::pmr::memory_resource *memory) {
    Elements tasks(memory);
    Elements names(memory);
    Elements types(memory);
    Elements data(memory);
    const pg::Rows rows = find_writes.run(SnapshotOf::caller, {path, id});
    for (std::uint64_t at = 0; at < rows.size(); ++at) {
        const auto [task, name, type, bytes] =
            rows.get<pg::Text, pg::Text, pg::Text, std::optional<pg::Bytea>>(at);
        tasks.add(pg::to_datum(task));
        names.add(pg::to_datum(name));
        types.add(pg::to_datum(type));
        data.add(bytes ? std::optional(pg::to_datum(*bytes)) : std::nullopt);
    }
    row.add(tasks.array(TEXTOID));
    row.add(names.array(TEXTOID));
    row.add(types.array(TEXTOID));
    row.add(data.array(BYTEAOID));
}

const char *place_of(const Shown &shown) {
    const pg::Quoted id(shown.id);
    const pg::Quoted session(shown.session_id);
    return pg::call([&] {
        return psprintf("checkpoint \"%.*s\" of session \"%.*s\"", id.length, id.text,
                        session.length, session.text);
    });
}

} // namespace

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
    const char *place = place_of(shown);
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
