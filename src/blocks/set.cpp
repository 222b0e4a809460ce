// memory.set_block: what a block says, and what is said of it.
#include "access/call.h"
#include "blocks/block.h"
#include "blocks/sql.h"
#include "blocks/tables.h"
#include "episodes/settings.h"
#include "pg/statement.h"

namespace memory::blocks {

namespace {

using pg::SnapshotOf;

// NULL of the optional ones: as it was.
struct Setting {
    std::string_view name;
    std::string_view content;
    std::optional<bool> pinned;
    std::optional<std::int64_t> char_limit; // 0: none
    std::optional<bool> read_only;
    std::optional<pg::Document> metadata;
    std::optional<std::int64_t> expected;
};

// $4 the content, $5 metadata: whether they are those that it has. What it says is not needed.
MEMORY_STATEMENT(lock_one, R"(
    SELECT b.key, b.version, b.place, b.char_limit, b.read_only, b.content = $4,
        $5::jsonb IS NULL OR b.metadata = $5
    FROM memory.blocks b WHERE {named:b} FOR NO KEY UPDATE)"_sql);

// $3 its key. The first leaves the content where it is, so that no history is written.
MEMORY_STATEMENT(update_attributes, R"(
    UPDATE memory.blocks b SET place = $4, char_limit = $5, read_only = $6,
        metadata = coalesce($7, b.metadata), version = b.version + 1,
        updated_at = greatest(b.updated_at, now()), agent_id = $8, session_id = $9
    WHERE {tenant:b} AND b.key = $3)"_sql);

MEMORY_STATEMENT(update_all, R"(
    UPDATE memory.blocks b SET content = $10, place = $4, char_limit = $5, read_only = $6,
        metadata = coalesce($7, b.metadata), version = b.version + 1,
        updated_at = greatest(b.updated_at, now()), agent_id = $8, session_id = $9
    WHERE {tenant:b} AND b.key = $3)"_sql);

struct Found {
    Block block;
    bool same_content;
    bool same_metadata;
};

std::optional<Found> lock_block(const access::Tenant &tenant, const Setting &setting) {
    const pg::Rows rows =
        lock_one.run(SnapshotOf::now, {tenant, setting.name, setting.content, setting.metadata});
    if (rows.empty())
        return std::nullopt;
    using Number = std::optional<pg::Int8>;
    const auto [key, version, place, char_limit, read_only, same_content, same_metadata] =
        rows.get<pg::Uuid, pg::Int8, Number, Number, pg::Bool, pg::Bool, pg::Bool>(0);
    return Found{{key, version, place, char_limit, read_only}, same_content, same_metadata};
}

std::optional<std::int64_t> limit_after(const Setting &setting,
                                        std::optional<std::int64_t> before) {
    if (!setting.char_limit)
        return before;
    return *setting.char_limit == 0 ? std::nullopt : setting.char_limit;
}

// Where it may be another one the places are locked.
std::optional<std::int64_t> place_after(const access::Tenant &tenant, const Setting &setting,
                                        std::optional<std::int64_t> before) {
    if (!setting.pinned || *setting.pinned == before.has_value())
        return before;
    return *setting.pinned ? std::optional(next_place(tenant)) : std::nullopt;
}

// Its version afterwards.
std::int64_t set(const access::Tenant &tenant, const Setting &setting, const Found &found) {
    const Block &block = found.block;
    if (!setting.read_only)
        check_writable(setting.name, block.read_only);
    const auto char_limit = limit_after(setting, block.char_limit);
    check_length(setting.name, setting.content, char_limit);
    const auto place = place_after(tenant, setting, block.place);
    const bool read_only = setting.read_only.value_or(block.read_only);
    if (found.same_content && found.same_metadata && place == block.place &&
        char_limit == block.char_limit && read_only == block.read_only)
        return block.version;
    pg::Values values{tenant,
                      block.key,
                      place,
                      char_limit,
                      read_only,
                      setting.metadata,
                      access::agent_setting(),
                      access::session_setting()};
    if (!found.same_content)
        values.add(setting.content);
    (found.same_content ? update_attributes : update_all).write(values, "blocks");
    return block.version + 1;
}

} // namespace

MEMORY_CALL(memory_set_block, "name text, content text, user_id text, pinned boolean,"
                              " char_limit bigint, read_only boolean, metadata jsonb,"
                              " expected_version bigint") {
    const Setting setting{
        checked_name(call.text("name")),
        call.text("content")
            .at_most(episodes::max_content(), "memory.max_content is the limit.")
            .required(),
        call.boolean("pinned"),
        call.bigint("char_limit").between(0, std::numeric_limits<std::int64_t>::max()),
        call.boolean("read_only"),
        call.json("metadata").object(),
        checked_version(call.bigint("expected_version"))};
    if (setting.pinned.value_or(false) && editing::is_file(setting.name))
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "pinned: a file cannot be pinned")
            .hint("Blocks whose names have no / can be.");
    const access::Writing writing(call, room);
    const access::Tenant &tenant = writing.tenant();
    lock_names(tenant, {setting.name});
    if (setting.pinned)
        lock_places(tenant);
    const std::optional<Found> found = lock_block(tenant, setting);
    check_version(setting.name, setting.expected,
                  found ? std::optional(found->block.version) : std::nullopt);
    if (found)
        return call.result(set(tenant, setting, *found));
    return call.result(make(tenant, setting.name, setting.content,
                            {setting.pinned, limit_after(setting, std::nullopt),
                             setting.read_only.value_or(false), setting.metadata}));
}

} // namespace memory::blocks
