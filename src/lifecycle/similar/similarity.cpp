// Everything is counted in letters of both texts, so that it is exact until the division.
#include "lifecycle/similar/similarity.h"

#include <algorithm>
#include <array>
#include <optional>

namespace memory::similar {

namespace {

using Letters = std::u32string_view;

// The edits that make one of the other, in the memory of three rows.
std::size_t edits_between(Letters a, Letters b) {
    std::array<std::array<std::size_t, most_letters + 1>, 3> rows;
    for (std::size_t j = 0; j <= b.size(); ++j)
        rows[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto &row = rows[i % 3];
        const auto &before = rows[(i + 2) % 3];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min(
                {before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], rows[(i + 1) % 3][j - 2] + 1);
        }
    }
    return rows[a.size() % 3][b.size()];
}

// Fewer edits than these there cannot be: each changes two of the counts of letters by one at most.
std::size_t least_edits(Letters a, Letters b) {
    std::array<int, 32> counts{};
    for (const char32_t letter : a)
        ++counts[letter % counts.size()];
    for (const char32_t letter : b)
        --counts[letter % counts.size()];
    std::size_t changed = 0;
    for (const int count : counts)
        changed += static_cast<std::size_t>(count < 0 ? -count : count);
    return (changed + 1) / 2;
}

// The same; nothing when these are different words.
std::optional<std::size_t> edits_of_one_word(Letters a, Letters b) {
    const std::size_t longer = std::max(a.size(), b.size());
    const std::size_t most = std::max<std::size_t>(1, longer / 3);
    if (longer > most_letters || longer - std::min(a.size(), b.size()) > most ||
        least_edits(a, b) > most)
        return std::nullopt;
    const std::size_t edits = edits_between(a, b);
    return edits <= most ? std::optional(edits) : std::nullopt;
}

// Words of one text that the other does not have, in their order.
class LeftOver {
  public:
    // At most most_words.
    void add(Letters word) {
        words_[size_++] = word;
        letters_ += word.size();
    }
    std::size_t size() const noexcept { return size_; }
    Letters operator[](std::size_t n) const { return words_[n]; }
    std::size_t letters() const noexcept { return letters_; }

    // One behind the other; they have at most most_letters.
    Letters joined(std::array<char32_t, most_letters> &into) const {
        char32_t *to = into.data();
        for (std::size_t n = 0; n < size_; ++n)
            to = std::copy(words_[n].begin(), words_[n].end(), to);
        return {into.data(), letters_};
    }

  private:
    std::array<Letters, most_words> words_;
    std::size_t size_ = 0;
    std::size_t letters_ = 0;
};

// The words of `text` that are not among the sorted words of the other one, as often as they are
// not. False when they are too many.
bool read_left_over(const Texts &texts, Number text, std::span<const Number> others,
                    LeftOver &left) {
    std::pmr::vector<Number> missing(texts.memory());
    std::ranges::set_difference(texts.sorted(text), others, std::back_inserter(missing));
    if (missing.size() > most_words)
        return false;
    for (const Number word : texts.in_order(text))
        if (const auto found = std::ranges::find(missing, word); found != missing.end()) {
            missing.erase(found);
            left.add(texts.word(word));
        }
    return true;
}

// What two left over words have in common, in letters of both.
struct Match {
    std::size_t a;
    std::size_t b;
    std::size_t edits;
    std::size_t longer;

    // Fewer edits a letter first; then by their places.
    bool operator<(const Match &other) const noexcept {
        const std::size_t mine = edits * other.longer;
        const std::size_t others = other.edits * longer;
        return mine != others ? mine < others : std::pair(a, b) < std::pair(other.a, other.b);
    }
};

std::size_t common_in_pairs(const LeftOver &a, const LeftOver &b) {
    std::array<Match, most_words * most_words> matches;
    std::size_t size = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j)
            if (const auto edits = edits_of_one_word(a[i], b[j]))
                matches[size++] = {i, j, *edits, std::max(a[i].size(), b[j].size())};
    std::sort(matches.begin(), matches.begin() + static_cast<std::ptrdiff_t>(size));
    std::array<bool, most_words> of_a{};
    std::array<bool, most_words> of_b{};
    std::size_t common = 0;
    for (const Match &match : std::span(matches).first(size))
        if (!of_a[match.a] && !of_b[match.b]) {
            of_a[match.a] = of_b[match.b] = true;
            common += a[match.a].size() + b[match.b].size() - match.edits;
        }
    return common;
}

std::size_t common_when_joined(const LeftOver &a, const LeftOver &b) {
    if (a.size() == 0 || b.size() == 0 || std::max(a.letters(), b.letters()) > most_letters)
        return 0;
    std::array<char32_t, most_letters> of_a;
    std::array<char32_t, most_letters> of_b;
    const auto edits = edits_of_one_word(a.joined(of_a), b.joined(of_b));
    return edits ? a.letters() + b.letters() - *edits : 0;
}

} // namespace

double most_similarity(const Texts &texts, Number a, Number b) {
    const Texts::Counts &of_a = texts.counts(a);
    const Texts::Counts &of_b = texts.counts(b);
    unsigned changed = 0;
    for (std::size_t n = 0; n < of_a.size(); ++n)
        changed += static_cast<unsigned>(of_a[n] > of_b[n] ? of_a[n] - of_b[n] : of_b[n] - of_a[n]);
    const std::size_t both = texts.letters(a) + texts.letters(b);
    return both == 0 ? 0 : static_cast<double>(2 * both - changed) / static_cast<double>(2 * both);
}

double similarity(const Texts &texts, Number a, Number b) {
    const std::size_t both = texts.letters(a) + texts.letters(b);
    if (both == 0)
        return 0;
    // In an order of their own, so that it does not matter which is named first.
    if (std::ranges::lexicographical_compare(texts.in_order(b), texts.in_order(a)))
        std::swap(a, b);
    std::pmr::vector<Number> shared(texts.memory());
    std::ranges::set_intersection(texts.sorted(a), texts.sorted(b), std::back_inserter(shared));
    std::size_t common = 0;
    for (const Number word : shared)
        common += 2 * texts.word(word).size();
    LeftOver left_of_a;
    LeftOver left_of_b;
    if (read_left_over(texts, a, texts.sorted(b), left_of_a) &&
        read_left_over(texts, b, texts.sorted(a), left_of_b))
        common += std::max(common_in_pairs(left_of_a, left_of_b),
                           common_when_joined(left_of_a, left_of_b));
    return static_cast<double>(common) / static_cast<double>(both);
}

} // namespace memory::similar
