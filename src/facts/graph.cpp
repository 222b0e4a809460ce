// memory.traverse: level by level from the seeds. A level is one statement for all entities that it
// starts from, whatever the number of paths that lead to them.
#include "facts/graph.h"

#include "facts/read.h"
#include "facts/sql.h"
#include "pg/memory.h"
#include "pg/statement.h"

#include <set>
#include <unordered_map>

namespace memory::facts {

namespace {

using pg::SnapshotOf;

// $3: keys. What each is an alias of, else itself.
MEMORY_STATEMENT(find_roots, R"(
    SELECT coalesce(a.kept_key, k.key), coalesce(a.kept,
        (SELECT f.subject FROM memory.facts f WHERE {tenant:f} AND f.subject_key = k.key LIMIT 1),
        (SELECT f.object FROM memory.facts f WHERE {tenant:f} AND f.object_key = k.key LIMIT 1),
        k.key)
    FROM unnest($3::text[]) WITH ORDINALITY AS k (key, place)
        LEFT JOIN memory.entity_aliases a ON {tenant:a} AND a.alias_key = k.key
    ORDER BY k.place)"_sql);

// $3: entities, $4 valid at, and {0} says as known when. From each, by all its names, along facts
// both ways.
constexpr pg::sql::Fragment all_edges[]{{"edges", R"(
    SELECT r.key, coalesce(o.kept_key, e.key), coalesce(o.kept, e.shown), e.id, e.predicate,
        e.forward, e.valid_from
    FROM unnest($3::text[]) AS r (key)
        CROSS JOIN LATERAL (
            SELECT r.key AS name
            UNION ALL
            SELECT a.alias_key FROM memory.entity_aliases a
            WHERE {tenant:a} AND a.kept_key = r.key) n
        CROSS JOIN LATERAL (
            SELECT f.object_key AS key, f.object AS shown, f.id, f.predicate, true AS forward,
                f.valid_from
            FROM memory.facts f
            WHERE {tenant:f} AND f.subject_key = n.name AND {0} AND {valid_at:f,$4}
            UNION ALL
            SELECT f.subject_key, f.subject, f.id, f.predicate, false, f.valid_from
            FROM memory.facts f
            WHERE {tenant:f} AND f.object_key = n.name AND {0} AND {valid_at:f,$4}) e
        LEFT JOIN memory.entity_aliases o ON {tenant:o} AND o.alias_key = e.key)"}};

MEMORY_STATEMENT(find_edges_now,
                 pg::compose<"{edges:{known_now:f}}", access::fragments, fragments, all_edges>());
MEMORY_STATEMENT(find_edges_then,
                 pg::compose<"{edges:{known_at:f,$5}}", access::fragments, fragments, all_edges>());

// A fact seen from one of its ends.
struct Edge {
    std::string_view to; // an entity's key
    std::string_view shown;
    std::string_view predicate;
    bool forward;
    pg_uuid_t fact;
    Instant valid_from;
};

class Paths {
  public:
    Paths(const Walk &walk, std::pmr::memory_resource *memory)
        : walk_(walk), memory_(memory), steps_(memory) {}

    void start_at(std::span<const std::string_view> seed_keys);
    // Goes on until there is nothing further, or enough.
    void go();
    void show(pg::ResultSet &result) const;

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    using Edges = std::pmr::unordered_map<std::string_view, std::pmr::vector<Edge>>;

    // The end of a path: the rest of it are the steps before.
    struct Step {
        std::size_t before;
        std::int64_t depth;
        Edge by;
    };

    // The order of a level: the newest first, which the ids decide between facts of one instant,
    // and the order of the paths before where two end in the same fact.
    static bool comes_before(const Step &a, const Step &b) {
        if (a.by.valid_from != b.by.valid_from)
            return a.by.valid_from > b.by.valid_from;
        if (const int order = pg::compare(a.by.fact, b.by.fact); order != 0)
            return order > 0;
        return a.before < b.before;
    }

    Edges edges_from(std::size_t level) const;
    void extend(std::size_t level, std::size_t room);
    void keep_first(std::size_t level, std::size_t room);
    bool passes(std::size_t step, std::string_view entity) const;
    void show(const Step &step, pg::ResultSet &result) const;

    const Walk &walk_;
    std::pmr::memory_resource *memory_;
    std::pmr::vector<Step> steps_; // level after level, each in the order of its results
    std::size_t seeds_ = 0;
};

void Paths::start_at(std::span<const std::string_view> seed_keys) {
    const pg::Rows rows = find_roots.run(SnapshotOf::caller, {walk_.tenant, seed_keys});
    std::pmr::set<std::string_view> entities(memory_);
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        pg::check_for_interrupts();
        const auto [key, shown] = rows.get<pg::Text, pg::Text>(row);
        Edge seed{};
        seed.to = pg::copied_text(key);
        seed.shown = pg::copied_text(shown);
        if (entities.insert(seed.to).second)
            steps_.push_back({none, 0, seed});
    }
    seeds_ = steps_.size();
}

void Paths::go() {
    std::size_t level = 0;
    for (std::int64_t hop = 0; hop < walk_.hops; ++hop) {
        const std::size_t next = steps_.size();
        const std::size_t found = next - seeds_;
        if (next == level || found >= static_cast<std::size_t>(walk_.most_paths))
            return;
        extend(level, static_cast<std::size_t>(walk_.most_paths) - found);
        level = next;
    }
}

// The facts of all entities that the steps from `level` on have come to.
Paths::Edges Paths::edges_from(std::size_t level) const {
    Edges edges(memory_);
    std::pmr::vector<std::string_view> entities(memory_);
    for (const Step &step : std::span(steps_).subspan(level))
        if (edges.try_emplace(step.by.to).second)
            entities.push_back(step.by.to);
    const pg::Rows rows =
        (walk_.known_at ? find_edges_then : find_edges_now)
            .run(SnapshotOf::caller, {walk_.tenant, entities, walk_.valid_at, walk_.known_at});
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [from, to, shown, fact, predicate, forward, valid_from] =
            rows.get<pg::Text, pg::Text, pg::Text, pg::Uuid, pg::Text, pg::Bool, pg::Time>(row);
        edges.find(from)->second.push_back({pg::copied_text(to), pg::copied_text(shown),
                                            pg::copied_text(predicate), forward, fact, valid_from});
    }
    return edges;
}

bool Paths::passes(std::size_t step, std::string_view entity) const {
    for (; step != none; step = steps_[step].before)
        if (steps_[step].by.to == entity)
            return true;
    return false;
}

// Of the steps from `level` on, those that come first.
void Paths::keep_first(std::size_t level, std::size_t room) {
    if (steps_.size() - level <= room)
        return;
    const auto begin = steps_.begin() + static_cast<std::ptrdiff_t>(level);
    const auto end = begin + static_cast<std::ptrdiff_t>(room);
    std::nth_element(begin, end, steps_.end(), comes_before);
    steps_.erase(end, steps_.end());
}

// The paths of the level by one fact more, of which `room` are wanted. A dense graph has many times
// more than that, which no memory holds: what cannot be among them any more goes at once.
void Paths::extend(std::size_t level, std::size_t room) {
    const Edges edges = edges_from(level);
    const std::size_t next = steps_.size();
    for (std::size_t step = level; step < next; ++step) {
        pg::check_for_interrupts();
        for (const Edge &edge : edges.find(steps_[step].by.to)->second)
            if (!passes(step, edge.to))
                steps_.push_back({step, steps_[step].depth + 1, edge});
        if (steps_.size() - next > 2 * room)
            keep_first(next, room);
    }
    keep_first(next, room);
    std::sort(steps_.begin() + static_cast<std::ptrdiff_t>(next), steps_.end(), comes_before);
}

void Paths::show(const Step &last, pg::ResultSet &result) const {
    std::pmr::vector<const Step *> steps(memory_);
    for (const Step *step = &last;; step = &steps_[step->before]) {
        steps.push_back(step);
        if (step->before == none)
            break;
    }
    std::pmr::string path(steps.back()->by.shown, memory_);
    std::pmr::vector<pg_uuid_t> facts(memory_);
    for (auto step = steps.rbegin() + 1; step != steps.rend(); ++step) {
        const Edge &edge = (*step)->by;
        path.append(edge.forward ? " -" : " <-");
        path.append(edge.predicate).append(edge.forward ? "-> " : "- ").append(edge.shown);
        facts.push_back(edge.fact);
    }
    result.add({std::string_view(path), last.depth, last.by.shown, facts});
}

void Paths::show(pg::ResultSet &result) const {
    const std::size_t most = static_cast<std::size_t>(walk_.most_paths);
    for (const Step &step :
         std::span(steps_).subspan(seeds_, std::min(most, steps_.size() - seeds_)))
        show(step, result);
}

} // namespace

void walk_from(std::span<const std::string_view> seed_keys, const Walk &walk,
               pg::ResultSet &result) {
    pg::TemporaryContext memory("memory.traverse");
    const pg::SwitchedContext switched(memory.get());
    Paths paths(walk, memory.resource());
    paths.start_at(seed_keys);
    paths.go();
    paths.show(result);
}

MEMORY_CALL(memory_traverse, "seeds text[], hops bigint, k bigint, user_id text,"
                             " valid_at timestamptz, known_at timestamptz") {
    const std::span<const std::string_view> seeds = call.texts_there("seeds").required();
    const std::int64_t hops = call.bigint("hops").between(1, most_hops).or_else(2);
    const std::int64_t k = access::row_limit(call.bigint("k"));
    access::Reading reading(call, room);
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<std::string_view> keys(&memory);
    for (const std::string_view seed : seeds) {
        pg::check_for_interrupts();
        keys.push_back(entity_key(seed));
    }
    walk_from(
        keys,
        {reading.tenant(), hops, k, call.instant("valid_at"), known_at(call.instant("known_at"))},
        reading.rows());
    return call.nothing();
}

} // namespace memory::facts
