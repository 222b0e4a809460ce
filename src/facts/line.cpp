// One line while it is changed: the algebra (algebra/line.h) applied to versions with their texts,
// confidences and sources.
#include "facts/lines.h"

#include "pg/error.h"
#include "pg/uuid7.h"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace memory::facts {

namespace {

bool contains(pg::Document whole, pg::Document part) {
    return pg::call(
        [=] { return DatumGetBool(DirectFunctionCall2(jsonb_contains, whole.jsonb, part.jsonb)); });
}

pg::Document joined(pg::Document older, pg::Document newer) {
    return {pg::call([=] { return DirectFunctionCall2(jsonb_concat, older.jsonb, newer.jsonb); })};
}

pg::Document empty_object() {
    return {pg::call([] { return DirectFunctionCall1(jsonb_in, CStringGetDatum("{}")); })};
}

// Both are sorted.
std::span<const pg_uuid_t> united(std::span<const pg_uuid_t> a, std::span<const pg_uuid_t> b) {
    if (a.empty() || b.empty())
        return a.empty() ? b : a;
    auto *all = static_cast<pg_uuid_t *>(
        pg::call([&] { return palloc((a.size() + b.size()) * sizeof(pg_uuid_t)); }));
    return {all, std::set_union(a.begin(), a.end(), b.begin(), b.end(), all, pg::ById{})};
}

// Whether `version` says all that `fact` does, but for the time.
bool says(const Version &version, const Fact &fact) {
    return version.confidence >= fact.confidence &&
           std::includes(version.sources.begin(), version.sources.end(), fact.sources.begin(),
                         fact.sources.end(), pg::ById{}) &&
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

algebra::Object Current::number(std::string_view object_key) {
    const auto next = static_cast<algebra::Object>(numbers_.size());
    return numbers_.try_emplace(object_key, next).first->second;
}

std::size_t Current::before(Instant from) const {
    const auto first =
        std::partition_point(spans_.begin(), spans_.end(),
                             [from](const algebra::Held &one) { return one.valid.from < from; });
    return static_cast<std::size_t>(first - spans_.begin());
}

std::size_t Current::index_of(std::size_t place, Instant from) const {
    const std::size_t index = before(from);
    if (index == spans_.size() || places_[index] != place)
        throw pg::Error(ERRCODE_INTERNAL_ERROR, "a current fact is not among those of its line");
    return index;
}

void Current::add(Span valid, algebra::Object object, std::size_t place) {
    const auto index = static_cast<std::ptrdiff_t>(before(valid.from));
    spans_.insert(spans_.begin() + index, {valid, object});
    places_.insert(places_.begin() + index, place);
}

void Current::drop(std::span<const std::size_t> ended) {
    if (ended.empty())
        return;
    std::size_t kept = ended.front();
    for (std::size_t index = kept; index < spans_.size(); ++index) {
        if (!ended.empty() && ended.front() == index) {
            ended = ended.subspan(1);
            continue;
        }
        spans_[kept] = spans_[index];
        places_[kept++] = places_[index];
    }
    spans_.resize(kept);
    places_.resize(kept);
}

void Current::clear() {
    spans_.clear();
    places_.clear();
}

void Line::add_current(const Version &version) {
    current_.add(version.valid, current_.number(version.object.key), versions_.size());
    versions_.push_back(version);
}

void Line::forget_versions() {
    current_.clear();
    versions_.clear();
}

bool Line::is_rejected(std::string_view object_key) const {
    return std::find(rejected_.begin(), rejected_.end(), object_key) != rejected_.end();
}

bool Line::is_enough_for(const Fact &fact) const {
    const Instant end = fact.until ? *fact.until : algebra::open_end(current_.all(), fact.from);
    return versions_.back().valid.from > end;
}

void Line::end(std::span<const std::size_t> held, Instant known) {
    for (const std::size_t index : held)
        versions_[current_.place(index)].known_until = known;
    current_.drop(held);
}

void Line::apply(const algebra::Change &change, Instant known) {
    std::pmr::vector<Version> rests(memory_);
    for (const algebra::Remnant &remnant : change.remnants) {
        Version &rest = rests.emplace_back(versions_[current_.place(remnant.of)]);
        rest.id = pg::new_id();
        rest.valid = remnant.valid;
        rest.known_from = known;
        ItemPointerSetInvalid(&rest.row);
    }
    end(change.ended, known);
    for (const Version &rest : rests)
        add_current(rest);
}

pg_uuid_t Line::hold(const Fact &fact) { return hold(fact, next_known_++); }

pg_uuid_t Line::hold(const Fact &fact, Instant known) {
    const Span asked{fact.from,
                     fact.until ? *fact.until : algebra::open_end(current_.all(), fact.from)};
    const algebra::Assertion assertion =
        algebra::assert_in(current_.all(), current_.number(fact.object.key), asked, memory_);
    if (assertion.ended.size() == 1 && assertion.taken_up.size() == 1) {
        const Version &there = versions_[current_.place(assertion.taken_up.front())];
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
    for (const std::size_t held : assertion.taken_up)
        take_up(version, versions_[current_.place(held)]);
    apply(assertion, known);
    add_current(version);
    return version.id;
}

std::int64_t Line::take_out(std::optional<std::string_view> object_key, Span span) {
    std::optional<algebra::Object> object;
    if (object_key)
        object = current_.number(*object_key);
    const algebra::Change change = algebra::retract_in(current_.all(), object, span, memory_);
    apply(change, next_known_++);
    return static_cast<std::int64_t>(change.ended.size());
}

pg_uuid_t Line::replace(std::size_t index, const Fact &fact) {
    const Instant known = next_known_++;
    const std::size_t held = current_.index_of(index, versions_[index].valid.from);
    end({&held, 1}, known);
    return hold(fact, known);
}

} // namespace memory::facts
