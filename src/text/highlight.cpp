// Finds the places of a query's words, chooses the windows that hold most of them, and writes the
// marked text.
#include "text/highlight.h"

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "text/terms.h"
#include "text/utf8.h"

namespace memory::text {

namespace {

// For a Pause.
constexpr std::size_t steps_to_compare = 4;
constexpr std::size_t bytes_a_step = 64; // that are copied

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
    Matches(std::span<const TermCount> query, std::pmr::memory_resource *memory, Pause &pause)
        : query_(query), found_(memory), pause_(pause) {}

    void take(const Token &token) override {
        const auto term =
            std::partition_point(query_.begin(), query_.end(), [&](const TermCount &candidate) {
                return before(candidate.term, token);
            });
        if (term != query_.end() && same(term->term, token))
            found_.push_back(
                {token.begin, token.end, static_cast<std::size_t>(term - query_.begin())});
    }

    // In the order of the text. Valid as long as this object, which takes no more tokens.
    std::pmr::vector<Mark> marks() {
        std::sort(found_.begin(), found_.end(), [this](const Match &a, const Match &b) {
            pause_.step(steps_to_compare);
            return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
        });
        std::pmr::vector<Mark> marks(found_.get_allocator());
        for (std::size_t first = 0, last = 0; first < found_.size(); first = last) {
            Stretch where{found_[first].begin, found_[first].end};
            for (last = first + 1; last < found_.size() && found_[last].begin <= where.end; ++last)
                where.end = std::max(where.end, found_[last].end);
            marks.push_back({where, {found_.data() + first, last - first}});
            pause_.step(last - first);
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
    Pause &pause_;
};

bool is_space(char byte) {
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r' || byte == '\f';
}

// Chooses the fragments of one text. `terms` is how many terms the query has.
class Fragments {
  public:
    Fragments(std::string_view text, std::span<const Mark> marks, std::size_t terms,
              const HighlightOptions &options, std::pmr::memory_resource *memory, Pause &pause)
        : text_(text), marks_(marks), options_(options), chosen_(memory), united_(memory),
          in_window_(terms, 0, memory), windows_(memory), pause_(pause) {}

    // In the order of the text; those that meet are one.
    std::span<const Stretch> choose() {
        if (marks_.empty())
            chosen_.insert(around({0, 0}));
        for (const Window &window : best_first()) {
            if (chosen_.size() >= options_.max_fragments)
                break;
            pause_.step(steps_to_compare);
            const auto after = chosen_.upper_bound({text_.size(), window.where.begin});
            if (after == chosen_.end() || after->begin >= window.where.end)
                chosen_.insert(around(window.where));
        }
        unite();
        return united_;
    }

  private:
    // From one mark on, not too long.
    struct Window {
        Stretch where;
        std::size_t different; // how many terms of the query it has
        std::size_t marks;
    };

    struct ByEnd {
        bool operator()(const Stretch &a, const Stretch &b) const {
            return a.end != b.end ? a.end < b.end : a.begin < b.begin;
        }
    };

    std::span<const Window> best_first() {
        find_windows();
        std::sort(windows_.begin(), windows_.end(), [this](const Window &a, const Window &b) {
            pause_.step(steps_to_compare);
            return a.different != b.different ? a.different > b.different
                   : a.marks != b.marks       ? a.marks > b.marks
                                              : a.where.begin < b.where.begin;
        });
        return windows_;
    }

    // A window for every mark. Where the next one begins and ends is not before this one does, so
    // each mark enters and leaves once.
    void find_windows() {
        std::size_t end = 0;
        for (std::size_t first = 0; first < marks_.size(); leave(marks_[first++])) {
            const std::size_t limit = marks_[first].where.begin + options_.fragment_bytes;
            while (end < marks_.size() && (end == first || marks_[end].where.end <= limit))
                enter(marks_[end++]);
            windows_.push_back(
                {{marks_[first].where.begin, marks_[end - 1].where.end}, different_, end - first});
        }
    }

    void enter(const Mark &mark) {
        for (const Match &match : mark.matches)
            different_ += in_window_[match.term]++ == 0 ? 1 : 0;
        pause_.step(mark.matches.size());
    }

    void leave(const Mark &mark) {
        for (const Match &match : mark.matches)
            different_ -= --in_window_[match.term] == 0 ? 1 : 0;
        pause_.step(mark.matches.size());
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
        united_.assign(chosen_.begin(), chosen_.end());
        if (united_.empty())
            return;
        std::sort(united_.begin(), united_.end(), [this](const Stretch &a, const Stretch &b) {
            pause_.step(steps_to_compare);
            return a.begin < b.begin;
        });
        std::size_t kept = 0;
        for (std::size_t i = 1; i < united_.size(); ++i)
            if (united_[i].begin <= united_[kept].end)
                united_[kept] = {std::min(united_[kept].begin, united_[i].begin),
                                 std::max(united_[kept].end, united_[i].end)};
            else
                united_[++kept] = united_[i];
        united_.resize(kept + 1);
    }

    std::string_view text_;
    std::span<const Mark> marks_;
    const HighlightOptions &options_;
    std::pmr::set<Stretch, ByEnd> chosen_;
    std::pmr::vector<Stretch> united_;
    std::pmr::vector<std::size_t> in_window_; // by term: its matches
    std::size_t different_ = 0;               // terms with matches in the window
    std::pmr::vector<Window> windows_;
    Pause &pause_;
};

// Calls `use` for the parts of a stretch of the text, tags around the marks in it. The stretch cuts
// no mark.
template <typename Use>
void each_part(std::string_view text, const Stretch &stretch, std::span<const Mark> marks,
               const HighlightOptions &options, Use use) {
    std::size_t at = stretch.begin;
    auto mark = std::partition_point(marks.begin(), marks.end(), [at](const Mark &candidate) {
        return candidate.where.begin < at;
    });
    for (; mark != marks.end() && mark->where.end <= stretch.end; ++mark) {
        const auto [begin, end] = mark->where;
        use(text.substr(at, begin - at));
        use(options.start_tag);
        use(text.substr(begin, end - begin));
        use(options.end_tag);
        at = end;
    }
    use(text.substr(at, stretch.end - at));
}

template <typename Use>
void each_part(std::string_view text, std::span<const Stretch> stretches,
               std::span<const Mark> marks, const HighlightOptions &options, Use use) {
    for (std::size_t i = 0; i < stretches.size(); ++i) {
        if (i > 0)
            use(options.ellipsis);
        each_part(text, stretches[i], marks, options, use);
    }
}

// A match may be one byte of the text, and a tag megabytes: measured before it is made.
bool append_marked(std::string_view text, std::span<const Stretch> stretches,
                   std::span<const Mark> marks, const HighlightOptions &options,
                   std::pmr::string &to, Pause &pause) {
    std::size_t size = 0;
    each_part(text, stretches, marks, options, [&](std::string_view part) {
        size += part.size();
        pause.step();
    });
    if (size > options.max_bytes)
        return false;
    to.reserve(to.size() + size);
    each_part(text, stretches, marks, options, [&](std::string_view part) {
        to.append(part);
        pause.step(1 + part.size() / bytes_a_step);
    });
    return true;
}

} // namespace

bool highlight(Analyzer &analyzer, std::string_view text, std::string_view query,
               const HighlightOptions &options, std::pmr::memory_resource *memory,
               std::pmr::string &to) {
    Pause pause(analyzer.interruption());
    Terms terms(memory, analyzer.interruption());
    analyzer.analyze(query, terms);
    const std::span<const TermCount> wanted = terms.query();
    Matches found(wanted, memory, pause);
    analyzer.analyze(text, found);
    const std::pmr::vector<Mark> marks = found.marks();
    const Stretch whole{0, text.size()};
    if (options.max_fragments == 0)
        return append_marked(text, std::span(&whole, 1), marks, options, to, pause);
    Fragments fragments(text, marks, wanted.size(), options, memory, pause);
    return append_marked(text, fragments.choose(), marks, options, to, pause);
}

} // namespace memory::text
