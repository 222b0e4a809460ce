// The walk over one text: finds atoms and runs, and leads each to what makes its tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/compound.h"
#include "text/interruption.h"
#include "text/lexicon.h"
#include "text/phone.h"
#include "text/token.h"
#include "text/unspaced.h"

namespace memory::text {

// What to do with bytes that are not UTF-8.
enum class BadBytes : std::uint8_t {
    separate, // each is a separator
    refuse,   // InvalidUtf8
};

class Scanner {
  public:
    // `fast` takes ASCII letters and digits a byte at a time; it changes no token.
    Scanner(std::string_view text, Lexicon &lexicon, ComplexRuns &complex, TokenSink &sink,
            Pause &pause, bool fast)
        : text_(text), lexicon_(lexicon), complex_(complex), sink_(sink), pause_(pause),
          fast_(fast), compounds_(text, lexicon.folder(), sink), phones_(text, sink) {}

    // Hands every token of the text to the sink. Once.
    void run(BadBytes bad_bytes);

  private:
    // A letter, a digit and what follows; what was seen on the way.
    struct Atom {
        std::size_t begin;
        std::size_t end;
        bool letters;
        bool digits;
        bool inner_capital;
        bool grouped; // 1,234,567
    };

    std::size_t take_beyond_ascii(std::size_t at, BadBytes bad_bytes);
    std::size_t take_atom(std::size_t begin);
    std::size_t take_emoji_at(std::size_t begin);
    std::size_t take_keycap(std::size_t begin, std::size_t end);

    Atom scan(std::size_t begin) const;
    std::size_t take(std::size_t at, BadBytes bad_bytes);
    bool scan_ascii(Atom &atom) const;
    bool scan_character(Atom &atom) const;
    bool joins_inside(const Atom &atom, std::size_t after) const;
    bool groups_thousands(const Atom &atom) const;

    std::size_t emit_terms(std::size_t begin, std::size_t end, std::uint32_t ordinal, bool weak);
    std::uint32_t emit_parts(const Atom &atom);
    void emit_signed(const Atom &atom, std::size_t term_size);
    bool is_contracted(const Atom &atom) const;
    void break_identifiers();

    char byte(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
    std::size_t apostrophe_size(std::size_t at) const;

    std::string_view text_;
    Lexicon &lexicon_;
    ComplexRuns &complex_;
    TokenSink &sink_;
    Pause &pause_;
    const bool fast_;
    Compounds compounds_;
    PhoneNumbers phones_;
    std::uint32_t ordinal_ = 0;
    std::size_t last_atom_end_ = 0;
};

} // namespace memory::text
