// Reads a query from left to right, one clause after another. No string is an error.
#include "index/grammar/parser.h"

#include <algorithm>

#include "text/utf8.h"

namespace memory::index::grammar {

namespace {

constexpr std::size_t steps_a_clause = 8; // for a Pause

bool is_mark(char byte) { return byte == '+' || byte == '-'; }

// Unicode's White_Space.
bool is_space(char32_t point) {
    return (point >= 0x09 && point <= 0x0D) || point == 0x20 || point == 0x85 || point == 0xA0 ||
           point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
           point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000;
}

// An operator counts only at the beginning of a word, so there is no need to look inside one.
class Parser {
  public:
    Parser(std::string_view query, std::pmr::memory_resource *memory,
           text::Interruption &interruption)
        : query_(query), clauses_(memory), pause_(interruption) {}

    std::pmr::vector<Clause> run() {
        for (skip_spaces(); at_ < query_.size(); skip_spaces())
            take_clause();
        end_bag();
        return std::move(clauses_);
    }

  private:
    // How many bytes of white space are at `at`; the end of the query counts as one.
    std::size_t space_at(std::size_t at) const {
        if (at >= query_.size())
            return 1;
        const text::Decoded next = text::decode(query_, at);
        return is_space(next.point) ? next.size : 0;
    }

    void skip_spaces() {
        for (; at_ < query_.size() && space_at(at_) != 0; pause_.step())
            at_ += space_at(at_);
    }

    void take_clause() {
        const Mark mark = take_mark();
        if (query_[at_] == '"')
            return add(mark, Kind::phrase, take_quoted());
        const std::string_view word = take_word();
        const char last = word.back();
        const std::size_t bare = word.find_last_not_of(last) + 1; // npos + 1 is 0
        if ((last == '*' || last == '~') && bare != 0)
            add(mark, last == '*' ? Kind::prefix : Kind::near, word.substr(0, bare));
        else if (mark != Mark::should)
            add(mark, Kind::words, word);
        else
            add_to_bag(word);
    }

    // A mark needs something that it marks. Two of them are none: --help and i++ are words.
    Mark take_mark() {
        const char first = query_[at_];
        if (!is_mark(first) || space_at(at_ + 1) != 0 || is_mark(query_[at_ + 1]))
            return Mark::should;
        ++at_;
        return first == '+' ? Mark::must : Mark::must_not;
    }

    // The end of the query closes what is still open.
    std::string_view take_quoted() {
        const std::size_t begin = at_ + 1;
        const std::size_t end = std::min(query_.find('"', begin), query_.size());
        at_ = std::min(end + 1, query_.size());
        return query_.substr(begin, end - begin);
    }

    std::string_view take_word() {
        const std::size_t begin = at_;
        for (; space_at(at_) == 0; pause_.step())
            at_ += text::decode(query_, at_).size;
        return query_.substr(begin, at_ - begin);
    }

    void add(Mark mark, Kind kind, std::string_view words) {
        pause_.step(steps_a_clause);
        end_bag();
        clauses_.push_back({mark, kind, words});
    }

    // The bag reaches from its first word to its last, with what is between them.
    void add_to_bag(std::string_view word) {
        if (bag_end_ == 0)
            bag_begin_ = at_ - word.size();
        bag_end_ = at_;
    }

    void end_bag() {
        if (bag_end_ != 0)
            clauses_.push_back(
                {Mark::should, Kind::words, query_.substr(bag_begin_, bag_end_ - bag_begin_)});
        bag_end_ = 0;
    }

    std::string_view query_;
    std::size_t at_ = 0;
    std::size_t bag_begin_ = 0;
    std::size_t bag_end_ = 0; // 0: no word yet
    std::pmr::vector<Clause> clauses_;
    text::Pause pause_;
};

} // namespace

std::pmr::vector<Clause> parse(std::string_view query, std::pmr::memory_resource *memory,
                               text::Interruption &interruption) {
    return Parser(query, memory, interruption).run();
}

void print(std::span<const Clause> clauses, std::pmr::string &to) {
    bool first = true;
    for (const Clause &clause : clauses) {
        if (!first)
            to += ' ';
        first = false;
        if (clause.mark != Mark::should)
            to += clause.mark == Mark::must ? '+' : '-';
        if (clause.kind == Kind::phrase)
            to.append("\"").append(clause.words).append("\"");
        else
            to.append(clause.words);
        if (clause.kind == Kind::prefix)
            to += '*';
        if (clause.kind == Kind::near)
            to += '~';
    }
}

} // namespace memory::index::grammar
