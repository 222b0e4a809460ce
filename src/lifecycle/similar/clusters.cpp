// Equal texts are found by sorting, near ones band by band. Only what two neighbours of a band
// share is kept: their similarity.
#include "lifecycle/similar/clusters.h"

#include "lifecycle/similar/mix.h"
#include "lifecycle/similar/similarity.h"

#include <algorithm>
#include <array>
#include <compare>
#include <limits>
#include <utility>

namespace memory::similar {

namespace {

using Minima = std::array<std::uint64_t, rows>;
constexpr Minima none{std::numeric_limits<std::uint64_t>::max(),
                      std::numeric_limits<std::uint64_t>::max(),
                      std::numeric_limits<std::uint64_t>::max()};
static_assert(rows == 3);

// For each text the least one with the same words that may be compared with it: itself as a rule.
std::pmr::vector<Number> originals_of(const Texts &texts, std::pmr::memory_resource *memory) {
    std::pmr::vector<Number> order(texts.size(), memory);
    for (Number text = 0; text < texts.size(); ++text)
        order[text] = text;
    const auto compared = [&](Number a, Number b) {
        if (texts.apart(a) != texts.apart(b))
            return texts.apart(a) < texts.apart(b) ? -1 : 1;
        const auto by_words =
            std::lexicographical_compare_three_way(texts.sorted(a).begin(), texts.sorted(a).end(),
                                                   texts.sorted(b).begin(), texts.sorted(b).end());
        return std::is_lt(by_words) ? -1 : std::is_gt(by_words) ? 1 : 0;
    };
    std::sort(order.begin(), order.end(), [&](Number a, Number b) {
        const int result = compared(a, b);
        return result != 0 ? result < 0 : a < b;
    });
    std::pmr::vector<Number> originals(texts.size(), memory);
    for (std::size_t n = 0; n < order.size(); ++n)
        originals[order[n]] =
            n > 0 && compared(order[n - 1], order[n]) == 0 ? originals[order[n - 1]] : order[n];
    return originals;
}

// The groups of three letters of each word, its two ends counted as letters.
class Groups {
  public:
    Groups(const Texts &texts, std::pmr::memory_resource *memory) : groups_(memory), ends_(memory) {
        for (Number word = 0; word < texts.words(); ++word) {
            char32_t before = 0;
            char32_t last = 0;
            for (const char32_t letter : texts.word(word)) {
                add(before, last, letter);
                before = std::exchange(last, letter);
            }
            add(before, last, 0);
            ends_.push_back(groups_.size());
        }
    }

    // Of one word, in the orders of one band.
    Minima minima(Number word, const Minima &orders) const {
        Minima least = none;
        for (std::size_t n = word == 0 ? 0 : ends_[word - 1]; n < ends_[word]; ++n)
            for (std::size_t row = 0; row < rows; ++row)
                least[row] = std::min(least[row], mixed(groups_[n] ^ orders[row]));
        return least;
    }

  private:
    void add(char32_t a, char32_t b, char32_t c) {
        groups_.push_back(std::uint64_t{a} << 42 | std::uint64_t{b} << 21 | c);
    }

    std::pmr::vector<std::uint64_t> groups_;
    std::pmr::vector<std::size_t> ends_;
};

// A text in a band.
struct Place {
    std::uint64_t key;
    std::size_t letters;
    Number text;

    bool operator<(const Place &other) const noexcept {
        if (key != other.key)
            return key < other.key;
        return letters != other.letters ? letters < other.letters : text < other.text;
    }
};

class Search {
  public:
    Search(const Texts &texts, double threshold, std::pmr::memory_resource *memory,
           text::Interruption &interruption)
        : texts_(texts), threshold_(threshold), memory_(memory), pause_(interruption),
          originals_(originals_of(texts, memory)), groups_(texts, memory),
          of_words_(texts.words(), none, memory), places_(memory), near_(memory) {
        for (Number text = 0; text < texts.size(); ++text)
            near_.emplace_back();
    }

    void search() {
        for (int band = 0; band < bands; ++band) {
            fill(static_cast<std::uint64_t>(band));
            for (std::size_t n = 0; n < places_.size(); ++n)
                compare_with_next(n);
        }
    }

    std::pmr::vector<Cluster> clusters();

  private:
    using Near = std::pmr::vector<Member>;

    void fill(std::uint64_t band) {
        Minima orders;
        for (std::size_t row = 0; row < rows; ++row)
            orders[row] = mixed(band * rows + row);
        for (Number word = 0; word < of_words_.size(); ++word) {
            pause_.step(texts_.word(word).size());
            of_words_[word] = groups_.minima(word, orders);
        }
        places_.clear();
        for (Number text = 0; text < texts_.size(); ++text)
            if (originals_[text] == text && texts_.letters(text) > 0)
                places_.push_back({key_of(text), texts_.letters(text), text});
        std::sort(places_.begin(), places_.end());
    }

    std::uint64_t key_of(Number text) {
        Minima least = none;
        pause_.step(texts_.sorted(text).size());
        for (const Number word : texts_.sorted(text))
            for (std::size_t row = 0; row < rows; ++row)
                least[row] = std::min(least[row], of_words_[word][row]);
        std::uint64_t key = texts_.apart(text);
        for (const std::uint64_t minimum : least)
            key = mixed(key, minimum);
        return key;
    }

    void compare_with_next(std::size_t n) {
        const Place &place = places_[n];
        const std::size_t end = std::min(places_.size(), n + 1 + window);
        for (std::size_t m = n + 1; m < end && places_[m].key == place.key; ++m) {
            if (most_similarity(place.letters, places_[m].letters) < threshold_)
                return; // the next ones are longer still
            compare(place.text, places_[m].text);
        }
    }

    void compare(Number a, Number b) {
        pause_.step();
        if (most_similarity(texts_, a, b) < threshold_ ||
            (near_[a].size() >= window && near_[b].size() >= window) || are_near(a, b))
            return;
        pause_.step(texts_.letters(a) + texts_.letters(b));
        const double found = similarity(texts_, a, b);
        if (found < threshold_)
            return;
        near_[a].push_back({b, found});
        near_[b].push_back({a, found});
    }

    bool are_near(Number a, Number b) const {
        const auto is_b = [b](const Member &member) { return member.text == b; };
        return std::any_of(near_[a].begin(), near_[a].end(), is_b);
    }

    const Texts &texts_;
    double threshold_;
    std::pmr::memory_resource *memory_;
    text::Pause pause_;
    std::pmr::vector<Number> originals_;
    Groups groups_;
    std::pmr::vector<Minima> of_words_; // in the band
    std::pmr::vector<Place> places_;    // in the band
    std::pmr::vector<Near> near_;       // of originals
};

std::pmr::vector<Cluster> Search::clusters() {
    constexpr Number free = std::numeric_limits<Number>::max();
    std::pmr::vector<Number> place(texts_.size(), free, memory_); // of a text's cluster
    std::pmr::vector<double> similarities(texts_.size(), 1, memory_);
    std::pmr::vector<Cluster> found(memory_);
    for (Number text = 0; text < texts_.size(); ++text) {
        if (originals_[text] != text) { // it goes where its original is
            place[text] = place[originals_[text]];
            similarities[text] = similarities[originals_[text]];
        } else if (place[text] == free) {
            place[text] = static_cast<Number>(found.size());
            for (const Member &member : near_[text])
                if (place[member.text] == free) {
                    place[member.text] = place[text];
                    similarities[member.text] = member.similarity;
                }
            found.push_back({text, Near(memory_)});
        }
        Cluster &cluster = found[place[text]];
        if (cluster.first != text && texts_.letters(text) > 0)
            cluster.others.push_back({text, similarities[text]});
    }
    std::erase_if(found, [](const Cluster &cluster) { return cluster.others.empty(); });
    return found;
}

} // namespace

std::pmr::vector<Cluster> clusters_of(const Texts &texts, double threshold,
                                      std::pmr::memory_resource *memory,
                                      text::Interruption &interruption) {
    Search search(texts, threshold, memory, interruption);
    search.search();
    return search.clusters();
}

} // namespace memory::similar
