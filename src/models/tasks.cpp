// Looks up memory.model_tasks, at most once a command: a COPY asks for every row.
#include "models/tasks.h"

#include "access/owned_tables.h"
#include "access/sql.h"
#include "models/models.h"
#include "models/settings.h"
#include "pg/encoding.h"
#include "pg/function.h"
#include "pg/handles.h"
#include "pg/memory.h"
#include "pg/statement.h"
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

// The tasks of one namespace.
struct Tasks {
    Moment seen;
    Name name_space;
    Name embedder; // the model of the task "embed"; empty: none
    std::optional<double> alpha;
    int dimensions = hash_dimensions;
    Asked asked;

    void clear() {
        seen = {};
        embedder.set("");
        alpha.reset();
        dimensions = hash_dimensions;
        asked = {};
    }
};
constinit Tasks last_seen;

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
void look_up(std::string_view name_space, Tasks &tasks) {
    if (!OidIsValid(schema::table_named("model_tasks")))
        return; // the trigger is there, and the table was dropped
    const pg::ActingAs owner(access::tables_owner(),
                             SECURITY_LOCAL_USERID_CHANGE | SECURITY_NOFORCE_RLS);
    const pg::Rows rows = find_tasks.run(pg::SnapshotOf::caller, {name_space});
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        note(tasks, rows, row);
}

bool is_known(std::string_view name_space) {
    return last_seen.seen == Moment::now() && last_seen.name_space.get() == name_space;
}

const Tasks &tasks_of(std::string_view name_space) {
    if (is_known(name_space))
        return last_seen;
    last_seen.clear();
    look_up(name_space, last_seen);
    last_seen.name_space.set(name_space);
    last_seen.seen = Moment::now();
    return last_seen;
}

// For triggers, which ask for every row. In READ COMMITTED a statement that writes has begun after
// memory.use_model() let the table go, and sees what that has said.
const Tasks &newest_tasks(std::string_view name_space) {
    if (!IsolationUsesXactSnapshot())
        return tasks_of(name_space);
    const pg::FreshSnapshot newest(GetLatestSnapshot);
    last_seen.seen = {};
    return tasks_of(name_space);
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

constinit const WithVector *WithVector::current = nullptr;

bool WithVector::comes(const pg_uuid_t &id, std::string_view model) noexcept {
    for (const WithVector *one = current; one != nullptr; one = one->before_)
        if (one->model_ == model && pg::compare(one->id_, id) == 0)
            return true;
    return false;
}

Asked asked_for(std::string_view name_space) {
    Asked asked = newest_tasks(name_space).asked;
    asked.embedder = pg::copied_text(asked.embedder);
    return asked;
}

// The WHEN condition of triggers that embed.
MEMORY_FUNCTION(memory_embeds_here) {
    const pg::Spi spi;
    return pg::to_datum(newest_tasks(*arguments.text(0)).embedder.get() == hash_model);
}

// The WHEN condition of triggers that queue jobs.
MEMORY_FUNCTION(memory_asks_models) {
    const pg::Spi spi;
    const Asked &asked = newest_tasks(*arguments.text(0)).asked;
    return pg::to_datum(!asked.embedder.empty() || asked.to_extract ||
                        asked.episodes_a_profile > 0);
}

// The same of sessions.
MEMORY_FUNCTION(memory_asks_summaries) {
    const pg::Spi spi;
    return pg::to_datum(newest_tasks(*arguments.text(0)).asked.messages_a_summary > 0);
}

} // namespace memory::models
