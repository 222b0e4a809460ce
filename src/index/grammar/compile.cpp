// Cuts clauses into terms and groups. docs/query.md says what each kind of clause means.
#include "index/grammar/compile.h"

#include <algorithm>
#include <map>

#include "text/characters.h"
#include "text/fold.h"
#include "text/term.h"
#include "text/terms.h"
#include "text/utf8.h"

namespace memory::index::grammar {

namespace {

constexpr std::size_t steps_to_number = 16; // for a Pause

// The tokens of one clause, kept.
class Tokens final : public text::TokenSink {
  public:
    struct Kept {
        std::uint32_t ordinal;
        std::uint32_t begin;
        std::uint32_t end;
        text::Weight weight;
        std::uint32_t first_byte; // in bytes_
        std::uint32_t bytes;
    };

    explicit Tokens(std::pmr::memory_resource *memory) : kept_(memory), bytes_(memory) {}

    void clear() {
        kept_.clear();
        bytes_.clear();
    }
    void take(const text::Token &token) override {
        const auto first = static_cast<std::uint32_t>(bytes_.size());
        if (token.weight == text::Weight::weak)
            bytes_ += text::weak_mark;
        bytes_ += token.term;
        kept_.push_back({token.ordinal, token.begin, token.end, token.weight, first,
                         static_cast<std::uint32_t>(bytes_.size()) - first});
    }
    void sort_by_ordinal() {
        std::stable_sort(kept_.begin(), kept_.end(),
                         [](const Kept &a, const Kept &b) { return a.ordinal < b.ordinal; });
    }

    std::span<const Kept> all() const { return kept_; }
    std::string_view term(const Kept &token) const {
        return std::string_view(bytes_).substr(token.first_byte, token.bytes);
    }
    bool is_ideograph(const Kept &token) const {
        const std::size_t first = token.weight == text::Weight::weak ? 1 : 0;
        return text::kind_of(text::decode(term(token), first).point) == text::Kind::ideograph;
    }

  private:
    std::pmr::vector<Kept> kept_;
    std::pmr::string bytes_;
};

// Distinct names, numbered as they come and then put into their order.
class Names {
  public:
    explicit Names(std::pmr::memory_resource *memory) : numbers_(memory) {}

    std::uint32_t number_of(std::string_view name) {
        const auto known = numbers_.find(name);
        if (known != numbers_.end())
            return known->second;
        return numbers_.emplace(name, static_cast<std::uint32_t>(numbers_.size())).first->second;
    }
    // Calls `use(name, number)` in ascending order of the names, and returns for each number its
    // place in that order.
    template <typename Use>
    std::pmr::vector<std::uint32_t> sort(Use use) const {
        std::pmr::vector<std::uint32_t> place_of(numbers_.size(), numbers_.get_allocator());
        std::uint32_t place = 0;
        for (const auto &[name, number] : numbers_) {
            use(std::string_view(name), number);
            place_of[number] = place++;
        }
        return place_of;
    }

  private:
    std::pmr::map<std::pmr::string, std::uint32_t, std::less<>> numbers_;
};

bool is_strong(const Tokens::Kept &token) { return token.weight != text::Weight::weak; }

// The token that a prefix's text ends with, the longest: what may go on.
const Tokens::Kept *unfinished(const Tokens &tokens) {
    const auto all = tokens.all();
    const auto last =
        std::max_element(all.begin(), all.end(), [](const Tokens::Kept &a, const Tokens::Kept &b) {
            return a.end != b.end ? a.end < b.end : a.begin > b.begin;
        });
    return last == all.end() ? nullptr : &*last;
}

// Whether the analyzer folds this as a word, not as an identifier or a run without spaces.
bool is_word(std::string_view raw) {
    const text::Kind kind = text::kind_of(text::decode(raw, 0).point);
    if (raw.size() > text::max_word_bytes ||
        (kind != text::Kind::letter && kind != text::Kind::digit))
        return false;
    for (std::size_t at = 0; at < raw.size();) {
        const text::Decoded next = text::decode(raw, at);
        if (text::joiner_of(next.point) != 0)
            return false;
        at += next.size;
    }
    return true;
}

bool all_weak(std::span<const text::TermCount> terms) {
    return std::all_of(terms.begin(), terms.end(), [](const text::TermCount &one) {
        return one.term.front() == text::weak_mark;
    });
}

bool has(std::span<const text::TermCount> sorted, std::string_view term) {
    const auto place =
        std::partition_point(sorted.begin(), sorted.end(),
                             [term](const text::TermCount &other) { return other.term < term; });
    return place != sorted.end() && place->term == term;
}

} // namespace

// One use: run() once.
class Compiler {
  public:
    Compiler(text::Analyzer &analyzer, std::pmr::memory_resource *memory)
        : analyzer_(analyzer), memory_(memory), pattern_(memory), names_(memory), prefixes_(memory),
          nears_(memory), bag_(memory, analyzer.interruption()),
          own_(memory, analyzer.interruption()), tokens_(memory), pause_(analyzer.interruption()) {}

    Pattern run(std::span<const Clause> clauses) {
        gather(clauses);
        for (const Clause &clause : clauses)
            add(clause);
        finish();
        return std::move(pattern_);
    }

  private:
    // What of the query is scored: the words and phrases that are not unwanted, as one bag. Stop
    // words only where there is nothing else to find.
    void gather(std::span<const Clause> clauses) {
        bool has_prefix = false;
        for (const Clause &clause : clauses) {
            if (clause.mark == Mark::must_not)
                continue;
            if (clause.kind != Kind::prefix) {
                analyzer_.analyze(clause.words, bag_);
                continue;
            }
            analyze(clause);
            has_prefix |= !tokens_.all().empty();
        }
        scored_ = bag_.query();
        if (has_prefix && all_weak(scored_))
            scored_ = {};
        for (const text::TermCount &one : scored_)
            pattern_.terms_[number_of(one.term, true)].multiplicity = one.count;
    }

    void add(const Clause &clause) {
        const auto first = static_cast<std::uint32_t>(pattern_.groups_.size());
        std::uint32_t phrase = Pattern::no_phrase;
        switch (clause.kind) {
        case Kind::words:
            add_words(clause);
            break;
        case Kind::phrase:
            if (add_phrase(clause))
                phrase = phrases_++;
            break;
        case Kind::prefix:
            add_prefix(clause);
            break;
        case Kind::near:
            add_near(clause);
            break;
        }
        const auto end = static_cast<std::uint32_t>(pattern_.groups_.size());
        if (first == end)
            return; // as if it had not been written
        pattern_.demands_.push_back({clause.mark, phrase, first, end});
        pattern_.has_must_ |= clause.mark == Mark::must;
    }

    void add_words(const Clause &clause) {
        own_.clear();
        analyzer_.analyze(clause.words, own_);
        const bool any = clause.mark == Mark::should;
        if (any)
            open_group(0);
        for (const text::TermCount &one : any ? own_.document() : own_.query()) {
            if (any && !has(scored_, one.term))
                continue;
            if (!any)
                open_group(0);
            add_alternative(one.term, true);
        }
        if (any && pattern_.groups_.back().begin == pattern_.groups_.back().end)
            pattern_.groups_.pop_back();
    }

    // Each of its terms, or what it may be a misspelling of.
    void add_near(const Clause &clause) {
        own_.clear();
        analyzer_.analyze(clause.words, own_);
        for (const text::TermCount &one : own_.query()) {
            open_group(0);
            add_alternative(one.term, true);
            if (text::Spelling::of(one.term))
                add_alternative({Pattern::Of::near, nears_.number_of(one.term)});
        }
    }

    // A group for every ordinal at which there is a token. Returns whether their order matters.
    bool add_phrase(const Clause &clause) {
        analyze(clause);
        tokens_.sort_by_ordinal();
        const auto all = tokens_.all();
        const bool any_strong = std::any_of(all.begin(), all.end(), is_strong);
        const std::size_t first_group = pattern_.groups_.size();
        for (auto from = all.begin(); from != all.end();) {
            const auto to = std::find_if(from, all.end(), [from](const auto &token) {
                return token.ordinal != from->ordinal;
            });
            open_group(from->ordinal - all.front().ordinal);
            add_standing(std::span(from, to), any_strong);
            from = to;
        }
        return place_from(first_group);
    }

    // What may stand at one ordinal of a phrase: any of its tokens; but where two characters are a
    // word, the first alone says nothing more. Stop words are left to the reader of the text,
    // unless the phrase is made of them.
    void add_standing(std::span<const Tokens::Kept> tokens, bool any_strong) {
        const bool has_word = std::any_of(tokens.begin(), tokens.end(), [](const auto &token) {
            return token.weight == text::Weight::word;
        });
        const bool looked_up = !any_strong || std::any_of(tokens.begin(), tokens.end(), is_strong);
        for (const Tokens::Kept &token : tokens)
            if (is_strong(token) || !has_word || !tokens_.is_ideograph(token))
                add_alternative(tokens_.term(token), looked_up);
    }

    // Of a phrase of several groups a text must be read to the order.
    bool place_from(std::size_t first_group) {
        const auto groups = std::span(pattern_.groups_).subspan(first_group);
        if (groups.size() < 2)
            return false;
        for (std::uint32_t i = groups.front().begin; i < groups.back().end; ++i)
            pattern_.terms_[pattern_.alternatives_[i].number].placed = true;
        return true;
    }

    // The unfinished word as it is folded, or as it is stemmed; and every word before it.
    void add_prefix(const Clause &clause) {
        analyze(clause);
        const Tokens::Kept *last = unfinished(tokens_);
        if (last == nullptr)
            return;
        for (const Tokens::Kept &token : tokens_.all()) {
            if (token.begin >= last->begin || !is_strong(token))
                continue;
            open_group(0);
            add_alternative(tokens_.term(token), true);
        }
        open_group(0);
        for (const Tokens::Kept &token : tokens_.all())
            if (token.begin == last->begin && token.end == last->end && is_strong(token))
                add_alternative(tokens_.term(token), true);
        add_prefixes(clause.words.substr(last->begin, last->end - last->begin));
    }

    void add_prefixes(std::string_view raw) {
        if (!folder_)
            folder_.emplace(memory_, pause_);
        text::TermBuilder term;
        if (!is_word(raw)) {
            folder_->fold_whole(raw, term);
            return add_prefix_term(term.finish());
        }
        // Its accents may belong to a Vietnamese syllable that is not whole yet.
        const text::FoldedWord word = folder_->fold_word(raw);
        term.append(word.plain);
        add_prefix_term(term.finish());
        if (word.accented == word.plain)
            return;
        term.clear();
        term.append(word.accented);
        add_prefix_term(term.finish());
    }

    void add_prefix_term(std::string_view folded) {
        if (!folded.empty())
            add_alternative({Pattern::Of::prefix, prefixes_.number_of(folded)});
    }

    void analyze(const Clause &clause) {
        tokens_.clear();
        analyzer_.analyze(clause.words, tokens_);
    }

    void open_group(std::uint32_t offset) {
        const auto at = static_cast<std::uint32_t>(pattern_.alternatives_.size());
        pattern_.groups_.push_back({at, at, offset});
    }
    void add_alternative(Pattern::Alternative alternative) {
        pattern_.alternatives_.push_back(alternative);
        ++pattern_.groups_.back().end;
    }
    void add_alternative(std::string_view term, bool looked_up) {
        add_alternative({Pattern::Of::term, number_of(term, looked_up)});
    }

    // Until finish(), the number of its coming.
    std::uint32_t number_of(std::string_view term, bool looked_up) {
        pause_.step(steps_to_number);
        const std::uint32_t number = names_.number_of(term);
        if (number == pattern_.terms_.size())
            pattern_.terms_.push_back({{}, 0, false, false});
        pattern_.terms_[number].looked_up |= looked_up;
        pattern_bytes_ += term.size();
        return number;
    }

    void finish() {
        std::pmr::vector<PatternTerm> terms(memory_);
        pattern_.bytes_.reserve(pattern_bytes_); // at least: the terms view them
        const auto term_place = names_.sort([&](std::string_view name, std::uint32_t number) {
            pause_.step();
            terms.push_back(pattern_.terms_[number]);
            terms.back().term = {pattern_.bytes_.data() + pattern_.bytes_.size(), name.size()};
            pattern_.bytes_.insert(pattern_.bytes_.end(), name.begin(), name.end());
        });
        pattern_.terms_ = std::move(terms);
        const auto prefix_place = prefixes_.sort(
            [&](std::string_view name, std::uint32_t) { pattern_.prefixes_.emplace_back(name); });
        const auto near_place = nears_.sort([&](std::string_view name, std::uint32_t) {
            pattern_.nears_.push_back({std::pmr::string(name, memory_), *text::Spelling::of(name)});
        });
        for (Pattern::Alternative &one : pattern_.alternatives_) {
            const bool is_near = one.of == Pattern::Of::near;
            const auto &place = is_near                         ? near_place
                                : one.of == Pattern::Of::prefix ? prefix_place
                                                                : term_place;
            one.number = place[one.number] +
                         static_cast<std::uint32_t>(is_near ? pattern_.prefixes_.size() : 0);
        }
        pattern_.needs_text_ = std::any_of(
            pattern_.demands_.begin(), pattern_.demands_.end(), [this](const auto &demand) {
                return demand.in_order() && !(demand.mark == Mark::should && pattern_.has_must_);
            });
    }

    text::Analyzer &analyzer_;
    std::pmr::memory_resource *memory_;
    Pattern pattern_;
    Names names_;
    Names prefixes_;
    Names nears_;
    std::size_t pattern_bytes_ = 0; // of the terms, or more
    text::Terms bag_;
    std::span<const text::TermCount> scored_; // in bag_
    text::Terms own_;
    Tokens tokens_;
    std::uint32_t phrases_ = 0;
    text::Pause pause_;
    std::optional<text::Folder> folder_; // of prefixes
};

Pattern compile(std::string_view query, Reading reading, text::Analyzer &analyzer,
                std::pmr::memory_resource *memory) {
    const Clause bag{Mark::should, Kind::words, query};
    if (reading == Reading::plain)
        return Compiler(analyzer, memory).run(std::span(&bag, 1));
    return Compiler(analyzer, memory).run(parse(query, memory, analyzer.interruption()));
}

} // namespace memory::index::grammar
