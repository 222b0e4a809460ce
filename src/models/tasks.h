// Which model does which task in a namespace: what memory.use_model() has said, and what follows
// for calls that name no model.
#pragma once

#include "models/settings.h"
#include "pg/given.h"
#include "pg/vector.h"

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

// The vector of a text by that model, in the current memory context. Needs a live Spi.
const pg::Vector *embedded_here(std::string_view name_space, std::string_view text);

} // namespace memory::models
