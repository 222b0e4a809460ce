// Which model does which task in a namespace: what memory.use_model() has said, and what follows
// for calls that name no model.
#pragma once

#include "models/settings.h"
#include "pg/given.h"
#include "pg/trigger.h"
#include "pg/uuid.h"
#include "pg/vector.h"

#include <utility>

namespace memory::models {

// A model of one call, and how it was chosen.
struct InUse {
    std::string_view name;
    bool embeds_here;            // the database makes its vectors, in this namespace
    std::optional<double> alpha; // what use_model() was told for it
    bool is_told;                // use_model() names it
};

// The model that a call's argument names; else that of the setting memory.embedding_model; else,
// where that is "default", the one that embeds in the namespace by use_model().
InUse in_use(std::string_view name_space, std::optional<std::string_view> given);

// An argument `model`, checked.
std::optional<std::string_view> named_model(const pg::Given<std::string_view> &given);

// The weight of a model's vectors beside words where a call says none: what use_model() was told,
// else .35 where the model is declared, and .1 for "hash" and for a model that nothing is known of.
// Needs a live Spi.
double weight_of(const InUse &model);

// What a call asks by words, by a vector, or by both.
struct Question {
    std::optional<std::string_view> query; // not blank
    const pg::Vector *embedding = nullptr;
    std::optional<std::string_view> model; // that the call names
    std::optional<double> alpha;           // the weight of vectors that it says
};

// What the models of the namespace decide of it: whose vectors are compared, the vector of a query
// that comes without one, and the weight of the vectors where there is one. Vectors without weight
// are not asked for. Needs a live Spi.
struct Settled {
    InUse model;
    const pg::Vector *embedding;
    std::optional<double> alpha;
};
Settled settled(const Question &question, std::string_view name_space);

// The model whose vectors the database makes of the namespace's episodes and items; empty where
// there is none.
std::string_view embedder_here(std::string_view name_space);

// What models outside the database are asked for in a namespace: who writes there queues jobs.
struct Asked {
    std::string_view embedder; // empty: none is asked for vectors
    bool to_extract = false;
    std::int32_t messages_a_summary = 0; // 0: no summaries are asked for
    std::int32_t episodes_a_profile = 0; // 0: no profiles
};

// A row on its way into a table, while it lives: what the call that writes it knows, and triggers
// of the table do not see. What it is given must outlive it.
class Arrival {
  public:
    // `what.matches(row)` says so. Its vectors by that model come with it; empty: it has none.
    // `made` is the id that pg::new_id() has just made for it, unless it is there already.
    template <class What>
    Arrival(const What &what, std::string_view vectors_by, const pg_uuid_t *made) noexcept
        : what_(&what), matches_([](const void *it, const pg::TriggerRow &row) {
              return static_cast<const What *>(it)->matches(row);
          }),
          vectors_by_(vectors_by), made_(made), before_(std::exchange(latest, this)) {}
    ~Arrival() { latest = before_; }
    Arrival(const Arrival &) = delete;
    Arrival &operator=(const Arrival &) = delete;

    // That of a trigger's row; null where it came another way.
    static const Arrival *of(const pg::TriggerRow &row);

    std::string_view vectors_by() const noexcept { return vectors_by_; }
    // Whether the id is new, so that nothing can be in the database about it.
    bool has_made(const pg_uuid_t &id) const noexcept {
        return made_ != nullptr && pg::compare(*made_, id) == 0;
    }

  private:
    static constinit const Arrival *latest;

    const void *what_;
    bool (*matches_)(const void *what, const pg::TriggerRow &row);
    std::string_view vectors_by_;
    const pg_uuid_t *made_;
    const Arrival *before_;
};

// The answer of the newest snapshot, whatever the transaction's: what a model does from now on is
// done for every row that is written from now on.
Asked asked_for(std::string_view name_space);

// The vector of a text by embedder_here(), in the current memory context.
const pg::Vector *embedded_here(std::string_view name_space, std::string_view text);

} // namespace memory::models
