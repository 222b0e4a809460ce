// Compares all vectors or asks the index, whichever the settings and sizes say, and keeps the best.
#include "recall/vectors.h"

#include "access/direct.h"
#include "index/nearest_codes.h"
#include "models/comparison.h"
#include "pg/statement.h"
#include "recall/settings.h"
#include "recall/sql.h"
#include "recall/vector_index.h"
#include "recall/vector_scan.h"

#include <cmath>

namespace memory::recall {

namespace {

using pg::SnapshotOf;

// The vector index is asked for so many, and believed when the best of them are in the first
// quarter: then three times as many more have brought nothing better.
constexpr std::size_t nearest_per_row = 40;
constexpr std::size_t least_nearest = 400;
constexpr std::size_t believed_part = 4;

std::size_t asked_for(std::size_t best) { return std::max(least_nearest, nearest_per_row * best); }

MEMORY_STATEMENT(find_all, R"(
    SELECT v.episode_id, v.embedding FROM memory.embeddings v WHERE {of_model:v})"_sql);

MEMORY_STATEMENT(find_some, R"(
    SELECT v.episode_id, v.embedding FROM memory.embeddings v
    WHERE {of_model:v} AND v.episode_id = ANY ($4))"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(find_beyond, R"(
    SELECT 1 FROM memory.embeddings v WHERE {of_model:v} OFFSET $4 LIMIT 1)"_sql);

// Up to how many vectors of a tenant all are compared rather than `count` asked of the index. To
// come to one of the tenant's, the index passes all rows / the tenant's rows; passing one takes as
// long as comparing 36, which was measured. So both ways take as long where the tenant's rows are
// 6 √(count · all rows), and twice that is where the index is worth its uncertainty.
std::size_t most_compared(const VectorScan &scan, std::size_t count) {
    if (const auto told = exact_vector_rows())
        return static_cast<std::size_t>(*told);
    constexpr double share = 12;
    const auto asked = static_cast<double>(count);
    // A tenant whose rows are all that there are.
    const double alone = share * share * asked;
    return static_cast<std::size_t>(std::max(alone, share * std::sqrt(asked * scan.rows_of_all())));
}

// Whether the tenant has more vectors than `most`.
bool has_more_than(std::size_t most, const access::Tenant &tenant, std::string_view model,
                   VectorScan &scan) {
    if (scan.allowed())
        return scan.find(most + 1) > most;
    return !find_beyond.run(SnapshotOf::caller, {tenant, model, static_cast<std::int64_t>(most)})
                .empty();
}

// The hits of one search.
class Search {
  public:
    Search(std::string_view model, const pg::Vector &embedding, double least, VectorHits &found)
        : model_(model), comparison_(model, embedding), least_(least), found_(found) {}

    void add(const pg::Row &row) {
        const pg::SwitchedContext switched(comparison_.brought());
        const auto [id, vector] = row.get<pg::Uuid, pg::Vectors>();
        add(row_id(id), vector);
    }

    void add_all(VectorScan &scan) {
        found_.reserve(scan.find());
        const pg::SwitchedContext switched(comparison_.brought());
        scan.each([this](const VectorScan::Stored &stored) { add(stored.id, *stored.vector); });
    }

    // Those that the vector index knows as nearest, of which `best` matter. False, and nothing is
    // added, when it finds too few, or so late that it may have missed some.
    bool add_nearest(const access::Tenant &tenant, const pg::Vector &embedding, std::size_t best) {
        const std::size_t count = asked_for(best);
        const pg::Rows rows = nearest(tenant, model_, embedding, count, count / believed_part);
        if (rows.size() < count)
            return false;
        VectorHits hits(found_.get_allocator());
        for (std::uint64_t row = 0; row < rows.size(); ++row) {
            const auto [id, vector] = rows.get<pg::Uuid, pg::Vectors>(row);
            hits.push_back({*comparison_.cosine(vector), row_id(id)});
        }
        if (!are_first(hits, best))
            return false;
        std::copy_if(hits.begin(), hits.end(), std::back_inserter(found_),
                     [this](const auto &hit) { return hit.score > least_; });
        return true;
    }

    // Those that may be among the `best`, or else above `least`, by an index of codes. False, and
    // nothing is added, where there is none or it rules too few rows out.
    bool add_by_codes(const access::Tenant &tenant, const pg::Vector &embedding,
                      std::optional<std::size_t> best, VectorScan &scan,
                      std::pmr::memory_resource *memory) {
        const Relation index = scan.codes();
        if (index == nullptr)
            return false;
        const std::array scope{tenant.name_space, tenant.user, model_};
        index::NearestCodes codes(index, GetActiveSnapshot(), scope, embedding.elements(),
                                  best.value_or(SIZE_MAX), least_, memory,
                                  index::NearestCodes::Hold::best);
        if (codes.codes() == 0)
            return false;
        VectorHits hits(found_.get_allocator());
        bool seen = false;
        const pg::SwitchedContext switched(comparison_.brought());
        std::array<codec::Tid, VectorScan::pages_at_once> places;
        while (const std::size_t count = codes.next(places)) {
            pg::check_for_interrupts();
            if (!codes.spare())
                return false;
            scan.each_at(std::span(places).first(count), codes.codes(),
                         [&](const VectorScan::Stored &stored) {
                             seen = true;
                             const auto cosine = comparison_.cosine(*stored.vector);
                             if (!cosine || !(*cosine > least_))
                                 return;
                             codes.keep(*cosine);
                             hits.push_back({*cosine, stored.id});
                         });
        }
        if (!seen && !has_dimensions(embedding.elements().size(), scan))
            return false;
        found_.insert(found_.end(), hits.begin(), hits.end());
        return true;
    }

    void check() const { comparison_.check(); }

  private:
    // Whether one of the first vectors has so many. There may be codes of rows that never were, and
    // all that are there of other dimensions: comparing them all says so.
    static bool has_dimensions(std::size_t dimensions, VectorScan &scan) {
        bool has = false;
        scan.find(1);
        scan.each([&](const VectorScan::Stored &stored) {
            has = has || stored.vector->elements().size() == dimensions;
        });
        return has;
    }

    void add(const rank::RowId &id, const pg::Vector &vector) {
        if (const auto cosine = comparison_.cosine(vector); cosine && *cosine > least_)
            found_.push_back({*cosine, id});
    }

    // Whether the `best` of these are in their first part, which loses its order.
    static bool are_first(VectorHits &hits, std::size_t best) {
        const auto better = [](const auto &a, const auto &b) { return a.score > b.score; };
        const auto later = hits.begin() + static_cast<std::ptrdiff_t>(hits.size() / believed_part);
        const auto last = hits.begin() + static_cast<std::ptrdiff_t>(best - 1);
        std::nth_element(hits.begin(), last, later, better);
        return std::none_of(later, hits.end(), [&](const auto &hit) { return better(hit, *last); });
    }

    std::string_view model_;
    models::Comparison comparison_;
    double least_;
    VectorHits &found_;
};

} // namespace

VectorHits similar(const access::Tenant &tenant, std::string_view model,
                   const pg::Vector &embedding, double least, std::optional<std::size_t> best,
                   Use use, std::pmr::memory_resource *memory) {
    VectorHits found(memory);
    Search search(model, embedding, least, found);
    VectorScan scan(tenant, model, GetActiveSnapshot(), memory);
    if (use == Use::nearest && search.add_by_codes(tenant, embedding, best, scan, memory)) {
        search.check();
        return found;
    }
    if (best && has_vector_index(model) &&
        has_more_than(most_compared(scan, asked_for(*best)), tenant, model, scan) &&
        search.add_nearest(tenant, embedding, *best))
        return found;
    if (scan.allowed())
        search.add_all(scan);
    else
        find_all.each(SnapshotOf::caller, {tenant, model},
                      [&](const pg::Row &row) { search.add(row); });
    search.check();
    return found;
}

std::optional<std::pmr::vector<const pg::Vector *>>
embeddings_of(const access::Tenant &tenant, std::string_view model,
              std::span<const rank::RowId> ids, std::pmr::memory_resource *memory) {
    const auto some = [&](std::span<const rank::RowId> of) {
        return access::reading(find_some, tenant)
            .run(SnapshotOf::caller, {tenant, model, uuids(of)});
    };
    // Where there are no embeddings, the first row says so by itself.
    if (ids.size() > 1 && some(ids.first(1)).empty())
        return std::nullopt;
    rank::Positions<rank::RowId> places(memory);
    for (std::uint32_t place = 0; place < ids.size(); ++place)
        places.put(ids[place], place);
    const pg::Rows rows = some(ids);
    if (rows.size() < ids.size())
        return std::nullopt;
    std::pmr::vector<const pg::Vector *> found(ids.size(), memory);
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto &[id, vector] = rows.get<pg::Uuid, pg::Vectors>(row);
        found[*places.find(row_id(id))] = &vector;
    }
    return found;
}

} // namespace memory::recall
