#include "text/highlight.h"

#include <algorithm>
#include <span>
#include <vector>

#include "text/terms.h"
#include "text/utf8.h"

namespace memory::text {

namespace {

struct Match {
    std::size_t begin;
    std::size_t end;
    std::size_t term; // which of the query's
};

struct Stretch {
    std::size_t begin;
    std::size_t end;
};

// Matches that touch or overlap: what gets one pair of tags.
struct Mark {
    Stretch where;
    std::span<const Match> matches;
};

// Keeps where the query's terms stand in the text.
class Matches : public TokenSink {
  public:
    Matches(std::span<const TermCount> query, std::pmr::memory_resource *memory)
        : query_(query), found_(memory) {}

    void take(const Token &token) override {
        const auto term =
            std::partition_point(query_.begin(), query_.end(), [&](const TermCount &candidate) {
                return before(candidate.term, token);
            });
        if (term != query_.end() && same(term->term, token))
            found_.push_back(
                {token.begin, token.end, static_cast<std::size_t>(term - query_.begin())});
    }

    /// In the order of the text. Valid as long as this object, which takes no more tokens.
    std::pmr::vector<Mark> marks() {
        std::sort(found_.begin(), found_.end(), [](const Match &a, const Match &b) {
            return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
        });
        std::pmr::vector<Mark> marks(found_.get_allocator());
        for (std::size_t first = 0, last = 0; first < found_.size(); first = last) {
            Stretch where{found_[first].begin, found_[first].end};
            for (last = first + 1; last < found_.size() && found_[last].begin <= where.end; ++last)
                where.end = std::max(where.end, found_[last].end);
            marks.push_back({where, {found_.data() + first, last - first}});
        }
        return marks;
    }

  private:
    static bool is_weak(std::string_view stored) { return stored.front() == weak_mark; }
    static bool before(std::string_view stored, const Token &token) {
        const bool weak = token.weight == Weight::weak;
        if (is_weak(stored) != weak)
            return is_weak(stored);
        return stored.substr(weak ? 1 : 0) < token.term;
    }
    static bool same(std::string_view stored, const Token &token) {
        const bool weak = token.weight == Weight::weak;
        return is_weak(stored) == weak && stored.substr(weak ? 1 : 0) == token.term;
    }

    std::span<const TermCount> query_;
    std::pmr::vector<Match> found_;
};

bool is_space(char byte) {
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r' || byte == '\f';
}

// Chooses the fragments of one text.
class Fragments {
  public:
    Fragments(std::string_view text, std::span<const Mark> marks, const HighlightOptions &options,
              std::pmr::memory_resource *memory)
        : text_(text), marks_(marks), options_(options), chosen_(memory), terms_(memory),
          windows_(memory) {}

    /// In the order of the text; those that meet are one.
    std::span<const Stretch> choose() {
        if (marks_.empty())
            chosen_.push_back(around({0, 0}));
        for (const Window &window : best_first()) {
            if (chosen_.size() == options_.max_fragments)
                break;
            const auto after = first_behind(window.where.begin);
            if (after == chosen_.end() || after->begin >= window.where.end)
                chosen_.insert(after, around(window.where));
        }
        unite();
        return chosen_;
    }

  private:
    // From one mark on, not too long.
    struct Window {
        Stretch where;
        std::size_t different; // how many terms of the query it has
    };

    std::span<const Window> best_first() {
        for (std::size_t first = 0; first < marks_.size(); ++first)
            windows_.push_back(window_from(first));
        std::sort(windows_.begin(), windows_.end(), [](const Window &a, const Window &b) {
            return a.different != b.different ? a.different > b.different
                                              : a.where.begin < b.where.begin;
        });
        return windows_;
    }

    Window window_from(std::size_t first) {
        terms_.clear();
        Stretch where = marks_[first].where;
        for (std::size_t i = first; i < marks_.size(); ++i) {
            if (i != first && marks_[i].where.end > where.begin + options_.fragment_bytes)
                break;
            where.end = marks_[i].where.end;
            for (const Match &match : marks_[i].matches)
                if (std::find(terms_.begin(), terms_.end(), match.term) == terms_.end())
                    terms_.push_back(match.term);
        }
        return {where, terms_.size()};
    }

    // The first chosen fragment that ends behind `at`.
    std::pmr::vector<Stretch>::iterator first_behind(std::size_t at) {
        return std::partition_point(chosen_.begin(), chosen_.end(),
                                    [at](const Stretch &fragment) { return fragment.end <= at; });
    }

    // The window with text around it, up to a fragment's length.
    Stretch around(const Stretch &window) const {
        const std::size_t size = window.end - window.begin;
        const std::size_t spare = options_.fragment_bytes - std::min(size, options_.fragment_bytes);
        const std::size_t behind = text_.size() - window.end;
        const std::size_t left =
            std::min(window.begin, std::max(spare / 2, spare - std::min(spare, behind)));
        const std::size_t right = std::min(behind, spare - left);
        return {begin_at_space(window.begin - left, window.begin),
                end_at_space(window.end + right, window.end)};
    }

    std::size_t begin_at_space(std::size_t begin, std::size_t limit) const {
        begin = outside(begin, true);
        if (begin == 0 || begin >= limit)
            return begin;
        for (std::size_t at = begin - 1; at < limit; ++at)
            if (is_space(text_[at]))
                return outside(at + 1, true);
        return boundary_at_or_before(text_, begin);
    }

    std::size_t end_at_space(std::size_t end, std::size_t limit) const {
        end = outside(end, false);
        if (end == text_.size() || end <= limit)
            return end;
        for (std::size_t at = end; at > limit; --at)
            if (is_space(text_[at]))
                return outside(at, false);
        return std::max(limit, boundary_at_or_before(text_, end));
    }

    // Moves a border off the inside of a mark: to its begin or its end.
    std::size_t outside(std::size_t border, bool to_begin) const {
        const auto mark =
            std::partition_point(marks_.begin(), marks_.end(), [border](const Mark &candidate) {
                return candidate.where.end <= border;
            });
        if (mark == marks_.end() || mark->where.begin >= border)
            return border;
        return to_begin ? mark->where.begin : mark->where.end;
    }

    void unite() {
        std::size_t kept = 0;
        for (std::size_t i = 1; i < chosen_.size(); ++i) {
            if (chosen_[i].begin <= chosen_[kept].end)
                chosen_[kept] = {std::min(chosen_[kept].begin, chosen_[i].begin),
                                 std::max(chosen_[kept].end, chosen_[i].end)};
            else
                chosen_[++kept] = chosen_[i];
        }
        chosen_.resize(std::min(chosen_.size(), kept + 1));
    }

    std::string_view text_;
    std::span<const Mark> marks_;
    const HighlightOptions &options_;
    std::pmr::vector<Stretch> chosen_; // in the order of the text
    std::pmr::vector<std::size_t> terms_;
    std::pmr::vector<Window> windows_;
};

// Appends a stretch of the text, tags around the marks in it.
void append_marked(std::string_view text, const Stretch &stretch, std::span<const Mark> marks,
                   const HighlightOptions &options, std::pmr::string &to) {
    std::size_t at = stretch.begin;
    for (const Mark &mark : marks) {
        const auto [begin, end] = mark.where;
        if (begin < at || end > stretch.end)
            continue;
        to.append(text.substr(at, begin - at));
        to.append(options.start_tag).append(text.substr(begin, end - begin));
        to.append(options.end_tag);
        at = end;
    }
    to.append(text.substr(at, stretch.end - at));
}

} // namespace

void highlight(Analyzer &analyzer, std::string_view text, std::string_view query,
               const HighlightOptions &options, std::pmr::memory_resource *memory,
               std::pmr::string &to) {
    Terms terms(memory);
    analyzer.analyze(query, terms);
    Matches found(terms.query(), memory);
    analyzer.analyze(text, found);
    const std::pmr::vector<Mark> marks = found.marks();
    if (options.max_fragments == 0)
        return append_marked(text, {0, text.size()}, marks, options, to);
    Fragments fragments(text, marks, options, memory);
    bool first = true;
    for (const Stretch &fragment : fragments.choose()) {
        if (!first)
            to.append(options.ellipsis);
        first = false;
        append_marked(text, fragment, marks, options, to);
    }
}

} // namespace memory::text
