// What memory.model_tasks says, kept by each backend until a change of it is told of: every row
// that is written asks for it.
#include "models/tasks.h"

#include "access/owned_tables.h"
#include "access/sql.h"
#include "models/models.h"
#include "models/settings.h"
#include "pg/encoding.h"
#include "pg/function.h"
#include "pg/handles.h"
#include "pg/statement.h"
#include "pg/watch.h"
#include "schema/relations.h"
#include "text/hash_embedding.h"
#include "text/interruption_sql.h"

extern "C" {
#include "access/xact.h"
#include "storage/proc.h"
}

namespace memory::models {

namespace {

using access::operator""_sql;

constexpr std::string_view default_model = "default";

// By measurement (docs/recall.md).
constexpr double declared_weight = 0.35;
constexpr double unknown_weight = 0.1;

// Messages for another summary of a session, episodes for another profile, where use_model() has
// not said how many.
constexpr std::int32_t default_every = 20;

// The task, its model, what is declared of that, the number that its options say (the weight of
// vectors, or how much is to be new), and whether a worker is to be asked.
MEMORY_STATEMENT(find_tasks, R"(
    SELECT t.task, t.model, m.dimensions,
        CASE WHEN pg_catalog.jsonb_typeof(t.options -> o.key) = 'number'
            THEN (t.options ->> o.key)::float8 END,
        coalesce((t.options -> 'jobs') <> 'false'::jsonb, true)
    FROM memory.model_tasks t LEFT JOIN memory.models m ON m.model = t.model,
        LATERAL (SELECT CASE WHEN t.task = 'embed' THEN 'alpha' ELSE 'every' END AS key) o
    WHERE t.namespace = $1)"_sql);

// A name of at most longest_name bytes, kept without allocating.
class Name {
  public:
    void set(std::string_view name) {
        size_ = std::min(name.size(), text_.size());
        std::copy_n(name.begin(), size_, text_.begin());
    }
    std::string_view get() const { return {text_.data(), size_}; }

  private:
    std::array<char, longest_name> text_{};
    std::size_t size_ = 0;
};

// What a command of a transaction sees. Whatever the transaction writes begins another command;
// what a subtransaction wrote and rolled back, another subtransaction.
struct Moment {
    LocalTransactionId transaction = InvalidLocalTransactionId;
    SubTransactionId subtransaction = InvalidSubTransactionId;
    CommandId command = InvalidCommandId;
    TimestampTz statement = 0;

    static Moment now() {
#if PG_VERSION_NUM >= 170000
        const LocalTransactionId transaction = MyProc->vxid.lxid;
#else
        const LocalTransactionId transaction = MyProc->lxid;
#endif
        return {transaction, GetCurrentSubTransactionId(), GetCurrentCommandId(false),
                GetCurrentStatementStartTimestamp()};
    }
    friend bool operator==(const Moment &, const Moment &) = default;
};

// The tasks of one namespace, as they were last read.
struct Tasks {
    Moment seen;
    bool newest = false; // no change of the tables has been told of since
    Name name_space;
    Name embedder; // the model of the task "embed"; empty: none
    std::optional<double> alpha;
    int dimensions = hash_dimensions;
    Asked asked;

    void clear() {
        seen = {};
        newest = false;
        embedder.set("");
        alpha.reset();
        dimensions = hash_dimensions;
        asked = {};
    }
};
constinit Tasks last_seen;

// What is heard of changes of the tables, which memory_internal.tasks_changed() tells all backends
// of.
struct Changes {
    Oid table = InvalidOid;
    std::uint64_t count = 0;
};
constinit Changes changes;

void note_change(Oid table) noexcept {
    if (table != changes.table && OidIsValid(table))
        return;
    last_seen.newest = false;
    ++changes.count;
}

std::int32_t count_of(std::optional<double> every, std::int32_t otherwise) {
    return static_cast<std::int32_t>(
        std::clamp<double>(every.value_or(otherwise), 1, std::numeric_limits<std::int32_t>::max()));
}

void note(Tasks &tasks, const pg::Rows &rows, std::uint64_t row) {
    const auto [task, model, dimensions, number, has_jobs] =
        rows.get<pg::Text, pg::Text, std::optional<pg::Int4>, std::optional<pg::Float8>, pg::Bool>(
            row);
    if (task == "embed") {
        tasks.embedder.set(model);
        tasks.alpha = number;
        tasks.dimensions = dimensions.value_or(hash_dimensions);
        tasks.asked.embedder =
            model == hash_model || !has_jobs ? std::string_view() : tasks.embedder.get();
    } else if (task == "extract") {
        tasks.asked.to_extract = true;
    } else if (task == "summarize") {
        tasks.asked.messages_a_summary = count_of(number, default_every);
    } else if (task == "profile") {
        tasks.asked.episodes_a_profile = count_of(number, default_every);
    }
}

// By the rights of the owner: every caller's rows are embedded alike, whatever the caller may read.
// False where there is no table: the trigger is there, and the table was dropped.
bool look_up(std::string_view name_space, Tasks &tasks) {
    changes.table = schema::table_named("model_tasks");
    if (!OidIsValid(changes.table))
        return false;
    const pg::Spi spi;
    const pg::ActingAs owner(access::tables_owner(),
                             SECURITY_LOCAL_USERID_CHANGE | SECURITY_NOFORCE_RLS);
    const pg::Rows rows = find_tasks.run(pg::SnapshotOf::caller, {name_space});
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        note(tasks, rows, row);
    return true;
}

// As the transaction's snapshot has them.
void read_as_seen(std::string_view name_space) {
    last_seen.clear();
    look_up(name_space, last_seen);
    last_seen.name_space.set(name_space);
}

// As they are committed, with what this transaction has written.
void read_newest(std::string_view name_space) {
    pg::watch_relations<note_change>();
    last_seen.clear();
    const std::uint64_t count = changes.count;
    const pg::FreshSnapshot newest([] { return GetCatalogSnapshot(InvalidOid); });
    const bool found = look_up(name_space, last_seen);
    last_seen.name_space.set(name_space);
    last_seen.newest = found && count == changes.count;
}

bool is_of_this_command(std::string_view name_space) {
    return last_seen.seen == Moment::now() && last_seen.name_space.get() == name_space;
}

// What is committed now. In READ COMMITTED a command keeps to what it was told first: one that
// writes has begun after memory.use_model() let the table go, and is told what that has said.
const Tasks &newest_tasks(std::string_view name_space) {
    if (!IsolationUsesXactSnapshot() && is_of_this_command(name_space))
        return last_seen;
    pg::call([] { AcceptInvalidationMessages(); });
    if (!last_seen.newest || last_seen.name_space.get() != name_space)
        read_newest(name_space);
    last_seen.seen = Moment::now();
    return last_seen;
}

// The same, but for transactions that see one snapshot only.
const Tasks &tasks_of(std::string_view name_space) {
    if (!IsolationUsesXactSnapshot())
        return newest_tasks(name_space);
    if (!is_of_this_command(name_space)) {
        read_as_seen(name_space);
        last_seen.seen = Moment::now();
    }
    return last_seen;
}

} // namespace

std::optional<std::string_view> named_model(const pg::Given<std::string_view> &given) {
    return given.not_empty().at_most(longest_name);
}

InUse in_use(std::string_view name_space, std::optional<std::string_view> given) {
    const Tasks &tasks = tasks_of(name_space);
    const std::string_view told = tasks.embedder.get();
    const std::string_view named = given.value_or(embedding_model());
    const bool is_told = !told.empty() && (named == told || (!given && named == default_model));
    if (!is_told)
        return {named, false, std::nullopt, false};
    return {pg::copied_text(told), told == hash_model, tasks.alpha, true};
}

double weight_of(const InUse &model) {
    if (model.alpha)
        return std::clamp(*model.alpha, 0.0, 1.0);
    if (model.name == hash_model)
        return unknown_weight;
    return model.is_told || declared_dimensions(model.name) ? declared_weight : unknown_weight;
}

std::string_view embedder_here(std::string_view name_space) {
    return tasks_of(name_space).embedder.get() == hash_model ? hash_model : std::string_view();
}

const pg::Vector *embedded_here(std::string_view name_space, std::string_view text) {
    const int dimensions = tasks_of(name_space).dimensions;
    pg::ContextResource memory(CurrentMemoryContext);
    pg::Vector *vector = pg::make_vector(dimensions);
    text::hash_embedding(pg::to_utf8(text), {vector->values, static_cast<std::size_t>(dimensions)},
                         &memory, text::server_interruption);
    return vector;
}

Settled settled(const Question &question, std::string_view name_space) {
    Settled settled{in_use(name_space, question.model), question.embedding, question.alpha};
    if (question.query && question.embedding == nullptr && settled.model.embeds_here &&
        question.alpha != 0.0)
        settled.embedding = embedded_here(name_space, *question.query);
    if (!settled.alpha && settled.embedding != nullptr)
        settled.alpha = weight_of(settled.model);
    return settled;
}

constinit const Arrival *Arrival::latest = nullptr;

const Arrival *Arrival::of(const pg::TriggerRow &row) {
    const Arrival *one = latest;
    while (one != nullptr && !one->matches_(one->what_, row))
        one = one->before_;
    return one;
}

Asked asked_for(std::string_view name_space) {
    Asked asked = newest_tasks(name_space).asked;
    asked.embedder = pg::copied_text(asked.embedder);
    return asked;
}

// The WHEN condition of triggers that embed.
MEMORY_FUNCTION(memory_embeds_here) {
    return pg::to_datum(newest_tasks(*arguments.text(0)).embedder.get() == hash_model);
}

// The WHEN condition of triggers that queue jobs.
MEMORY_FUNCTION(memory_asks_models) {
    const Asked &asked = newest_tasks(*arguments.text(0)).asked;
    return pg::to_datum(!asked.embedder.empty() || asked.to_extract ||
                        asked.episodes_a_profile > 0);
}

// The same of sessions.
MEMORY_FUNCTION(memory_asks_summaries) {
    return pg::to_datum(newest_tasks(*arguments.text(0)).asked.messages_a_summary > 0);
}

// All backends look them up again.
MEMORY_FUNCTION(memory_tasks_changed) {
    const pg::TriggerRow row(arguments, {"model_tasks", "models"});
    const Oid table = schema::table_named("model_tasks");
    if (OidIsValid(table))
        pg::call([=] { CacheInvalidateRelcacheByRelid(table); });
    return Datum{0};
}

} // namespace memory::models
