// Runs of scripts that put no space between words: bigrams for Han, Kana and Hangul; dictionary
// words and trigrams of clusters for Thai and its kin.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>

#include <unicode/ubrk.h>

#include "text/fold.h"
#include "text/interruption.h"
#include "text/term.h"
#include "text/token.h"

namespace memory::text {

// Where the run that began ended, and the ordinal of the unit after it.
struct RunEnd {
    std::size_t at;
    std::uint32_t ordinal;
};

// The last few units of a run, folded, and where they stand. Holds the bytes of each unit up to a
// bound.
class RecentUnits {
  public:
    static constexpr std::size_t unit_bytes = 32;

    void clear() { count_ = 0; }
    // Adds a unit; what does not fit of its bytes is dropped at a character.
    void push(std::string_view bytes, std::size_t begin, std::size_t end);
    // Adds to the last unit, under the same bound.
    void extend(std::string_view bytes);
    std::size_t count() const { return count_; } // of all units pushed since clear()

    // Hands the last `size` units, joined, to the sink; `size` is at most 3 and at most count().
    void emit(std::size_t size, std::uint32_t ordinal, Weight weight, TokenSink &sink) const;

  private:
    struct Unit {
        std::array<char, unit_bytes> bytes;
        std::size_t size;
        std::size_t begin;
        std::size_t end;
    };
    static constexpr std::size_t units_kept = 4;

    const Unit &last(std::size_t back) const { return units_[(count_ - 1 - back) % units_kept]; }

    std::array<Unit, units_kept> units_;
    std::size_t count_ = 0;
};

// Takes the run of ideograph characters that begins at `begin`.
RunEnd take_ideographs(std::string_view text, std::size_t begin, std::uint32_t ordinal,
                       Folder &folder, TokenSink &sink, Pause &pause);

// Takes runs of complex characters. Opens ICU's word dictionaries when it first meets one.
class ComplexRuns {
  public:
    explicit ComplexRuns(std::pmr::memory_resource *memory) : units_(memory) {}

    // Takes the run that begins at `begin`. Throws IcuFailure.
    RunEnd take(std::string_view text, std::size_t begin, std::uint32_t ordinal, Folder &folder,
                TokenSink &sink, Pause &pause);

  private:
    struct Close {
        void operator()(UBreakIterator *words) const { ubrk_close(words); }
    };

    // A stretch of a run, of whole clusters.
    struct Window {
        std::size_t begin;
        std::size_t end;
        std::uint32_t ordinal; // of its first cluster
    };

    void open_words(std::string_view window);
    void take_words(std::string_view text, const Window &window, Folder &folder, TokenSink &sink);

    std::unique_ptr<UBreakIterator, Close> words_;
    std::pmr::u16string units_; // what words_ looks at
    TermBuilder term_;
};

} // namespace memory::text
