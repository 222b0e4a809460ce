#include "index/segment/scorer.h"

#include <algorithm>
#include <bit>

namespace memory::segment {

namespace {

constexpr std::uint32_t window_documents = 4096;
constexpr std::uint32_t nothing = UINT32_MAX;

using Bits = std::array<std::uint64_t, window_documents / 64>;

class Finder {
  public:
    Finder(Segment &segment, const Search &search, std::pmr::memory_resource *memory)
        : segment_(segment), search_(search), next_(search.lists.size(), 0, memory),
          met_(search.conditions.size(), memory), scores_(memory),
          excluded_(search.excluded.begin()) {
        if (!search.weights.empty()) {
            scores_.resize(window_documents);
        }
        for (PostingList &list : search_.lists) {
            list.rewind();
            list.next();
        }
    }

    void run(std::pmr::vector<Found> &found) {
        for (std::uint32_t least = first(); least != nothing; least = first()) {
            begin_ = least - least % window_documents;
            for (Bits &bits : met_) {
                bits.fill(0);
            }
            for (std::uint32_t term = 0; term < search_.lists.size(); ++term) {
                take(term);
            }
            exclude();
            emit(found);
        }
    }

  private:
    bool at_end(std::uint32_t term) const {
        return next_[term] == search_.lists[term].block().size || search_.lists[term].size() == 0;
    }

    // The least ordinal that no window has covered.
    std::uint32_t first() const {
        std::uint32_t least = nothing;
        for (std::uint32_t term = 0; term < search_.lists.size(); ++term) {
            if (!at_end(term)) {
                least = std::min(least, search_.lists[term].block().ordinals[next_[term]]);
            }
        }
        return least;
    }

    // A term's postings in the window.
    void take(std::uint32_t term) {
        PostingList &list = search_.lists[term];
        Bits has{};
        const double weight = search_.weights.empty() ? 0 : search_.weights[term];
        bool any = false;
        while (!at_end(term)) {
            const codec::PostingBuffer &block = list.block();
            std::uint32_t at = next_[term];
            for (; at < block.size && block.ordinals[at] - begin_ < window_documents; ++at) {
                const std::uint32_t place = block.ordinals[at] - begin_;
                has[place / 64] |= std::uint64_t{1} << (place % 64);
                if (weight > 0) {
                    scores_[place] +=
                        rank::Bm25::score(weight, block.counts[at],
                                          search_.bm25->norm(segment_.length(block.ordinals[at])));
                }
                any = true;
            }
            next_[term] = at;
            if (at < block.size) {
                break;
            }
            if (list.next()) {
                next_[term] = 0;
            }
        }
        if (!any) {
            return;
        }
        for (std::size_t condition = 0; condition < met_.size(); ++condition) {
            const auto &terms = search_.conditions[condition];
            if (std::find(terms.begin(), terms.end(), term) == terms.end()) {
                continue;
            }
            for (std::size_t word = 0; word < has.size(); ++word) {
                met_[condition][word] |= has[word];
            }
        }
        for (std::size_t word = 0; word < has.size(); ++word) {
            touched_[word] |= has[word];
        }
    }

    void exclude() {
        while (excluded_ != search_.excluded.end() && *excluded_ < begin_) {
            ++excluded_;
        }
        for (; excluded_ != search_.excluded.end() && *excluded_ - begin_ < window_documents;
             ++excluded_) {
            const std::uint32_t place = *excluded_ - begin_;
            met_[0][place / 64] &= ~(std::uint64_t{1} << (place % 64));
        }
    }

    void emit(std::pmr::vector<Found> &found) {
        for (std::size_t word = 0; word < touched_.size(); ++word) {
            std::uint64_t wanted = touched_[word];
            for (const Bits &bits : met_) {
                wanted &= bits[word];
            }
            for (std::uint64_t rest = touched_[word]; rest != 0; rest &= rest - 1) {
                const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
                const auto place = static_cast<std::uint32_t>(word * 64) + bit;
                double score = 0;
                if (!scores_.empty()) {
                    score = scores_[place];
                    scores_[place] = 0;
                }
                if ((wanted >> bit & 1) != 0) {
                    found.push_back({score, begin_ + place});
                }
            }
            touched_[word] = 0;
        }
    }

    Segment &segment_;
    const Search &search_;
    std::pmr::vector<std::uint32_t> next_; // by term, in its list's block
    std::pmr::vector<Bits> met_;           // by condition
    Bits touched_{};
    std::pmr::vector<double> scores_; // zero between windows
    std::span<const std::uint32_t>::iterator excluded_;
    std::uint32_t begin_ = 0;
};

} // namespace

void find(Segment &segment, const Search &search, std::pmr::vector<Found> &found,
          std::pmr::memory_resource *memory) {
    Finder(segment, search, memory).run(found);
}

} // namespace memory::segment
