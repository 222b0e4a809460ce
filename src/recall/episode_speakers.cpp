// Finds rows whose speakers a query names: on the table's pages where the caller may read the whole
// table, by a statement otherwise. Only then their metadata are read.
#include "pg/json.h"
#include "pg/place_fetch.h"
#include "pg/statement.h"
#include "recall/episode_rows.h"
#include "recall/sql.h"

namespace memory::recall {

namespace {

MEMORY_STATEMENT(find_speakers, R"(
    SELECT e.id, e.role,
        CASE WHEN pg_catalog.jsonb_typeof(e.metadata -> 'speaker') = 'string'
            THEN e.metadata ->> 'speaker' END
    FROM memory.episodes e WHERE {tenant:e} AND e.id = ANY ($3) AND e.tableoid = $4)"_sql,
                 pg::Statement::once);

// What a row's metadata call its speaker.
std::optional<std::string_view> speaker_of(Datum metadata) {
    const pg::JsonValue root = pg::json_root(metadata);
    const auto speaker = root.is_object() ? root.member("speaker") : std::nullopt;
    return speaker ? speaker->string() : std::nullopt;
}

} // namespace

void EpisodeRows::find_named(std::span<const std::uint32_t> of, const rank::KnownRows &rows,
                             std::pmr::vector<rank::RowTerm> &found) {
    if (speakers_ == nullptr || of.empty())
        return;
    if (!table_.readable_whole())
        return ask_for_named(of, rows, found);
    std::pmr::vector<std::uint32_t> in_order(of.begin(), of.end(), memory_);
    std::sort(in_order.begin(), in_order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return rows[a].place < rows[b].place; });
    pg::PlaceFetch fetch(table_.heap(), table_.by_text(), snapshot_);
    TupleTableSlot *const slot = slot_.get();
    for (const std::uint32_t number : in_order) {
        pg::check_for_interrupts();
        if (fetch.read(rows[number].place, slot))
            speakers_->add(number, pg::find_in<pg::Text>(slot, columns_.role - 1),
                           speaker_of(pg::get_in<pg::Json>(slot, columns_.metadata - 1)), found);
    }
}

// The same by a statement, to which policies apply.
void EpisodeRows::ask_for_named(std::span<const std::uint32_t> of, const rank::KnownRows &rows,
                                std::pmr::vector<rank::RowTerm> &found) {
    std::pmr::vector<rank::RowId> ids(memory_);
    for (const std::uint32_t number : of)
        ids.push_back(rows[number].order.id);
    find_speakers.each(
        pg::SnapshotOf::caller, {tenant_, uuids(ids), table_.table().id()},
        [&](const pg::Row &row) {
            const auto [id, role, speaker] =
                row.get<pg::Uuid, std::optional<pg::Text>, std::optional<pg::Text>>();
            speakers_->add(*rows.find(row_id(id)), role, speaker, found);
        });
}

} // namespace memory::recall
