// The rules of a namespace, kept by each backend until a change of the table is told of: every row
// that is written asks for them.
#include "retention/rules.h"

#include "access/scope.h"
#include "pg/function.h"
#include "pg/key_scan.h"
#include "pg/trigger.h"
#include "pg/watch.h"
#include "schema/relations.h"

#include <cmath>

extern "C" {
#include "utils/fmgrprotos.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
}

namespace memory::retention {

namespace {

constexpr std::string_view things[] = {"episode", "session", "checkpoint",
                                       "run",     "item",    "block_version"};

// Where nothing else is said of the kind, and nothing of all kinds.
constexpr KindRule defaults[] = {
    {"short_term", {Interval{0, 7, 0}, std::nullopt, std::nullopt}},
};

// As columns of the table and of its primary key.
constexpr schema::KeyColumn key[] = {{"namespace", TEXTOID}, {"thing", TEXTOID}, {"kind", TEXTOID}};

// The rules of one namespace, until PostgreSQL says that the table has changed.
struct Known {
    bool whole = false;
    std::uint64_t changes = 0; // how often something has changed
    Oid table = InvalidOid;
    std::string_view name_space;
    Rules rules;
    MemoryContext memory = nullptr;
};
constinit Known known;

void clear_memory() {
    pg::call([] {
        if (known.memory == nullptr)
            known.memory =
                AllocSetContextCreate(TopMemoryContext, "memory: retention", ALLOCSET_SMALL_SIZES);
        MemoryContextReset(known.memory);
    });
}

void note_change(Oid table) noexcept {
    if (table != known.table && OidIsValid(table))
        return;
    known.whole = false;
    ++known.changes;
}

} // namespace

// Reads the table as it is committed, with what this transaction has written, by itself: what lives
// must not depend on what the caller may read.
class Loading {
  public:
    explicit Loading(const access::Tenant &tenant)
        : table_(tenant.place("retention"), AccessShareLock), index_(table_, key),
          snapshot_(pg::call([this] { return GetCatalogSnapshot(table_.id()); })),
          slot_(RelationGetDescr(table_.get()), table_slot_callbacks(table_.get())),
          kinds_(&memory_) {}

    Rules load(std::string_view name_space);

  private:
    void read();

    schema::OpenTable table_;
    schema::OpenIndex index_;
    pg::HeldSnapshot snapshot_;
    pg::Slot slot_;
    pg::ContextResource memory_{known.memory};
    std::pmr::vector<KindRule> kinds_;
    Rules rules_;
};

void Loading::read() {
    const auto value = [this]<class Type>(std::type_identity<Type>, const char *column) {
        return pg::find_in<Type>(slot_.get(), table_.column<Type>(column) - 1);
    };
    const Rule rule{value(std::type_identity<pg::Length>{}, "ttl"),
                    value(std::type_identity<pg::Length>{}, "half_life"),
                    value(std::type_identity<pg::Int8>{}, "keep")};
    const std::string_view thing = *value(std::type_identity<pg::Text>{}, "thing");
    const std::string_view kind = *value(std::type_identity<pg::Text>{}, "kind");
    const auto *const place = std::find(std::begin(things), std::end(things), thing);
    if (!kind.empty())
        kinds_.push_back({pg::copied_text(kind), rule});
    else if (place != std::end(things))
        rules_.rules_[static_cast<std::size_t>(place - things)] = rule;
}

Rules Loading::load(std::string_view name_space) {
    std::array keys{pg::equals_text(1, pg::to_datum(name_space))};
    pg::KeyScan scan(table_.get(), index_.get(), snapshot_.get(), keys);
    const pg::SwitchedContext switched(known.memory);
    while (scan.next(slot_.get()))
        read();
    const std::span<KindRule> kept(static_cast<KindRule *>(memory_.allocate(
                                       (kinds_.size() + 1) * sizeof(KindRule), alignof(KindRule))),
                                   kinds_.size());
    std::uninitialized_copy(kinds_.begin(), kinds_.end(), kept.begin());
    rules_.kinds_ = kept;
    return rules_;
}

Rule Rules::of_kind(std::string_view kind) const {
    for (const KindRule &one : kinds_)
        if (one.kind == kind)
            return one.rule;
    Rule rule = of(Thing::episode);
    for (const KindRule &one : defaults)
        if (one.kind == kind && !rule.ttl)
            rule.ttl = one.rule.ttl;
    return rule;
}

std::optional<Interval> Rules::half_life_of(std::string_view kind) const {
    for (const KindRule &one : kinds_)
        if (one.kind == kind)
            return one.rule.half_life;
    if (const auto general = of(Thing::episode).half_life)
        return general;
    return kind == usual_fading.kind ? usual_fading.rule.half_life : std::nullopt;
}

double microseconds(const std::optional<Interval> &length) {
    if (!length)
        return 0;
    return static_cast<double>(length->time) +
           (length->day + length->month * static_cast<double>(DAYS_PER_MONTH)) * USECS_PER_DAY;
}

const Rules &rules_of(std::string_view name_space) {
    if (known.whole && known.name_space == name_space) [[likely]]
        return known.rules;
    pg::watch_relations<note_change>();
    known.whole = false;
    known.rules = {};
    known.table = schema::table_named("retention");
    clear_memory();
    if (!OidIsValid(known.table)) // the trigger is there, and the table was dropped
        return known.rules;
    const std::uint64_t changes = known.changes;
    known.rules = Loading({name_space, {}}).load(name_space);
    const pg::SwitchedContext switched(known.memory);
    known.name_space = pg::copied_text(name_space);
    known.whole = known.changes == changes;
    return known.rules;
}

TimestampTz before(TimestampTz time, const Interval &length) {
    return pg::call([&] {
        return DatumGetTimestampTz(DirectFunctionCall2(
            timestamptz_mi_interval, TimestampTzGetDatum(time), IntervalPGetDatum(&length)));
    });
}

TimestampTz after(TimestampTz time, const Interval &length) {
    return pg::call([&] {
        return DatumGetTimestampTz(DirectFunctionCall2(
            timestamptz_pl_interval, TimestampTzGetDatum(time), IntervalPGetDatum(&length)));
    });
}

std::optional<TimestampTz> expired_at(const Rule &rule) {
    if (!rule.ttl)
        return std::nullopt;
    return before(GetCurrentStatementStartTimestamp(), *rule.ttl);
}

// The WHEN condition of the trigger that gives episodes their end.
MEMORY_FUNCTION(memory_kind_ends) {
    return pg::to_datum(rules_of(*arguments.text(0)).of_kind(*arguments.text(1)).ttl.has_value());
}

// Since when sessions, runs and the like must have been written to be there still.
MEMORY_FUNCTION(memory_alive_since) {
    const Rules &rules = rules_of(*arguments.text(0));
    const auto *const place = std::find(std::begin(things), std::end(things), *arguments.text(1));
    const auto end = place == std::end(things)
                         ? std::nullopt
                         : expired_at(rules.of(static_cast<Thing>(place - things)));
    return TimestampTzGetDatum(end.value_or(DT_NOBEGIN));
}

// What is left of a weight: a time before it was given takes nothing away.
MEMORY_FUNCTION(memory_faded) {
    const Rules &rules = rules_of(*arguments.text(0));
    const double half_life = microseconds(rules.half_life_of(*arguments.text(1)));
    const double weight = DatumGetFloat8(arguments.datum(2));
    const TimestampTz since = DatumGetTimestampTz(arguments.datum(3));
    const TimestampTz at = DatumGetTimestampTz(arguments.datum(4));
    if (half_life == 0 || at <= since)
        return pg::to_datum(weight);
    const double age = static_cast<double>(at) - static_cast<double>(since);
    return pg::to_datum(weight * std::exp2(-age / half_life));
}

// All backends read the rules again.
MEMORY_FUNCTION(memory_retention_changed) {
    const pg::TriggerRow row(arguments, {"retention"});
    const Oid table = schema::table_named("retention");
    if (OidIsValid(table))
        pg::call([=] { CacheInvalidateRelcacheByRelid(table); });
    return Datum{0};
}

} // namespace memory::retention
