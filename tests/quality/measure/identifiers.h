// The identifier test: generated identifiers, each in a text of its own, each asked for with
// punctuation around it, must be the first and only best answer.
#pragma once

#include <array>
#include <cstdio>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine.h"

namespace quality {

struct Identifier {
    std::string_view kind;
    std::string written; // in the document
    std::string asked;   // in the query; another spelling, for phone numbers
};

class IdentifierGenerator {
  public:
    static constexpr std::array<std::string_view, 10> kinds{
        "mail", "url", "uuid", "version", "snake-kebab", "camel", "phone", "path", "emoji", "code"};

    explicit IdentifierGenerator(unsigned seed) : random_(seed) {}

    // One that is not like any before it.
    Identifier next(std::string_view kind) {
        for (;;) {
            Identifier made = make(kind);
            std::string key = kind == "phone" ? digits(made.written) : made.written;
            if (seen_.insert(std::move(key)).second)
                return made;
        }
    }

    // The identifier with punctuation and spaces on both sides.
    std::string punctuated(const std::string &identifier) {
        static constexpr std::string_view before[] = {"",    "(", "\"", "'",  "<",  "[",
                                                      "“",   "«", "#",  "*",  "--", "_",
                                                      "...", "{", "= ", ": ", "~",  "/"};
        static constexpr std::string_view after[] = {"",    ")", "\"", "'", ">", "]",
                                                     "”",   "»", ".",  ",", "?", "!",
                                                     "...", "}", ";",  ":", "_", "/"};
        return std::string(pick(before)) + identifier + std::string(pick(after));
    }

    std::string filler() {
        static constexpr std::string_view words[] = {
            "please",  "note",  "that",   "the",  "order",  "was",      "sent",   "to",    "our",
            "meeting", "about", "report", "from", "Monday", "customer", "server", "error", "asked"};
        std::string text;
        for (int i = number(2, 12); i > 0; --i)
            text += std::string(pick(words)) + " ";
        return text;
    }

  private:
    int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
    template <std::size_t size>
    std::string_view pick(const std::string_view (&from)[size]) {
        return from[static_cast<std::size_t>(number(0, static_cast<int>(size) - 1))];
    }
    std::string word() {
        static constexpr std::string_view words[] = {
            "alpha", "beta", "gamma", "delta", "user",  "order", "item", "cache", "index", "north",
            "south", "blue", "red",   "main",  "store", "queue", "log",  "node",  "api",   "test"};
        return std::string(pick(words));
    }
    std::string count(int most) { return std::to_string(number(0, most)); }
    std::string random_digits(int size) {
        std::string digits;
        for (int i = 0; i < size; ++i)
            digits += static_cast<char>('0' + number(0, 9));
        return digits;
    }
    std::string hexadecimal(int size) {
        std::string digits;
        for (int i = 0; i < size; ++i)
            digits += "0123456789abcdef"[number(0, 15)];
        return digits;
    }
    static std::string capital(std::string word) {
        word[0] = static_cast<char>(word[0] - ('a' - 'A'));
        return word;
    }
    static std::string digits(std::string_view text) {
        std::string kept;
        for (const char byte : text)
            if (byte >= '0' && byte <= '9')
                kept += byte;
        return kept.substr(kept.size() > 10 ? kept.size() - 10 : 0);
    }

    Identifier same(std::string_view kind, std::string text) { return {kind, text, text}; }

    Identifier make(std::string_view kind) {
        if (kind == "mail")
            return same(kind, word() + "." + word() + count(99) + "@" + word() + ".example.org");
        if (kind == "url")
            return same(kind, "https://" + word() + ".example.org/" + word() + "/" + word() + "?" +
                                  word() + "=" + count(99) + "#" + word());
        if (kind == "uuid")
            return same(kind, hexadecimal(8) + "-" + hexadecimal(4) + "-4" + hexadecimal(3) + "-a" +
                                  hexadecimal(3) + "-" + hexadecimal(12));
        if (kind == "version")
            return same(kind, std::string(number(0, 1) ? "v" : "") + count(12) + "." + count(15) +
                                  "." + count(40));
        if (kind == "snake-kebab")
            return same(kind, word() + "_" + word() + "-" + count(99));
        if (kind == "camel")
            return same(kind, word() + capital(word()) + capital(word()) + count(9));
        if (kind == "path")
            return same(kind, "/" + word() + "/" + word() + "/" + word() + count(30) + ".log");
        if (kind == "code")
            return same(kind, capital(word()).substr(0, 2) + "-" + random_digits(5));
        return kind == "phone" ? phone() : emoji();
    }

    Identifier phone() {
        const std::string area = std::to_string(number(200, 989));
        const std::string middle = random_digits(3);
        const std::string last = random_digits(4);
        const std::string written[] = {
            "+1 " + area + " " + middle + " " + last,   "(" + area + ") " + middle + "-" + last,
            area + "-" + middle + "-" + last,           area + "." + middle + "." + last,
            "+1-" + area + "-" + middle + "-" + last,   area + middle + last,
            "+1 (" + area + ") " + middle + "-" + last, "001 " + area + " " + middle + " " + last};
        const auto any = [&] { return written[static_cast<std::size_t>(number(0, 7))]; };
        return {"phone", any(), any()};
    }

    // A person of some skin tone at some work; two of them; or a flag.
    Identifier emoji() {
        static constexpr std::string_view people[] = {"👩", "👨", "🧑"};
        static constexpr std::string_view tones[] = {"", "🏻", "🏼", "🏽", "🏾", "🏿"};
        static constexpr std::string_view works[] = {"💻",      "🔬",      "🚀",      "🎨", "🚒", "🌾",
                                                     "🍳",      "🏫",      "🏭",      "💼", "🔧", "🎤",
                                                     "⚖️", "✈️", "⚕️", "🎓"};
        const auto person = [&] { return std::string(pick(people)) + std::string(pick(tones)); };
        switch (number(0, 2)) {
        case 0:
            return same("emoji", person() + "\u200D" + std::string(pick(works)));
        case 1:
            return same("emoji", person() + "\u200D❤️\u200D" + person());
        default:
            return same("emoji", flag_letter() + flag_letter());
        }
    }
    std::string flag_letter() {
        std::string letter = "\U0001F1E6";
        letter.back() = static_cast<char>(letter.back() + number(0, 25));
        return letter;
    }

    std::mt19937 random_;
    std::set<std::string> seen_;
};

struct IdentifierResult {
    std::size_t asked = 0;
    std::size_t first = 0;           // alone at rank 1
    std::vector<std::string> missed; // some, for people
};

// Generates `count` identifiers of all kinds (emoji at most 400: there are not more), puts each in
// a text, and asks for each.
inline IdentifierResult test_identifiers(memory::text::Analyzer &analyzer, std::size_t count,
                                         unsigned seed) {
    IdentifierGenerator generator(seed);
    std::vector<Identifier> identifiers;
    std::size_t emoji = 0;
    for (std::size_t i = 0; identifiers.size() < count; ++i) {
        const std::string_view kind = generator.kinds[i % generator.kinds.size()];
        if (kind != "emoji" || ++emoji <= 400)
            identifiers.push_back(generator.next(kind));
    }
    Engine engine(analyzer);
    for (const Identifier &identifier : identifiers)
        engine.add(generator.filler() + identifier.written + " " + generator.filler());
    IdentifierResult result;
    for (std::uint32_t i = 0; i < identifiers.size(); ++i) {
        const std::string query = generator.punctuated(identifiers[i].asked);
        const std::vector<Engine::Hit> hits = engine.search(query, 2);
        const bool first = !hits.empty() && hits[0].key == i &&
                           (hits.size() == 1 || hits[1].score < hits[0].score);
        ++result.asked;
        result.first += first;
        if (!first && result.missed.size() < 20)
            result.missed.push_back(query + " for " + identifiers[i].written);
    }
    return result;
}

} // namespace quality
