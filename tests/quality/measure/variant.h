// Ways to read texts that differ from ours in one thing each, to see what that thing is worth.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "rank/bm25.h"
#include "text/characters.h"
#include "text/terms.h"

namespace quality {

using memory::text::Token;
using memory::text::Weight;

struct Variant {
    enum class Length : std::uint8_t {
        as_it_is,
        with_stop_words,
        wholes_with_parts, // a whole and its first part count as one
    };

    const char *name = "as it is";
    bool (*drops)(const Token &) = nullptr; // tokens that neither documents nor queries have
    Length length = Length::as_it_is;
    bool stop_words_are_words = false;
    bool asks_once = false; // a word counts once in a query, however often it is there
    memory::rank::Bm25Parameters parameters{};
};

// What is left of a text's tokens for the variant.
class Reading final : public memory::text::TokenSink {
  public:
    explicit Reading(const Variant &variant) : variant_(variant) {}

    void clear() {
        terms_.clear();
        tokens_ = shared_ = next_ordinal_ = 0;
    }

    void take(const Token &token) override {
        if (variant_.drops != nullptr && variant_.drops(token))
            return;
        Token taken = token;
        if (variant_.stop_words_are_words)
            taken.weight = Weight::word;
        terms_.take(taken);
        ++tokens_;
        shared_ += taken.weight != Weight::weak && token.ordinal < next_ordinal_;
        next_ordinal_ = std::max<std::uint64_t>(next_ordinal_, token.ordinal + 1);
    }

    memory::text::Terms &terms() { return terms_; }

    std::uint64_t length() const {
        switch (variant_.length) {
        case Variant::Length::with_stop_words:
            return tokens_;
        case Variant::Length::wholes_with_parts:
            return terms_.length() - shared_;
        default:
            return terms_.length();
        }
    }

  private:
    const Variant variant_;
    memory::text::Terms terms_{std::pmr::get_default_resource()};
    std::uint64_t tokens_ = 0;
    std::uint64_t shared_ = 0; // tokens of a unit that has had one
    std::uint64_t next_ordinal_ = 0;
};

inline bool is_letter_or_hyphen(char byte) {
    return memory::text::is_ascii_letter(static_cast<unsigned char>(byte)) || byte == '-';
}

inline bool is_hyphenated_word(const Token &token) {
    return token.term.find('-') != token.term.npos &&
           std::all_of(token.term.begin(), token.term.end(), is_letter_or_hyphen);
}

inline bool is_single_letter(const Token &token) {
    return token.term.size() == 1 && is_letter_or_hyphen(token.term[0]);
}

inline bool is_number(const Token &token) {
    return std::all_of(token.term.begin(), token.term.end(),
                       [](char byte) { return byte >= '0' && byte <= '9'; });
}

// What docs/quality.md shows.
inline std::vector<Variant> variants() {
    return {
        {},
        {.name = "without wholes of hyphenated words", .drops = is_hyphenated_word},
        {.name = "without single letters", .drops = is_single_letter},
        {.name = "without numbers", .drops = is_number},
        {.name = "stop words are words", .stop_words_are_words = true},
        {.name = "a document's length counts its stop words",
         .length = Variant::Length::with_stop_words},
        {.name = "a document's length counts a whole and its parts once",
         .length = Variant::Length::wholes_with_parts},
        {.name = "a word asked twice counts once", .asks_once = true},
        {.name = "b = 0.75", .parameters = {0.9, 0.75}},
        {.name = "k1 = 1.2", .parameters = {1.2, 0.4}},
        {.name = "k1 = 1.2, b = 0.75", .parameters = {1.2, 0.75}},
        {.name = "k1 = 2, b = 0.75", .parameters = {2, 0.75}},
        {.name = "k1 = 1.2, b = 0.75, without wholes of hyphenated words",
         .drops = is_hyphenated_word,
         .parameters = {1.2, 0.75}},
    };
}

} // namespace quality
