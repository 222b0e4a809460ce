// The history of a block: the trigger that writes it, and memory.block_history.
//
// A row of history belongs to one text of the block and has what it took from the text before it
// (editing/splice.h). So the newest text is the block's own, and each older one follows from the
// one after it: rows can be deleted from the oldest on.
#include "access/page.h"
#include "blocks/editing/splice.h"
#include "blocks/names.h"
#include "blocks/sql.h"
#include "blocks/tables.h"
#include "pg/encoding.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "pg/trigger.h"
#include "schema/as_they_were.h"

namespace memory::blocks {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(insert, R"(
    INSERT INTO memory.block_versions (namespace, user_id, block, version, kept_before, taken,
        kept_behind, updated_at, agent_id, session_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10))"_sql);

MEMORY_STATEMENT(find_text, R"(
    SELECT b.key, b.content FROM memory.blocks b WHERE {named:b})"_sql);

// $3 the block's key. Versions that have expired are not shown, but for the newest.
MEMORY_STATEMENT(find_versions, R"(
    SELECT v.version, v.kept_before, v.taken, v.kept_behind, v.updated_at, v.agent_id, v.session_id
    FROM memory.block_versions v
    WHERE {tenant:v} AND v.block = $3
        AND (v.updated_at > memory_internal.alive_since($1, 'block_version')
            OR v.version = (SELECT max(n.version) FROM memory.block_versions n
                            WHERE {tenant:n} AND n.block = $3))
    ORDER BY v.version DESC LIMIT $4)"_sql);

void check_version_grows(std::int64_t version, std::optional<std::int64_t> before) {
    if (version <= before.value_or(0))
        throw pg::Error(ERRCODE_CHECK_VIOLATION,
                        "a block with another content must have a greater version")
            .detail("Its version was %lld, and is %lld.",
                    static_cast<long long>(before.value_or(0)), static_cast<long long>(version))
            .hint("SET content = …, version = version + 1");
}

[[noreturn]] void throw_other_content(std::string_view name, std::int64_t version) {
    const pg::Quoted quoted(name);
    throw pg::Error(ERRCODE_DATA_CORRUPTED,
                    "version %lld of block \"%.*s\" was not made of the one after it",
                    static_cast<long long>(version), quoted.length, quoted.text)
        .hint("Rows of memory.blocks or memory.block_versions were changed by hand.");
}

// The texts of a block from the newest on.
class Texts {
  public:
    Texts(std::string_view name, std::string_view newest, pg::ResultSet &rows)
        : name_(name), memory_(CurrentMemoryContext), text_(pg::to_utf8(newest), &memory_),
          rows_(rows) {}

    void add(const pg::Row &row) {
        const auto [version, kept_before, taken, kept_behind, updated_at, agent, session] =
            row.get<pg::Int8, pg::Int8, pg::Text, pg::Int8, pg::Time, std::optional<pg::Text>,
                    std::optional<pg::Text>>();
        rows_.add({version, pg::from_utf8(text_), pg::Instant{updated_at}, agent, session});
        auto older = editing::undone(text_,
                                     {static_cast<std::size_t>(kept_before),
                                      static_cast<std::size_t>(kept_behind), pg::to_utf8(taken)},
                                     &memory_);
        if (!older)
            throw_other_content(name_, version);
        text_ = std::move(*older);
    }

  private:
    std::string_view name_;
    pg::ContextResource memory_;
    std::pmr::string text_;
    pg::ResultSet &rows_;
};

} // namespace

MEMORY_FUNCTION(memory_note_block_version) {
    const pg::TriggerRow row(arguments, {"blocks"});
    const std::string_view content = row.get<pg::Text>("content");
    const auto before = row.find_before<pg::Text>("content");
    if (before == content || schema::as_they_were())
        return Datum{0};
    const std::int64_t version = row.get<pg::Int8>("version");
    check_version_grows(version, row.find_before<pg::Int8>("version"));
    const editing::Splice splice =
        editing::splice_back(pg::to_utf8(before.value_or("")), pg::to_utf8(content));
    const pg::Spi spi;
    const access::Tenant tenant{row.get<pg::Text>("namespace"), row.get<pg::Text>("user_id")};
    insert.write({tenant, row.get<pg::Uuid>("key"), version,
                  static_cast<std::int64_t>(splice.kept_before), pg::from_utf8(splice.taken),
                  static_cast<std::int64_t>(splice.kept_behind),
                  pg::Instant{row.get<pg::Time>("updated_at")}, row.find<pg::Text>("agent_id"),
                  row.find<pg::Text>("session_id")},
                 "block_versions");
    return Datum{0};
}

MEMORY_CALL(memory_block_history, "name text, k bigint, user_id text") {
    const std::string_view name = checked_name(call.text("name"));
    const std::int64_t k = access::row_limit(call.bigint("k"));
    access::Reading reading(call, room);
    const pg::Rows found = find_text.run(SnapshotOf::caller, {reading.tenant(), name});
    if (found.empty())
        return call.nothing();
    const auto [key, content] = found.get<pg::Uuid, pg::Text>(0);
    Texts texts(name, content, reading.rows());
    find_versions.each(SnapshotOf::caller, {reading.tenant(), key, k},
                       [&](const pg::Row &row) { texts.add(row); });
    return call.nothing();
}

} // namespace memory::blocks
