// Which model does which task in a namespace: what memory.use_model() has said, and what follows
// for calls that name no model.
#pragma once

#include "models/settings.h"
#include "pg/given.h"
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
// where that is "default", the one that embeds in the namespace by use_model(). Needs a live Spi.
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
// there is none. Needs a live Spi.
std::string_view embedder_here(std::string_view name_space);

// What models outside the database are asked for in a namespace: who writes there queues jobs.
struct Asked {
    std::string_view embedder; // empty: none is asked for vectors
    bool to_extract = false;
    std::int32_t messages_a_summary = 0; // 0: no summaries are asked for
    std::int32_t episodes_a_profile = 0; // 0: no profiles
};

// While it lives, an episode that is written under this id comes with its vector by the model, of
// which no model need be asked. Both must outlive it.
class WithVector {
  public:
    WithVector(const pg_uuid_t &id, std::string_view model) noexcept
        : id_(id), model_(model), before_(std::exchange(current, this)) {}
    ~WithVector() { current = before_; }
    WithVector(const WithVector &) = delete;
    WithVector &operator=(const WithVector &) = delete;

    static bool comes(const pg_uuid_t &id, std::string_view model) noexcept;

  private:
    static constinit const WithVector *current;

    const pg_uuid_t &id_;
    std::string_view model_;
    const WithVector *before_;
};

// The answer of the newest snapshot, whatever the transaction's: what a model does from now on is
// done for every row that is written from now on. Needs a live Spi.
Asked asked_for(std::string_view name_space);

// The vector of a text by embedder_here(), in the current memory context. Needs a live Spi.
const pg::Vector *embedded_here(std::string_view name_space, std::string_view text);

} // namespace memory::models
