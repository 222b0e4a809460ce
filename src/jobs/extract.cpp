// The task extract: facts of an episode.
//
// What a model says is the word of whatever wrote the episode: it becomes facts of the episode's
// own user, through the same checks as a caller's, and nothing else.
#include "jobs/sql.h"
#include "jobs/work.h"

#include "facts/assert.h"
#include "facts/fact.h"
#include "pg/attempt.h"
#include "pg/error.h"
#include "pg/memory.h"
#include "pg/statement.h"

namespace memory::jobs {

namespace {

using pg::SnapshotOf;

constexpr std::size_t most_facts = 20;

// A fact's other lines lock episodes in their turn (FOR KEY SHARE), which this lock lets pass.
MEMORY_STATEMENT(lock_episode, R"(
    SELECT 1 FROM memory.episodes e WHERE {tenant:e} AND e.id = $3 FOR SHARE)"_sql);

MEMORY_STATEMENT(find_episode, R"(
    SELECT jsonb_build_object('content', e.content, 'response', e.response, 'role', e.role,
        'occurred_at', {utc:e.occurred_at})
    FROM memory.episodes e WHERE {tenant:e} AND e.id = $3 AND {lives:e})"_sql);

MEMORY_STATEMENT(find_time, R"(
    SELECT e.occurred_at FROM memory.episodes e WHERE {tenant:e} AND e.id = $3)"_sql);

std::optional<Payload> payload(const Job &job, const Model &) {
    const pg::Rows rows = find_episode.run(SnapshotOf::now, {job.tenant, job.target});
    if (rows.empty())
        return std::nullopt;
    return Payload{pg::copied(pg::Document{rows.get<pg::Json>(0)})};
}

void lock(const Job &job) { lock_episode.run(SnapshotOf::now, {job.tenant, job.target}); }

pg::Given<std::string_view> text_in(const pg::JsonValue &fact, const char *name) {
    const std::optional<pg::JsonValue> member = fact.member(name);
    if (!member || member->is_null())
        return {{name}, std::nullopt};
    const std::optional<std::string_view> text = member->string();
    if (!text)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be a string, not %s", name,
                        member->described());
    return {{name}, pg::copied_text(*text)};
}

double confidence_in(const pg::JsonValue &fact) {
    const std::optional<pg::JsonValue> member = fact.member("confidence");
    if (!member || member->is_null())
        return 1;
    if (!member->is_number())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "confidence must be a number, not %s",
                        member->described());
    const double confidence = member->to_double();
    return confidence < 1 ? std::max(confidence, 0.0) : 1;
}

// An error where the element is no fact.
facts::Fact fact_in(const pg::JsonValue &element) {
    if (!element.is_object())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "it must be an object, not %s",
                        element.described());
    facts::Fact fact{};
    fact.subject = facts::subject_name(text_in(element, "subject"));
    fact.predicate = facts::predicate_name(text_in(element, "predicate"));
    fact.object = facts::object_name(text_in(element, "object"));
    fact.confidence = confidence_in(element);
    return fact;
}

// The good ones among a model's facts, at most most_facts.
class Answered {
  public:
    explicit Answered(std::pmr::memory_resource *memory) : facts_(memory) {}

    void read(const pg::JsonValue &array) {
        pg::JsonWalk walk(array);
        while (const auto element = walk.next_element()) {
            pg::check_for_interrupts();
            ++count_;
            if (facts_.size() == most_facts)
                note(pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED, "more than %zu facts", most_facts));
            else if (const auto error = pg::attempt([&] { facts_.push_back(fact_in(*element)); }))
                note(*error);
        }
    }

    std::pmr::vector<facts::Fact> &facts() noexcept { return facts_; }
    Dropped dropped() const noexcept { return static_cast<Dropped>(count_ - facts_.size()); }

    // Says how many were dropped, and why the first one was.
    void tell() const {
        if (dropped() == 0)
            return;
        pg::call([this] {
            ereport(NOTICE, (errmsg("%lld of %zu facts were dropped: %s",
                                    static_cast<long long>(dropped()), count_, first_->what())));
        });
    }

  private:
    void note(const pg::Error &error) {
        if (first_)
            return;
        std::array<char, 32> place{};
        std::snprintf(place.data(), place.size(), "facts[%zu]", count_ - 1);
        first_ = error.at(place.data());
    }

    std::pmr::vector<facts::Fact> facts_;
    std::size_t count_ = 0;
    std::optional<pg::Error> first_;
};

Dropped take(const Job &job, const Model &, const Payload &, const Answer &answer) {
    refuse_embedding(answer);
    const pg::JsonValue array = member_of(answer, "facts");
    if (!array.is_array())
        throw_shape("facts", "an array", array.described());
    pg::ContextResource memory(CurrentMemoryContext);
    Answered answered(&memory);
    answered.read(array);
    answered.tell();
    const pg::Rows rows = find_time.run(SnapshotOf::now, {job.tenant, job.target});
    const TimestampTz occurred_at = rows.get<pg::Time>(0);
    for (facts::Fact &fact : answered.facts()) {
        fact.tenant = job.tenant;
        fact.from = occurred_at;
        fact.sources = {&job.target, 1};
    }
    if (!answered.facts().empty())
        facts::assert_all(answered.facts(), &memory);
    return answered.dropped();
}

} // namespace

constinit const Work extraction{nullptr, payload, lock, take};

} // namespace memory::jobs
