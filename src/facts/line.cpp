// One line while it is changed: the algebra (algebra/line.h) applied to versions with their texts,
// confidences and sources.
#include "facts/lines.h"

#include "pg/error.h"
#include "pg/uuid7.h"

extern "C" {
#include "utils/fmgrprotos.h"
}

#include <unordered_map>

namespace memory::facts {

namespace {

bool contains(Datum whole, Datum part) {
    return pg::call([=] { return DatumGetBool(DirectFunctionCall2(jsonb_contains, whole, part)); });
}

Datum joined(Datum older, Datum newer) {
    return pg::call([=] { return DirectFunctionCall2(jsonb_concat, older, newer); });
}

Datum empty_object() {
    return pg::call([] { return DirectFunctionCall1(jsonb_in, CStringGetDatum("{}")); });
}

// Both are sorted.
struct ById {
    bool operator()(const pg_uuid_t &a, const pg_uuid_t &b) const noexcept {
        return std::memcmp(&a, &b, sizeof a) < 0;
    }
};

std::span<const pg_uuid_t> united(std::span<const pg_uuid_t> a, std::span<const pg_uuid_t> b) {
    if (a.empty() || b.empty())
        return a.empty() ? b : a;
    auto *all = static_cast<pg_uuid_t *>(
        pg::call([&] { return palloc((a.size() + b.size()) * sizeof(pg_uuid_t)); }));
    return {all, std::set_union(a.begin(), a.end(), b.begin(), b.end(), all, ById{})};
}

// Whether `version` says all that `fact` does, but for the time.
bool says(const Version &version, const Fact &fact) {
    return version.confidence >= fact.confidence &&
           std::includes(version.sources.begin(), version.sources.end(), fact.sources.begin(),
                         fact.sources.end(), ById{}) &&
           (!fact.metadata || contains(version.metadata, *fact.metadata));
}

// The version that is taken up was there first: its spelling stays, what is new joins it.
void take_up(Version &taker, const Version &taken) {
    taker.subject = taken.subject;
    taker.object = taken.object;
    taker.confidence = std::max(taker.confidence, taken.confidence);
    taker.sources = united(taken.sources, taker.sources);
    taker.metadata = joined(taken.metadata, taker.metadata);
}

} // namespace

// The current versions as the algebra sees them.
class Line::Current {
  public:
    Current(std::span<const Version> versions, std::pmr::memory_resource *memory)
        : numbers_(memory), held_(memory), places_(memory) {
        for (std::size_t i = 0; i < versions.size(); ++i)
            if (versions[i].current()) {
                held_.push_back({versions[i].valid, number(versions[i].object.key)});
                places_.push_back(i);
            }
    }

    algebra::Object number(std::string_view object_key) {
        const auto next = static_cast<algebra::Object>(numbers_.size());
        return numbers_.try_emplace(object_key, next).first->second;
    }
    std::span<const algebra::Held> held() const noexcept { return held_; }
    // Where a held one is among the versions.
    std::size_t place(std::size_t held) const noexcept { return places_[held]; }

  private:
    std::pmr::unordered_map<std::string_view, algebra::Object> numbers_;
    std::pmr::vector<algebra::Held> held_;
    std::pmr::vector<std::size_t> places_;
};

bool Line::keeps_out(std::string_view object_key) const {
    return std::find(rejected_.begin(), rejected_.end(), object_key) != rejected_.end();
}

bool Line::is_enough_for(const Fact &fact) const {
    Current current(versions_, memory_);
    const Instant end = fact.until ? *fact.until : algebra::open_end(current.held(), fact.from);
    return versions_.back().valid.from > end;
}

void Line::end(std::size_t index, Instant known) { versions_[index].known_until = known; }

void Line::apply(const algebra::Change &change, const Current &current, Instant known) {
    for (const std::size_t held : change.gives_way)
        end(current.place(held), known);
    for (const algebra::Remnant &remnant : change.remnants) {
        Version rest = versions_[current.place(remnant.of)];
        rest.id = pg::new_id();
        rest.valid = remnant.valid;
        rest.known_from = known;
        rest.known_until = algebra::forever;
        ItemPointerSetInvalid(&rest.row);
        versions_.push_back(rest);
    }
}

pg_uuid_t Line::hold(const Fact &fact) { return hold(fact, next_known_++); }

pg_uuid_t Line::hold(const Fact &fact, Instant known) {
    Current current(versions_, memory_);
    const algebra::Object object = current.number(fact.object.key);
    const Span asked{fact.from,
                     fact.until ? *fact.until : algebra::open_end(current.held(), fact.from)};
    const algebra::Assertion assertion = algebra::assert_in(current.held(), object, asked, memory_);
    if (assertion.gives_way.empty() && assertion.taken_up.size() == 1) {
        const Version &there = versions_[current.place(assertion.taken_up.front())];
        if (there.valid == assertion.valid && says(there, fact))
            return there.id;
    }
    Version version{fact.id ? *fact.id : pg::new_id(),
                    fact.subject,
                    fact.object,
                    assertion.valid,
                    known,
                    algebra::forever,
                    fact.confidence,
                    fact.metadata ? *fact.metadata : empty_object(),
                    fact.sources,
                    {}};
    for (const std::size_t held : assertion.taken_up) {
        take_up(version, versions_[current.place(held)]);
        end(current.place(held), known);
    }
    apply(assertion, current, known);
    versions_.push_back(version);
    return version.id;
}

int Line::take_out(std::optional<std::string_view> object_key, Span span) {
    Current current(versions_, memory_);
    std::optional<algebra::Object> object;
    if (object_key)
        object = current.number(*object_key);
    const algebra::Change change = algebra::retract_in(current.held(), object, span, memory_);
    apply(change, current, next_known_++);
    return static_cast<int>(change.gives_way.size());
}

pg_uuid_t Line::replace(std::size_t index, const Fact &fact) {
    const Instant known = next_known_++;
    end(index, known);
    return hold(fact, known);
}

} // namespace memory::facts
