// The episodes of one tenant as ranking must know them, out of the table as the snapshot sees it.
//
// Where no filter and no policy stands between the caller and the tenant's rows, they are read as
// the ranking asks for them, by the places that the recall index knows or by id, without the
// executor. Otherwise a statement says which rows there are.
#pragma once

#include "access/scope.h"
#include "pg/handles.h"
#include "rank/hybrid.h"
#include "recall/dates.h"
#include "recall/episode_table.h"
#include "recall/episode_times.h"
#include "recall/request.h"
#include "recall/row_id.h"
#include "recall/speakers.h"
#include "recall/word_order.h"

#include <map>
#include <set>
#include <unordered_map>

namespace memory::recall {

class EpisodeRows final : public rank::ConversationSource {
  public:
    // With `by_kind` a row's importance is what its age leaves of it. Needs a live Spi.
    EpisodeRows(const EpisodeTable &table, const access::Tenant &tenant, Snapshot snapshot,
                Fading fading, const std::optional<KindFading> &by_kind,
                std::pmr::memory_resource *memory);

    // All that pass. Needs a live Spi.
    std::pmr::vector<rank::Row> passing(const Filter &filter);

    // Those that have expired, by themselves or with their session, and are still there. Each once.
    std::pmr::vector<rank::Row> expired();

    // Rows of these dates are worth more than their words say.
    void prefer(std::span<const text::NamedDate> dates) {
        dates_.assign(dates.begin(), dates.end());
    }
    bool is_of_named_date(const rank::Row &row) const override {
        return is_of(row.order.time, dates_);
    }
    // Rows whose speakers the query names are found with this, or none are.
    void look_for(NamedSpeakers &speakers) { speakers_ = &speakers; }
    void find_named(std::span<const std::uint32_t> of, const rank::KnownRows &rows,
                    std::pmr::vector<rank::RowTerm> &found) override;

    std::span<const text::NamedDate> dates() const noexcept { return dates_; }

    // Words are where they are in the query by this, or nothing is said of it.
    void look_for(WordOrder &order) { order_ = &order; }
    std::span<const rank::TermPair> pairs_of_query() const override {
        return order_ == nullptr ? std::span<const rank::TermPair>() : order_->pairs();
    }
    void find_pairs(std::span<const std::uint32_t> of, const rank::KnownRows &rows,
                    std::pmr::vector<rank::RowTerm> &found) override;

    void pause() override { pg::check_for_interrupts(); }

    // Rows that have expired do not come.
    void fetch(std::span<const std::uint64_t> places, rank::KnownRows &rows) override;
    void fetch(std::span<const rank::RowId> ids, rank::KnownRows &rows) override;

    // Only where the caller may read the whole table: expired rows come, too.
    bool knows_times() const override { return true; }
    void lasting(std::pmr::vector<rank::Dated> &rows) override;
    void newest(std::size_t count, std::pmr::vector<rank::Dated> &rows) override;

    // Needs a live Spi. Filters do not apply: rows that are not ranked lend all the same.
    void neighbours(std::span<const std::uint32_t> of, rank::KnownRows &rows,
                    std::pmr::vector<rank::Neighbours> &pairs) override;

  private:
    struct Columns {
        AttrNumber id;
        AttrNumber occurred_at;
        AttrNumber session_id;
        AttrNumber importance;
        AttrNumber expires_at;
        AttrNumber kind;
        AttrNumber role;
        AttrNumber metadata;
        AttrNumber content;
        AttrNumber response;
    };
    // What {row:e} says of a row.
    struct Said {
        ItemPointerData tid;
        pg_uuid_t id;
        TimestampTz occurred_at;
        std::optional<std::string_view> session;
        double importance;
        std::string_view kind;
        std::optional<std::string_view> role;
    };

    class Neighbourhood;

    void ask_for_neighbours(std::span<const std::uint32_t> of, rank::KnownRows &rows,
                            std::pmr::vector<rank::Neighbours> &pairs);
    static void add_pairs(std::span<std::pair<std::uint32_t, rank::Row>> found,
                          const rank::KnownRows &rows, std::pmr::vector<rank::Neighbours> &pairs);
    bool read(TupleTableSlot *slot, std::uint64_t place, rank::Row &row);
    template <class Take>
    void read_each(std::span<const std::uint32_t> of, const rank::KnownRows &rows, Take &&take);
    void find_over();
    void add_of_over(std::pmr::vector<rank::Row> &rows);
    bool is_over(const std::optional<std::string_view> &session) const {
        return session && !over_.empty() && over_.contains(*session);
    }
    rank::Row made_of(const Said &said);
    double faded(double importance, std::string_view kind, TimestampTz occurred_at) const;
    bool fades(std::string_view kind) const {
        return fading_ == Fading::all || kind == fading_kind;
    }
    std::uint32_t session_number(std::string_view session);
    void find_roots(std::span<rank::Row> rows);

    const EpisodeTable &table_;
    const access::Tenant &tenant_;
    Snapshot snapshot_;
    std::pmr::memory_resource *memory_;
    Fading fading_;
    const std::optional<KindFading> &by_kind_;
    Columns columns_;
    pg::Slot slot_;
    TimestampTz now_;
    std::pmr::vector<text::NamedDate> dates_;
    NamedSpeakers *speakers_ = nullptr;
    WordOrder *order_ = nullptr;
    std::pmr::set<std::pmr::string, std::less<>> over_; // sessions that have expired
    std::optional<EpisodeTimes> by_time_;               // once newest() was called
    std::pmr::deque<std::pmr::string> sessions_;        // by number, from 1
    std::pmr::unordered_map<std::string_view, std::uint32_t> session_numbers_;
};

} // namespace memory::recall
