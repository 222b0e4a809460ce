// memory.traverse: level by level from the seeds. A level is one statement for all entities that it
// starts from, whatever the number of paths that lead to them.
#include "facts/graph.h"

#include "facts/read.h"
#include "facts/tables.h"
#include "pg/error.h"
#include "pg/memory.h"
#include "schema/require.h"

extern "C" {
#include "utils/array.h"
}

#include <set>
#include <unordered_map>

#define ALIASES(a) "memory.entity_aliases " a " WHERE " OF_TENANT(a)

namespace memory::facts {

namespace {

using pg::Parameter;
using pg::Statement;

// $3: keys. What each is an alias of, else itself.
constinit Statement find_roots(
    "SELECT coalesce(a.kept_key, k.key), coalesce(a.kept, (SELECT f.subject FROM memory.facts f"
    "  WHERE " OF_TENANT(
        "f") " AND f.subject_key OPERATOR(pg_catalog.=) k.key LIMIT 1),"
             " (SELECT f.object FROM memory.facts f WHERE " OF_TENANT(
                 "f") "  AND f.object_key OPERATOR(pg_catalog.=) k.key LIMIT 1), k.key) "
                      "FROM pg_catalog.unnest($3) WITH ORDINALITY AS k(key, place)"
                      " LEFT JOIN memory.entity_aliases a ON " OF_TENANT(
                          "a") "  AND a.alias_key OPERATOR(pg_catalog.=) k.key ORDER BY k.place");

// $3: entities, $4 valid at, $5 known at. From each, by all its names, along facts both ways.
#define EDGES(known)                                                                               \
    Statement(                                                                                     \
        "SELECT r.key, coalesce(o.kept_key, e.key), coalesce(o.kept, e.shown), e.id,"              \
        " e.predicate, e.forward, e.valid_from "                                                   \
        "FROM pg_catalog.unnest($3) AS r(key)"                                                     \
        " CROSS JOIN LATERAL (SELECT r.key AS name UNION ALL SELECT a.alias_key FROM " ALIASES(    \
            "a") " AND a.kept_key OPERATOR(pg_catalog.=) r.key) n"                                 \
                 " CROSS JOIN LATERAL (SELECT f.object_key AS key, f.object AS shown, f.id,"       \
                 "   f.predicate, true AS forward, f.valid_from FROM memory.facts f"               \
                 "   WHERE " OF_TENANT(                                                            \
                     "f") " AND f.subject_key OPERATOR(pg_catalog.=) n.name" known                 \
                     VALID_AT(                                                                     \
                         "f",                                                                      \
                         "$4") "  UNION ALL SELECT f.subject_key, f.subject, f.id, f.predicate, "  \
                               "false,"                                                            \
                               "   f.valid_from FROM memory.facts f"                               \
                               "   WHERE " OF_TENANT(                                              \
                                   "f") " AND f.object_key OPERATOR(pg_catalog.=) n.name" known    \
                                   VALID_AT(                                                       \
                                       "f",                                                        \
                                       "$4") ") e"                                                 \
                                             " LEFT JOIN memory.entity_aliases o ON " OF_TENANT(   \
                                                 "o") "  AND o.alias_key OPERATOR(pg_catalog.=) "  \
                                                      "e.key")

constinit Statement find_edges_now = EDGES(KNOWN_NOW("f"));
constinit Statement find_edges_then = EDGES(KNOWN_AT("f", "$5"));

Datum text_array(std::span<const std::string_view> texts) {
    return pg::call([texts] {
        auto *values = static_cast<Datum *>(palloc(texts.size() * sizeof(Datum)));
        for (std::size_t i = 0; i < texts.size(); ++i)
            values[i] = PointerGetDatum(
                cstring_to_text_with_len(texts[i].data(), static_cast<int>(texts[i].size())));
        return PointerGetDatum(construct_array(values, static_cast<int>(texts.size()), TEXTOID, -1,
                                               false, TYPALIGN_INT));
    });
}

std::string_view text_in(const pg::Rows &rows, std::uint64_t row, int column) {
    return pg::copied_text(rows.get<pg::Text>(row, column));
}

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
        std::int32_t depth;
        Edge by;
    };

    // The order of a level: the newest first, which the ids decide between facts of one instant,
    // and the order of the paths before where two end in the same fact.
    static bool comes_before(const Step &a, const Step &b) {
        if (a.by.valid_from != b.by.valid_from)
            return a.by.valid_from > b.by.valid_from;
        if (const int order = std::memcmp(&a.by.fact, &b.by.fact, UUID_LEN); order != 0)
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
    const std::array parameters{walk_.tenant.name_space_parameter(), walk_.tenant.user_parameter(),
                                Parameter::of(TEXTARRAYOID, text_array(seed_keys))};
    const pg::Rows rows = find_roots.run(parameters, pg::Access::read);
    std::pmr::set<std::string_view> entities(memory_);
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        pg::check_for_interrupts();
        Edge seed{};
        seed.to = text_in(rows, row, 0);
        seed.shown = text_in(rows, row, 1);
        if (entities.insert(seed.to).second)
            steps_.push_back({none, 0, seed});
    }
    seeds_ = steps_.size();
}

void Paths::go() {
    std::size_t level = 0;
    for (std::int32_t hop = 0; hop < walk_.hops; ++hop) {
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
    const std::array parameters{walk_.tenant.name_space_parameter(), walk_.tenant.user_parameter(),
                                Parameter::of(TEXTARRAYOID, text_array(entities)),
                                Parameter::of(TIMESTAMPTZOID, walk_.valid_at),
                                Parameter::of(TIMESTAMPTZOID, walk_.known_at)};
    const pg::Rows rows =
        (walk_.known_at ? find_edges_then : find_edges_now).run(parameters, pg::Access::read);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        edges.find(text_in(rows, row, 0))
            ->second.push_back({text_in(rows, row, 1), text_in(rows, row, 2), text_in(rows, row, 4),
                                rows.get<pg::Bool>(row, 5), rows.get<pg::Uuid>(row, 3),
                                rows.get<pg::Time>(row, 6)});
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
    const std::array values{pg::to_datum(path), pg::to_datum(last.depth),
                            pg::to_datum(last.by.shown), uuid_array(facts)};
    constexpr std::array<bool, 4> nulls{};
    result.add(values, nulls);
}

void Paths::show(pg::ResultSet &result) const {
    const std::size_t most = static_cast<std::size_t>(walk_.most_paths);
    for (const Step &step :
         std::span(steps_).subspan(seeds_, std::min(most, steps_.size() - seeds_)))
        show(step, result);
}

} // namespace

std::int32_t hop_limit(const pg::Arguments &arguments, int n) {
    constexpr int most_hops = 10;
    const std::int32_t hops = arguments.has(n) ? DatumGetInt32(arguments.datum(n)) : 2;
    if (hops < 1 || hops > most_hops)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "hops must be between 1 and %d, not %d",
                        most_hops, hops);
    return hops;
}

void walk_from(std::span<const std::string_view> seed_keys, const Walk &walk,
               pg::ResultSet &result) {
    pg::TemporaryContext memory("memory.traverse");
    const pg::SwitchedContext switched(memory.get());
    Paths paths(walk, memory.resource());
    paths.start_at(seed_keys);
    paths.go();
    paths.show(result);
}

namespace {

// The keys of the texts in an array, without NULLs.
std::pmr::vector<std::string_view> keys_of(Datum array, std::pmr::memory_resource *memory) {
    struct Elements {
        Datum *values;
        bool *nulls;
        int count;
    };
    const Elements all = pg::call([array] {
        Elements found{};
        deconstruct_array(DatumGetArrayTypeP(array), TEXTOID, -1, false, TYPALIGN_INT,
                          &found.values, &found.nulls, &found.count);
        return found;
    });
    std::pmr::vector<std::string_view> keys(memory);
    for (int i = 0; i < all.count; ++i) {
        pg::check_for_interrupts();
        if (!all.nulls[i])
            keys.push_back(entity_key(pg::text_view(all.values[i])));
    }
    return keys;
}

} // namespace

MEMORY_FUNCTION(memory_traverse) {
    if (!arguments.has(0))
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "seeds must not be null");
    const std::int32_t hops = hop_limit(arguments, 1);
    const std::int32_t k = row_limit(arguments, 2, 50);
    schema::require(schema::Need::to_read, room);
    pg::ResultSet result(arguments);
    const pg::Spi spi;
    const Walk walk{access::reading_tenant(arguments.text(3)), hops, k, arguments.optional(4),
                    known_at(arguments, 5)};
    pg::ContextResource memory(CurrentMemoryContext);
    walk_from(keys_of(arguments.datum(0), &memory), walk, result);
    return Datum{0};
}

} // namespace memory::facts
