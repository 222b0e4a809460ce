// memory.put_checkpoint(): one more step, or one again.
#include "checkpoints/arguments.h"
#include "checkpoints/parts.h"
#include "checkpoints/payload.h"
#include "checkpoints/prune.h"
#include "checkpoints/settings.h"
#include "checkpoints/sql.h"
#include "checkpoints/state.h"
#include "checkpoints/tables.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "sessions/sessions.h"

namespace memory::checkpoints {

namespace {

using pg::SnapshotOf;

// $5 an id.
MEMORY_STATEMENT(find_one, R"(
    SELECT c.id, c.place, c.state, c.refs FROM memory.checkpoints c
    WHERE {of_path:c} AND {same:c.id,$5})"_sql);

// $5 the place of one that does not count.
MEMORY_STATEMENT(find_newest, R"(
    SELECT c.id, c.place, c.state, c.refs FROM memory.checkpoints c
    WHERE {of_path:c} AND c.place <> $5 ORDER BY c.place DESC LIMIT 1)"_sql);

MEMORY_STATEMENT(insert_one, R"(
    INSERT INTO memory.checkpoints
        (namespace, user_id, session, path, id, state, refs, metadata, place, parent)
    VALUES ($1, $2, $3, $4, $5, $6, coalesce($7, '{}'::jsonb), coalesce($8, '{}'::jsonb), $9,
        $10))"_sql);

// What is replaced keeps its place, its parent and the time of its first writing.
MEMORY_STATEMENT(replace_one, R"(
    UPDATE memory.checkpoints c
    SET state = $6, refs = coalesce($7, '{}'::jsonb), metadata = coalesce($8, '{}'::jsonb)
    WHERE {of_path:c} AND {same:c.id,$5})"_sql);

// What a call asks for, checked. Views are the caller's.
struct Put {
    explicit Put(std::pmr::memory_resource *memory) : refs(memory), parts(memory) {}

    std::string_view session_id;
    pg::Bytes state;
    std::string_view id;
    std::optional<std::string_view> parent;
    std::optional<pg::Document> metadata;
    std::optional<pg::Document> refs_given;
    Refs refs; // the same, read
    std::pmr::vector<GivenPart> parts;
    std::int64_t keep; // 0: all
};

[[noreturn]] void throw_part(std::string_view name, const char *fault, const char *hint) {
    const pg::Quoted shown(name);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "part_names: \"%.*s\" %s", shown.length,
                    shown.text, fault)
        .hint("%s", hint);
}

template <class Call>
void read_parts(const Call &call, Put &put) {
    const auto names = call.texts("part_names").or_else({});
    const auto types = call.texts("part_types").or_else({});
    const auto data = call.byteas("part_data").or_else({});
    if (names.size() != types.size() || names.size() != data.size())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                        "part_names, part_types and part_data must have as many elements, but have "
                        "%zu, %zu and %zu",
                        names.size(), types.size(), data.size());
    for (std::size_t n = 0; n < names.size(); ++n) {
        const Ref *ref = find(put.refs, names[n]);
        if (ref == nullptr)
            throw_part(names[n], "is not in refs", "refs says the version of every part.");
        if (std::ranges::count(names.first(n), names[n]) > 0)
            throw_part(names[n], "is there twice", "A call has one version of a part.");
        put.parts.push_back({*ref, types[n], data[n]});
    }
}

std::size_t size_of(const Put &put) {
    std::size_t size = put.state.size();
    for (const GivenPart &part : put.parts)
        size += part.data ? part.data->size() : 0;
    return size;
}

template <class Call>
Put read_put(const Call &call, std::pmr::memory_resource *memory) {
    Put put(memory);
    put.session_id = sessions::written_session(call.text("session_id"));
    put.state = state_bytes(call.json("state").required());
    put.id = sessions::name_if_given(call.text("id")).value_or("");
    put.parent = sessions::name_if_given(call.text("parent"));
    put.metadata = call.json("metadata").object();
    put.refs_given = call.json("refs").object();
    put.refs = checked_refs(call.json("refs"), memory);
    put.keep = call.bigint("keep").between(0, access::most_rows).or_else(checkpoints_kept());
    read_parts(call, put);
    check_size("state and parts", size_of(put));
    return put;
}

// A checkpoint that is there.
struct Existing {
    std::string_view id;
    std::int64_t place;
    std::int64_t state;
    Refs refs;
};

std::optional<Existing> existing(const pg::Rows &rows, std::pmr::memory_resource *memory) {
    if (rows.empty())
        return std::nullopt;
    const auto [id, place, state, refs] = rows.get<pg::Text, pg::Int8, pg::Int8, pg::Json>(0);
    return Existing{pg::copied_text(id), place, state, refs_of(pg::copied({refs}), memory)};
}

// What a new version is written against: the parent, or the newest where that is not there.
std::optional<Existing> base_of(const Path &path, const Put &put, std::int64_t replaced,
                                std::pmr::memory_resource *memory) {
    if (put.parent && *put.parent != put.id)
        if (auto parent = existing(find_one.run(SnapshotOf::now, {path, *put.parent}), memory))
            return parent;
    return existing(find_newest.run(SnapshotOf::now, {path, replaced}), memory);
}

// With the store locked; numbers from `number` on are the call's.
void write(const Store &store, const Path &path, const Put &put, std::int64_t number,
           std::pmr::memory_resource *memory) {
    const std::optional<Existing> before =
        existing(find_one.run(SnapshotOf::now, {path, put.id}), memory);
    const std::optional<Existing> base =
        base_of(path, put, before ? before->place : number, memory);
    Versions versions(store, memory,
                      base ? place_of(put.session_id, path.path, base->id) : nullptr);
    number +=
        write_parts(path, put.parts, base ? base->refs : Refs(memory), versions, number, memory);
    const std::int64_t state = number++;
    versions.write(state, put.state, base ? std::optional(base->state) : std::nullopt);
    pg::Values row{path, put.id, state, put.refs_given, put.metadata};
    if (before) {
        replace_one.write(row, "checkpoints");
        drop_unneeded(store, before->state, memory);
        return;
    }
    row.add(number);
    row.add(put.parent);
    insert_one.write(row, "checkpoints");
}

} // namespace

MEMORY_CALL(memory_put_checkpoint,
            "session_id text, state jsonb, id text, parent text, metadata jsonb, path text,"
            " keep bigint, refs jsonb, part_names text[], part_types text[], part_data bytea[],"
            " user_id text") {
    pg::ContextResource memory(CurrentMemoryContext);
    Put put = read_put(call, &memory);
    const std::string_view path_name = path_of(call.text("path"));
    const access::Writing writing(call, room);
    const sessions::Locked session =
        sessions::lock(writing.tenant(), put.session_id, access::agent_setting());
    const Store store{writing.tenant(), session.store};
    const Path path{writing.tenant(), session.key, path_name};
    const std::int64_t number = lock(store, static_cast<std::int64_t>(put.parts.size()) + 2);
    if (put.id.empty())
        put.id = new_name();
    write(store, path, put, number, &memory);
    if (put.keep > 0)
        keep_newest(store, path, put.keep, &memory);
    return call.result(put.id);
}

} // namespace memory::checkpoints
