// Reads texts by id, analyzes them, and compares their terms.
#include "recall/texts.h"

#include "pg/statement.h"
#include "recall/sql.h"

#include <cmath>

namespace memory::recall {

namespace {

MEMORY_STATEMENT(find_texts, R"(
    SELECT e.id, memory_internal.episode_text(e.content, e.response) FROM memory.episodes e
    WHERE {tenant:e} AND e.id = ANY ($3))"_sql,
                 pg::Statement::once);

// Those that are picked first stand near the beginning of a ranking.
constexpr std::size_t texts_at_once = 16;

double square(const index::TextTerms &text) {
    double sum = 0;
    for (const auto &[term, count] : text.counts)
        sum += static_cast<double>(count) * count;
    return sum;
}

// Both are in the order of their terms.
double dot(const index::TextTerms &one, const index::TextTerms &other) {
    double sum = 0;
    auto a = one.counts.begin();
    auto b = other.counts.begin();
    while (a != one.counts.end() && b != other.counts.end()) {
        const int order = a->first.compare(b->first);
        if (order == 0)
            sum += static_cast<double>(a->second) * b->second;
        a += order <= 0 ? 1 : 0;
        b += order >= 0 ? 1 : 0;
    }
    return sum;
}

} // namespace

void each_text(const access::Tenant &tenant, std::span<const rank::RowId> ids,
               const std::function<void(const rank::RowId &, std::string_view)> &take) {
    find_texts.each(pg::SnapshotOf::caller, {tenant, uuids(ids)}, [&](const pg::Row &row) {
        const auto [id, text] = row.get<pg::Uuid, pg::Text>();
        take(row_id(id), text);
    });
}

std::pmr::vector<index::TextTerms> terms_of_episodes(const access::Tenant &tenant, Relation by_text,
                                                     std::span<const rank::RowId> ids,
                                                     std::pmr::memory_resource *memory) {
    std::pmr::vector<index::TextTerms> found(memory);
    rank::Positions<rank::RowId> places(memory);
    for (const rank::RowId &id : ids) {
        places.put(id, static_cast<std::uint32_t>(found.size()));
        found.emplace_back(memory);
    }
    each_text(tenant, ids, [&](const rank::RowId &id, std::string_view text) {
        found[*places.find(id)] = index::terms_of(by_text, text, memory);
    });
    return found;
}

Likeness::Likeness(const access::Tenant &tenant, Relation by_text, std::span<const rank::RowId> ids,
                   std::pmr::memory_resource *memory)
    : tenant_(tenant), by_text_(by_text), ids_(ids), memory_(memory),
      read_((ids.size() + texts_at_once - 1) / texts_at_once, memory) {}

const Likeness::Text &Likeness::text(std::size_t place) {
    const std::size_t part = place / texts_at_once;
    std::pmr::vector<Text> &texts = read_[part];
    if (texts.empty()) {
        const auto rest = ids_.subspan(part * texts_at_once);
        const auto its = rest.first(std::min(rest.size(), texts_at_once));
        for (index::TextTerms &terms : terms_of_episodes(tenant_, by_text_, its, memory_)) {
            const double its_square = square(terms);
            texts.push_back({std::move(terms), its_square});
        }
    }
    return texts[place % texts_at_once];
}

double Likeness::operator()(std::size_t one, std::size_t other) {
    const Text &a = text(one);
    const Text &b = text(other);
    const double both = dot(a.terms, b.terms);
    return both > 0 ? both / std::sqrt(a.square * b.square) : 0;
}

} // namespace memory::recall
