// Case and width are folded by NFKC; words are what letters, digits and marks make side by side.
#include "lifecycle/similar/texts.h"

#include "lifecycle/similar/mix.h"
#include "text/names.h"
#include "text/utf8.h"

#include <algorithm>

namespace memory::similar {

namespace {

constexpr bool is_digit(char32_t letter) noexcept { return letter - U'0' < 10; }

// A hash of the numbers in the words, whatever their order.
class Numbers {
  public:
    void read(std::u32string_view word) {
        std::uint64_t number = 0;
        for (const char32_t letter : word) {
            if (is_digit(letter))
                number = mixed(number, letter);
            else
                end(number);
        }
        end(number);
    }
    std::uint64_t hash() const noexcept { return sum_; }

  private:
    void end(std::uint64_t &number) noexcept {
        if (number != 0)
            sum_ += mixed(number);
        number = 0;
    }

    std::uint64_t sum_ = 0;
};

void count(std::u32string_view word, Texts::Counts &counts) {
    for (const char32_t letter : word) {
        std::uint8_t &here = counts[letter % counts.size()];
        here = static_cast<std::uint8_t>(here + (here < 255 ? 1 : 0));
    }
}

} // namespace

void Texts::add_word(std::u32string_view word) {
    auto found = numbers_.find(word);
    if (found == numbers_.end()) {
        found = numbers_.emplace(word, static_cast<Number>(words_.size())).first;
        words_.push_back(&found->first);
    }
    in_order_.push_back(found->second);
}

void Texts::add(std::string_view utf8, std::uint64_t group, text::Interruption &interruption) {
    // Folded first: what is left of it has no case by which words could be told apart.
    const std::pmr::string folded = text::normal_name(utf8, memory_, interruption);
    const std::pmr::string joined = text::normal_predicate(folded, memory_, interruption);
    const std::size_t begin = in_order_.size();
    Numbers numbers;
    std::size_t letters = 0;
    Counts counts{};
    std::pmr::u32string word(memory_);
    for (std::size_t at = 0; at <= joined.size();) {
        const text::Decoded next =
            at < joined.size() ? text::decode(joined, at) : text::Decoded{U'_', 1};
        at += next.size;
        if (next.point != U'_') {
            word.push_back(next.point);
        } else if (!word.empty()) {
            numbers.read(word);
            letters += word.size();
            count(word, counts);
            add_word(word);
            word.clear();
        }
    }
    sorted_.insert(sorted_.end(), in_order_.begin() + static_cast<std::ptrdiff_t>(begin),
                   in_order_.end());
    std::sort(sorted_.begin() + static_cast<std::ptrdiff_t>(begin), sorted_.end());
    ends_.push_back(in_order_.size());
    letters_.push_back(letters);
    counts_.push_back(counts);
    apart_.push_back(mixed(group, numbers.hash()));
}

} // namespace memory::similar
