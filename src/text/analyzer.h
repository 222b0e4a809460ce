// The door of the room: a text in any language in, its tokens out.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <string_view>

#include "text/dictionary.h"
#include "text/interruption.h"
#include "text/lexicon.h"
#include "text/scanner.h"
#include "text/token.h"
#include "text/unspaced.h"

namespace memory::text {

// Owns what makes the next analysis cheap: buffers, ICU's objects, the words seen before. One per
// thread; keep it.
class Analyzer {
  public:
    struct Options {
        std::size_t cache_slots = 4096; // a power of two, at least 2; 64 bytes each
        bool shortcuts = true;          // off only to prove that they make no difference
    };

    // The dictionaries and what may end an analysis must outlive the analyzer. Throws IcuFailure.
    Analyzer(const Dictionaries &dictionaries, std::pmr::memory_resource *memory, Options options,
             Interruption &interruption = Interruption::none());
    Analyzer(const Dictionaries &dictionaries, std::pmr::memory_resource *memory)
        : Analyzer(dictionaries, memory, Options{}) {}
    Analyzer(const Analyzer &) = delete;
    Analyzer &operator=(const Analyzer &) = delete;

    // Hands every token of `text` to `sink`, which must not use the analyzer. What the sink, a
    // dictionary, the memory resource or the interruption throws passes through and leaves the
    // analyzer usable.
    // Throws TextTooLong, InvalidUtf8 if asked to.
    void analyze(std::string_view text, TokenSink &sink, BadBytes bad_bytes = BadBytes::separate);

    Interruption &interruption() const { return pause_.interruption(); }

  private:
    Pause pause_;
    Lexicon lexicon_;
    ComplexRuns complex_;
    bool shortcuts_;
};

} // namespace memory::text
