// Knows every row before it ranks one.
#include "rank/gathered.h"

namespace memory::rank {

// The rows that are known. None is part of a conversation.
class Gathered::Source final : public ConversationSource {
  public:
    explicit Source(const Gathered &gathered) : gathered_(gathered) {}

    void pause() override { gathered_.interruption_.check(); }
    void fetch(std::span<const std::uint64_t> numbers, KnownRows &rows) override {
        for (const std::uint64_t number : numbers)
            rows.add(gathered_.rows_[number]);
    }
    void fetch(std::span<const RowId> ids, KnownRows &rows) override {
        for (const RowId &id : ids)
            if (const auto number = gathered_.numbers_.find(id))
                rows.add(gathered_.rows_[*number]);
    }
    void neighbours(std::span<const std::uint32_t>, KnownRows &,
                    std::pmr::vector<Neighbours> &) override {}

  private:
    const Gathered &gathered_;
};

Gathered::Gathered(text::Interruption &interruption, std::pmr::memory_resource *memory)
    : interruption_(interruption), memory_(memory), rows_(memory), numbers_(memory), texts_(memory),
      cosines_(memory) {}

std::uint32_t Gathered::number_of(const NewerThenId &row) {
    if (const auto known = numbers_.find(row.id))
        return *known;
    const auto number = static_cast<std::uint32_t>(rows_.size());
    numbers_.put(row.id, number);
    rows_.push_back({.place = number, .order = row});
    cosines_.emplace_back();
    return number;
}

void Gathered::add_text(const NewerThenId &row, double score) {
    texts_.push_back({score, number_of(row)});
}

void Gathered::add_vector(const NewerThenId &row, double cosine) {
    know(row);
    add_vector(row.id, cosine);
}

void Gathered::add_vector(const RowId &known, double cosine) {
    std::optional<double> &best = cosines_[*numbers_.find(known)];
    best = std::max(best.value_or(cosine), cosine);
}

std::pmr::vector<HybridRow> Gathered::best(const HybridQuery &query) {
    std::pmr::vector<Scored<RowId>> vectors(memory_);
    for (const Row &row : rows_)
        if (const std::optional<double> &cosine = cosines_[row.place])
            vectors.push_back({*cosine, row.order.id});
    LexicalArm lexical(texts_, memory_);
    VectorArm vector(vectors, memory_);
    Source source(*this);
    Hybrid hybrid(query, lexical, vector, source, memory_);
    hybrid.keep(rows_);
    return hybrid.best();
}

std::pmr::vector<HybridRow> Gathered::best(const HybridQuery &query, ArmRest<RowId> &vectors) {
    LexicalArm lexical(texts_, memory_);
    VectorArm vector(vectors, memory_);
    Source source(*this);
    Hybrid hybrid(query, lexical, vector, source, memory_);
    return hybrid.best();
}

} // namespace memory::rank
