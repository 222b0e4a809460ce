// What rows of conversations lend each other, and which part of a question they answer, among the
// best rows of one arm. The definitions, and how they were chosen: docs/recall.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

namespace memory::rank {

// Of the ranking by words, beyond BM25; each can be turned off.
struct Signals {
    bool coverage = false; // own scores by how much of the question a row has
    bool terms = false;    // neighbours and session lend each term by itself
    bool roles = false;    // a question takes more of its reply
    bool evidence = false; // conversations lend as far as neighbours know more than other rows
    bool dates = false;    // rows of a day, month or year that the query names
    bool names = false;    // rows of a speaker that the query names
    bool order = false;    // words that stand beside each other in the query and in a row

    bool any() const { return coverage || terms || roles || evidence || dates || names || order; }
};

// What the role of a row is, as far as it matters here.
enum class Voice : std::uint8_t { none, user, other };

// Rows that stand near each other in a conversation, by their numbers.
struct Neighbours {
    std::uint32_t row;
    std::uint32_t beside;
    std::int8_t steps; // from the row to the one beside it: 1 is the next, −1 the one before

    friend auto operator<=>(const Neighbours &, const Neighbours &) = default;
};
// So far do rows lend to each other.
inline constexpr std::int8_t lending_steps = 2;

// A row that lends or is lent to.
struct Lender {
    std::uint32_t session = 0; // 0: none; numbers are few
    Voice voice = Voice::none;
};

// Rows that lend, and the pairs between which they do, in both directions, by the numbers of the
// rows here.
struct Circle {
    std::span<const Lender> rows;
    std::span<const Neighbours> pairs;
    std::pmr::memory_resource *memory;
};

// What each term of a query adds to the scores of some rows.
class TermParts {
  public:
    TermParts(std::size_t rows, std::size_t terms, std::pmr::memory_resource *memory)
        : terms_(terms), parts_(rows * terms, memory) {}

    std::size_t terms() const { return terms_; }
    std::size_t rows() const { return terms_ == 0 ? 0 : parts_.size() / terms_; }
    std::span<double> of(std::size_t row) {
        return std::span(parts_).subspan(row * terms_, terms_);
    }
    std::span<const double> of(std::size_t row) const {
        return std::span(parts_).subspan(row * terms_, terms_);
    }
    double sum(std::size_t row) const;

  private:
    std::size_t terms_;
    std::pmr::vector<double> parts_;
};

// By how much of the question's weight a row has: the root of the share, 0 without any of it.
double coverage(std::span<const double> parts, std::span<const double> weights);

// How much coverage counts, by the average length of texts in terms: 1 to 0. Long ones have words
// of the question by chance.
double weight_of_coverage(double average_length);

// What a row gets of the scores that others have: of the row before and after it, and of the best
// other row of its session.
void lend_sums(const Circle &circle, std::span<const double> own, std::span<double> lent);

// The same of each term by itself, of two rows before and after, too.
void lend_terms(const Circle &circle, const TermParts &own, bool roles, TermParts &lent);

// How much more the neighbours of the best rows have than all rows on average, less what this may
// be off by, as the weight of what is lent: 0 to 1. `asked` are the best rows, `own` their scores
// and those of the rows beside them; `mean` is over all rows that there are.
double evidence(const Circle &circle, std::span<const std::uint32_t> asked,
                std::span<const double> own, double mean);

} // namespace memory::rank
