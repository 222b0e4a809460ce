// What an analysis yields.
#pragma once

#include <cstdint>
#include <string_view>

namespace memory::text {

// How much a token counts.
enum class Weight : std::uint8_t {
    word,   // counted, searched
    single, // the same: a Han, Kana or Hangul character that stands alone
    weak, // not counted; searched only by a query without a word: a stop word, a character inside a
          // run
};

struct Token {
    std::string_view term; // valid until the sink returns; well-formed UTF-8, 1 to max_term_bytes
    std::uint32_t ordinal; // which unit of the text, from 0; shared by a whole and its first part
    std::uint32_t begin;   // bytes [begin, end) of the analysed text, on character boundaries
    std::uint32_t end;
    Weight weight;
};

// Takes tokens in the order of the text, a whole after its parts.
class TokenSink {
  public:
    virtual void take(const Token &token) = 0;

  protected:
    ~TokenSink() = default;
};

} // namespace memory::text
