// The corpus of the benchmarks: documents of tenants, words and tenants of Zipf sizes. The same
// numbers give the same corpus on every machine: nothing here leaves a choice to a library.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace bench {

// SplitMix64 (Steele, Lea, Flood 2014).
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }

    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>((next() >> 32) * bound >> 32);
    }

    double normal() {
        return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * std::numbers::pi * uniform());
    }

  private:
    std::uint64_t state_;
};

// Ranks from 0, of weight 1/(rank + offset)^exponent.
class Zipf {
  public:
    Zipf(std::uint32_t ranks, double exponent, double offset) : cumulative_(ranks) {
        double sum = 0;
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
            cumulative_[rank] = sum += std::pow(rank + offset, -exponent);
    }

    std::uint32_t draw(Random &random) const {
        const double point = random.uniform() * cumulative_.back();
        const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), point);
        return static_cast<std::uint32_t>(std::min(found, cumulative_.end() - 1) -
                                          cumulative_.begin());
    }

  private:
    std::vector<double> cumulative_;
};

struct Document {
    std::uint32_t tenant;
    std::vector<std::uint32_t> words; // in the order of the text
};

// Seven words in ten are everybody's, three of a vocabulary of the tenant's own; a document has 29
// words on average, from 4 to 400, or as many times more as is asked for.
class ZipfCorpus {
  public:
    ZipfCorpus(std::uint32_t tenants, std::uint64_t seed, double times = 1)
        : times_(times), random_(seed), everybodys_(vocabulary, 1.07, 2.7),
          own_(own_vocabulary, 1.0, 2.7), tenants_(tenants, 0.8, 1) {
        for (std::uint32_t tenant = 0; tenant < tenants; ++tenant)
            first_own_.push_back(2000 + random_.below(vocabulary - own_vocabulary - 2000));
    }

    Document next() {
        Document document{.tenant = tenants_.draw(random_), .words = {}};
        const double drawn = std::exp(3.2 + 0.6 * random_.normal());
        const auto length = static_cast<std::size_t>(std::clamp(drawn, 4.0, 400.0) * times_);
        while (document.words.size() < length) {
            document.words.push_back(random_.uniform() < 0.3 ? own_word(document.tenant)
                                                             : everybodys_.draw(random_));
        }
        return document;
    }

    // One to six of a document's words, the rarer ones more likely.
    static std::vector<std::uint32_t> query(const Document &document, Random &random) {
        std::vector<std::pair<double, std::uint32_t>> drawn;
        std::vector<std::uint32_t> words = document.words;
        std::sort(words.begin(), words.end());
        words.erase(std::unique(words.begin(), words.end()), words.end());
        for (const std::uint32_t word : words)
            drawn.emplace_back(-std::log(1 - random.uniform()) / std::pow(word + 5.0, 0.25), word);
        std::sort(drawn.begin(), drawn.end());
        drawn.resize(std::min<std::size_t>(1 + random.below(6), drawn.size()));
        std::vector<std::uint32_t> query;
        for (const auto &[key, word] : drawn)
            query.push_back(word);
        return query;
    }

    // How a word is spelt: consonants and vowels in turn, common words short.
    static std::string spell(std::uint32_t word) {
        std::string spelling;
        for (std::uint32_t rest = word + 37; rest > 0;) {
            spelling += "bcdfghjklmnprstvz"[rest % 17];
            rest /= 17;
            spelling += "aeiou"[rest % 5];
            rest /= 5;
        }
        return spelling;
    }

  private:
    static constexpr std::uint32_t vocabulary = 200000;
    static constexpr std::uint32_t own_vocabulary = 5000;

    std::uint32_t own_word(std::uint32_t tenant) {
        return (first_own_[tenant] + own_.draw(random_) * 7919) % vocabulary;
    }

    double times_;
    Random random_;
    Zipf everybodys_;
    Zipf own_;
    Zipf tenants_;
    std::vector<std::uint32_t> first_own_;
};

} // namespace bench
