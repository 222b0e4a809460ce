// Checks of what is about to be written into a block, and the statements that write it.
#include "blocks/block.h"

#include "blocks/sql.h"
#include "episodes/settings.h"
#include "pg/statement.h"

extern "C" {
#include "mb/pg_wchar.h"
}

namespace memory::blocks {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(lock_one, R"(
    SELECT b.key, b.version, b.place, b.char_limit, b.read_only, b.content
    FROM memory.blocks b WHERE {named:b} FOR NO KEY UPDATE)"_sql);

MEMORY_STATEMENT(insert, R"(
    INSERT INTO memory.blocks (namespace, user_id, name, content, place, char_limit, read_only,
        metadata, agent_id, session_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce($8, '{}'::jsonb), $9, $10))"_sql);

// $3 its key.
MEMORY_STATEMENT(update, R"(
    UPDATE memory.blocks b SET content = $4, version = b.version + 1,
        updated_at = greatest(b.updated_at, now()), agent_id = $5, session_id = $6
    WHERE {tenant:b} AND b.key = $3)"_sql);

std::int64_t characters(std::string_view content) {
    return pg::call([content] {
        return pg_mbstrlen_with_len(content.data(), static_cast<int>(content.size()));
    });
}

} // namespace

std::optional<Text> lock_text(const access::Tenant &tenant, std::string_view name) {
    const pg::Rows rows = lock_one.run(SnapshotOf::now, {tenant, name});
    if (rows.empty())
        return std::nullopt;
    using Number = std::optional<pg::Int8>;
    const auto [key, version, place, char_limit, read_only, content] =
        rows.get<pg::Uuid, pg::Int8, Number, Number, pg::Bool, pg::Text>(0);
    return Text{{key, version, place, char_limit, read_only}, pg::copied_text(content)};
}

void check_writable(std::string_view name, bool read_only) {
    if (!read_only)
        return;
    const pg::Quoted quoted(name);
    throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE, "block \"%.*s\" is read-only", quoted.length,
                    quoted.text)
        .hint("memory.set_block with read_only => false makes it writable.");
}

void check_length(std::string_view name, std::string_view content,
                  std::optional<std::int64_t> char_limit) {
    const pg::Quoted quoted(name);
    if (content.size() > episodes::max_content())
        throw pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED, "block \"%.*s\" would be too long",
                        quoted.length, quoted.text)
            .detail("It would have %zu bytes, and memory.max_content is %zu.", content.size(),
                    episodes::max_content());
    // No text has more characters than bytes.
    if (!char_limit || static_cast<std::int64_t>(content.size()) <= *char_limit)
        return;
    if (const std::int64_t chars = characters(content); chars > *char_limit)
        throw pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED, "block \"%.*s\" would be over its limit",
                        quoted.length, quoted.text)
            .detail("It would have %lld characters, and its char_limit is %lld.",
                    static_cast<long long>(chars), static_cast<long long>(*char_limit))
            .hint("Say it shorter, or raise the limit: memory.set_block with char_limit.");
}

void check_version(std::string_view name, std::optional<std::int64_t> expected,
                   std::optional<std::int64_t> found) {
    if (!expected || (found ? *found == *expected : *expected == 0))
        return;
    const pg::Quoted quoted(name);
    if (*expected == 0)
        throw pg::Error(ERRCODE_UNIQUE_VIOLATION, "block \"%.*s\" is there already", quoted.length,
                        quoted.text)
            .hint("expected_version => 0 makes a block that is not there.");
    if (!found)
        throw pg::Error(ERRCODE_T_R_SERIALIZATION_FAILURE, "there is no block \"%.*s\"",
                        quoted.length, quoted.text)
            .hint("It was deleted, or never made; expected_version => 0 makes it.");
    throw pg::Error(ERRCODE_T_R_SERIALIZATION_FAILURE,
                    "block \"%.*s\" has version %lld, not expected_version %lld", quoted.length,
                    quoted.text, static_cast<long long>(*found), static_cast<long long>(*expected))
        .hint("Read it again, and say what is to change.");
}

std::optional<std::int64_t> checked_version(const pg::Given<std::int64_t> &given) {
    return given.between(0, std::numeric_limits<std::int64_t>::max());
}

std::int64_t make(const access::Tenant &tenant, std::string_view name, std::string_view content,
                  const Attributes &attributes) {
    check_free(tenant, name);
    check_length(name, content, attributes.char_limit);
    std::optional<std::int64_t> place;
    if (attributes.pinned.value_or(!editing::is_file(name))) {
        lock_places(tenant);
        place = next_place(tenant);
    }
    insert.write({tenant, name, content, place, attributes.char_limit, attributes.read_only,
                  attributes.metadata, access::agent_setting(), access::session_setting()},
                 "blocks");
    return 1;
}

std::int64_t change(const access::Tenant &tenant, std::string_view name, const Text &text,
                    std::string_view content) {
    check_writable(name, text.block.read_only);
    check_length(name, content, text.block.char_limit);
    if (content == text.content)
        return text.block.version;
    update.write(
        {tenant, text.block.key, content, access::agent_setting(), access::session_setting()},
        "blocks");
    return text.block.version + 1;
}

} // namespace memory::blocks
