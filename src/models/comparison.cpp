// Checks dimensions before cosines are computed, and keeps the memory of long comparisons small.
#include "models/comparison.h"

#include "models/models.h"
#include "pg/error.h"

namespace memory::models {

namespace {

[[noreturn]] void throw_dimensions(std::string_view name, std::size_t given, int stored) {
    const pg::Quoted model(name);
    throw pg::Error(ERRCODE_DATA_EXCEPTION,
                    "embedding has %zu dimensions, those of model \"%.*s\" have %d", given,
                    model.length, model.text, stored)
        .hint("memory.embedding_model says which model's embeddings are compared.");
}

} // namespace

bool has_direction(const pg::Vector &embedding) {
    return rank::Cosine(embedding.elements()).has_direction();
}

pg::Error no_direction(const char *name) {
    return pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                     "%s must have a direction: its elements are all zero, too large, or not "
                     "numbers",
                     name)
        .hint("A cosine with it means nothing. Where there is no embedding, leave it out.");
}

const pg::Vector *checked_embedding(const pg::Given<const pg::Vector *> &given) {
    if (given && !has_direction(*given.required()))
        throw no_direction(given.place().text().data());
    return given.or_else(nullptr);
}

Comparison::Comparison(std::string_view model, const pg::Vector &embedding)
    : model_(model), cosine_(embedding.elements()), brought_("memory: comparing vectors") {
    const auto declared = declared_dimensions(model);
    if (declared && *declared != embedding.dimensions)
        throw_dimensions(model, cosine_.dimensions(), *declared);
}

std::optional<double> Comparison::cosine(const pg::Vector &stored) {
    constexpr std::size_t between_resets = 256;
    std::optional<double> cosine;
    if (stored.elements().size() == cosine_.dimensions()) {
        cosine = cosine_.with(stored.elements());
    } else {
        ++misfits_;
        other_dimensions_ = stored.dimensions;
    }
    // Only vectors that lay out of line left something behind.
    if (++compared_ % between_resets == 0)
        brought_.reset();
    return cosine;
}

void Comparison::check() const {
    if (compared_ > 0 && misfits_ == compared_)
        throw_dimensions(model_, cosine_.dimensions(), other_dimensions_);
}

} // namespace memory::models
