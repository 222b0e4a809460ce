// What a query asks of a text, in terms: what compile.h makes of its clauses, and what an index or
// a reader of texts answers.
//
// A query is clauses, a clause is groups that must all be there, a group is alternatives of which
// one must be there. What is not known yet is `maybe`: so an index that knows a document's terms,
// but neither their order nor, perhaps, its openings, learns from the same evaluation whether the
// text must be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/grammar/openings.h"
#include "index/grammar/parser.h"
#include "index/grammar/phrase.h"

namespace memory::index::grammar {

// Ordered: "all of them" is the least, "one of them" the greatest.
enum class Answer : std::uint8_t { no, maybe, yes };

struct PatternTerm {
    std::string_view term;      // as an index stores it: a weak one begins with text::weak_mark
    std::uint32_t multiplicity; // in the bag that BM25 scores; 0: asked for, not scored
    bool placed;                // part of a phrase: where it stands in the text is of interest
    bool looked_up;             // false: a stop word inside a phrase; leave it at `maybe`
};

// What matching documents have in common, in terms that are looked up (numbers in
// Pattern::terms()).
struct Necessary {
    explicit Necessary(std::pmr::memory_resource *memory);

    // Of each of these a match has one term. No condition: it may have none of the terms at all.
    // A condition without terms: there is no match.
    std::pmr::vector<std::pmr::vector<std::uint32_t>> conditions;
    // Of these it has none.
    std::pmr::vector<std::uint32_t> forbidden;
    // Whether this is all that is asked, so that nothing remains for Evidence or the text.
    bool sufficient = true;
};

class Pattern {
  public:
    explicit Pattern(std::pmr::memory_resource *memory);
    Pattern(Pattern &&) = default;
    Pattern &operator=(Pattern &&) = delete;

    // Everything that is asked for, in ascending byte order.
    std::span<const PatternTerm> terms() const { return terms_; }
    // A document has one when a term of it that is not weak begins so, or is near the word.
    Openings openings() const { return {prefixes_, nears_}; }

    // The place of a term among terms(), if it is there.
    std::optional<std::uint32_t> find(std::string_view term, bool weak) const;

    // Whether the terms and openings of a document may leave `maybe`: there is a phrase.
    bool needs_text() const { return needs_text_; }

    Necessary necessary(std::pmr::memory_resource *memory) const;

    // What a document answers of which these terms() and openings() are known.
    Answer answer(std::span<const Answer> terms, std::span<const Answer> openings) const;

    // The phrases, to be found among the places of a text's placed terms.
    Phrases phrases(std::pmr::memory_resource *memory) const;

    // The same for a text that is known: no answer given is `maybe`, and its phrases are found.
    bool matches(std::span<const Answer> terms, std::span<const Answer> openings,
                 const Phrases &phrases) const;

  private:
    friend class Compiler;

    enum class Of : std::uint8_t { term, prefix, near };
    struct Alternative {
        Of of;
        std::uint32_t number; // in terms_, or of the openings
    };
    struct Group {
        std::uint32_t begin; // in alternatives_
        std::uint32_t end;
        std::uint32_t offset; // of a phrase's group: its ordinal less the first group's
    };
    struct Demand {
        Mark mark;
        std::uint32_t phrase; // its number if the groups are a phrase; or no_phrase
        std::uint32_t begin;  // in groups_
        std::uint32_t end;

        bool in_order() const { return phrase != no_phrase; }
    };
    static constexpr std::uint32_t no_phrase = UINT32_MAX;
    struct Known {
        std::span<const Answer> terms;
        std::span<const Answer> openings;
        const Phrases *phrases; // null: not known
    };

    Answer answer(const Known &known) const;
    Answer answer(const Demand &demand, const Known &known) const;
    Answer answer(const Group &group, const Known &known) const;
    bool is_settled(const Group &group) const;
    void append(const Group &group, std::pmr::vector<std::uint32_t> &terms) const;
    void require(const Demand &demand, Necessary &necessary) const;
    void forbid(const Demand &demand, Necessary &necessary) const;
    void require_any(Necessary &necessary) const;

    std::pmr::vector<char> bytes_; // of the terms
    std::pmr::vector<PatternTerm> terms_;
    std::pmr::vector<std::pmr::string> prefixes_;
    std::pmr::vector<Near> nears_;
    std::pmr::vector<Alternative> alternatives_;
    std::pmr::vector<Group> groups_;
    std::pmr::vector<Demand> demands_;
    bool has_must_ = false;
    bool needs_text_ = false;
};

} // namespace memory::index::grammar
