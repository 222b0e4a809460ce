// Looks up memory.model_tasks, at most once a command: a COPY asks for every row.
#include "models/tasks.h"

#include "access/owned_tables.h"
#include "access/sql.h"
#include "models/models.h"
#include "models/settings.h"
#include "pg/encoding.h"
#include "pg/function.h"
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

MEMORY_STATEMENT(find_embedder, R"(
    SELECT t.model, m.dimensions,
        CASE WHEN pg_catalog.jsonb_typeof(t.options -> 'alpha') = 'number' THEN (t.options ->> 'alpha')::float8 END
    FROM memory.model_tasks t LEFT JOIN memory.models m ON m.model = t.model
    WHERE t.namespace = $1 AND t.task = 'embed')"_sql);

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

// The task "embed" of one namespace.
struct Embedder {
    Moment seen;
    Name name_space;
    Name model; // empty: none
    std::optional<double> alpha;
    int dimensions = hash_dimensions;
};
constinit Embedder last_seen;

// By the rights of the owner: every caller's rows are embedded alike, whatever the caller may read.
void look_up(std::string_view name_space, Embedder &embedder) {
    embedder.model.set("");
    embedder.alpha.reset();
    embedder.dimensions = hash_dimensions;
    if (!OidIsValid(schema::table_named("model_tasks")))
        return; // the trigger is there, and the table was dropped
    const pg::ActingAs owner(access::tables_owner(),
                             SECURITY_LOCAL_USERID_CHANGE | SECURITY_NOFORCE_RLS);
    const pg::Rows rows = find_embedder.run(pg::SnapshotOf::caller, {name_space});
    if (rows.empty())
        return;
    const auto [model, dimensions, alpha] =
        rows.get<pg::Text, std::optional<pg::Int4>, std::optional<pg::Float8>>(0);
    embedder.model.set(model);
    embedder.alpha = alpha;
    embedder.dimensions = dimensions.value_or(hash_dimensions);
}

const Embedder &embedder_of(std::string_view name_space) {
    const Moment now = Moment::now();
    if (last_seen.seen == now && last_seen.name_space.get() == name_space)
        return last_seen;
    last_seen.seen = {};
    look_up(name_space, last_seen);
    last_seen.name_space.set(name_space);
    last_seen.seen = now;
    return last_seen;
}

} // namespace

std::optional<std::string_view> named_model(const pg::Given<std::string_view> &given) {
    return given.not_empty().at_most(longest_name);
}

InUse in_use(std::string_view name_space, std::optional<std::string_view> given) {
    const Embedder &embedder = embedder_of(name_space);
    const std::string_view told = embedder.model.get();
    const std::string_view named = given.value_or(embedding_model());
    const bool is_told = !told.empty() && (named == told || (!given && named == default_model));
    if (!is_told)
        return {named, false, std::nullopt, false};
    return {pg::copied_text(told), told == hash_model, embedder.alpha, true};
}

double weight_of(const InUse &model) {
    if (model.alpha)
        return std::clamp(*model.alpha, 0.0, 1.0);
    if (model.name == hash_model)
        return unknown_weight;
    return model.is_told || declared_dimensions(model.name) ? declared_weight : unknown_weight;
}

std::string_view embedder_here(std::string_view name_space) {
    return embedder_of(name_space).model.get() == hash_model ? hash_model : std::string_view();
}

const pg::Vector *embedded_here(std::string_view name_space, std::string_view text) {
    const int dimensions = embedder_of(name_space).dimensions;
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

// The WHEN condition of the triggers that embed episodes and items.
MEMORY_FUNCTION(memory_embeds_here) {
    const pg::Spi spi;
    return pg::to_datum(!embedder_here(*arguments.text(0)).empty());
}

} // namespace memory::models
