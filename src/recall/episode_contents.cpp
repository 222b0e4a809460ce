// What is read of rows that are ranked anew: how their speakers are called, and which words stand
// beside each other. On the table's pages where the caller may read the whole table, by statements
// otherwise.
#include "episodes/text.h"
#include "pg/json.h"
#include "pg/place_fetch.h"
#include "pg/statement.h"
#include "recall/episode_rows.h"
#include "recall/sql.h"
#include "recall/texts.h"

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

std::pmr::vector<rank::RowId> ids_of(std::span<const std::uint32_t> of, const rank::KnownRows &rows,
                                     std::pmr::memory_resource *memory) {
    std::pmr::vector<rank::RowId> ids(memory);
    for (const std::uint32_t number : of)
        ids.push_back(rows[number].order.id);
    return ids;
}

} // namespace

// Calls take(number) with each row in slot_.
template <class Take>
void EpisodeRows::read_each(std::span<const std::uint32_t> of, const rank::KnownRows &rows,
                            Take &&take) {
    std::pmr::vector<std::uint32_t> in_order(of.begin(), of.end(), memory_);
    std::sort(in_order.begin(), in_order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return rows[a].place < rows[b].place; });
    pg::PlaceFetch fetch(table_.heap(), table_.by_text(), snapshot_);
    for (const std::uint32_t number : in_order) {
        pg::check_for_interrupts();
        if (fetch.read(rows[number].place, slot_.get()))
            take(number);
    }
}

void EpisodeRows::find_named(std::span<const std::uint32_t> of, const rank::KnownRows &rows,
                             std::pmr::vector<rank::RowTerm> &found) {
    if (speakers_ == nullptr || of.empty())
        return;
    if (table_.readable_whole())
        return read_each(of, rows, [&](std::uint32_t number) {
            speakers_->add(number, pg::find_in<pg::Text>(slot_.get(), columns_.role - 1),
                           speaker_of(pg::get_in<pg::Json>(slot_.get(), columns_.metadata - 1)),
                           found);
        });
    find_speakers.each(
        pg::SnapshotOf::caller, {tenant_, uuids(ids_of(of, rows, memory_)), table_.table().id()},
        [&](const pg::Row &row) {
            const auto [id, role, speaker] =
                row.get<pg::Uuid, std::optional<pg::Text>, std::optional<pg::Text>>();
            speakers_->add(*rows.find(row_id(id)), role, speaker, found);
        });
}

void EpisodeRows::find_pairs(std::span<const std::uint32_t> of, const rank::KnownRows &rows,
                             std::pmr::vector<rank::RowTerm> &found) {
    if (order_ == nullptr || of.empty())
        return;
    if (table_.readable_whole())
        return read_each(of, rows, [&](std::uint32_t number) {
            const auto content = pg::find_in<pg::Text>(slot_.get(), columns_.content - 1);
            const auto response = pg::find_in<pg::Text>(slot_.get(), columns_.response - 1);
            order_->add(
                number,
                episodes::recalled_text(content.value_or(""), response.value_or(""), memory_),
                found);
        });
    each_text(tenant_, ids_of(of, rows, memory_),
              [&](const rank::RowId &id, std::string_view text) {
                  order_->add(*rows.find(id), text, found);
              });
}

} // namespace memory::recall
