// How a statement of ours becomes one that PostgreSQL reads the same way whatever the caller's
// search_path says (sql.h). One pass from left to right over the tokens of the text; a fragment's
// text and its arguments are scanned where they are named, so that they are treated alike.
//
// OPERATOR(…) binds all operators equally, from left to right. A text in which the operators'
// own precedences would say something else is refused; parentheses decide. So is whatever the
// composer cannot qualify for sure. Pure: no PostgreSQL header.
#pragma once

#include "pg/sql_pieces.h"

#include <utility>

namespace memory::pg::sql {

class Composer {
  public:
    constexpr Composer(const FragmentSet *sets, std::size_t count)
        : sets_(sets), sets_count_(count) {}

    constexpr const Composed &compose(Piece text) {
        scan(text, nullptr);
        if (top_ != 0)
            refuse(Refusal::unfinished, text);
        return composed_;
    }

  private:
    // The arguments of the fragment that is being scanned. They are texts of `outer`.
    struct Arguments {
        static constexpr std::size_t most = 4;

        const Arguments *outer;
        int depth;
        Piece given[most]{};
        std::size_t count = 0;
    };

    // What holds between a pair of brackets, or CASE and END.
    struct Level {
        int precedence = 0;     // of the operator before, in this expression; 0: none
        bool sets = false;      // in the list of SET
        bool is_target = false; // the next = assigns
    };

    constexpr void refuse(Refusal refusal, Piece word) {
        if (composed_.refusal != Refusal::none)
            return;
        composed_.refusal = refusal;
        composed_.word = word;
    }

    // --- what is written --------------------------------------------------------------------

    constexpr void put(const char *begin, const char *end) {
        if (begin == end)
            return;
        if (composed_.count == Composed::most_pieces)
            return refuse(Refusal::too_much, {begin, end});
        composed_.pieces[composed_.count++] = {begin, end};
        composed_.size += static_cast<std::size_t>(end - begin);
    }
    constexpr void put(Literal word) { put(word.text, word.text + word.length); }

    // What has been scanned since the last time, up to `end`, as it is; the rest goes on at `next`.
    constexpr void keep_until(const char *end, const char *next) {
        put(from_, end);
        from_ = next;
    }
    // `word` before what stands at `place`.
    constexpr void insert(const char *place, Literal word) {
        keep_until(place, place);
        put(word);
    }

    // --- tokens -----------------------------------------------------------------------------
    // Each takes the token that begins at `at` and returns where the next one begins.

    constexpr void scan(Piece text, const Arguments *arguments) {
        const char *const before = std::exchange(from_, text.begin);
        const char *const end_before = std::exchange(end_, text.end);
        const char *at = text.begin;
        while (at < text.end && composed_.refusal == Refusal::none)
            at = token(at, arguments);
        keep_until(text.end, before);
        end_ = end_before;
    }

    constexpr const char *token(const char *at, const Arguments *arguments) {
        switch (kinds[*at]) {
        case blank:
            return blanks(at);
        case lower:
            return name(at);
        case upper:
            return keyword(at);
        case digit:
            return number(at);
        case symbol:
            return starts_comment(at) ? comment(at) : operation(at);
        default:
            break;
        }
        switch (*at) {
        case '\'':
            return through(at, quote_end(at, false));
        case '"':
            return quoted_name(at);
        case '$':
            return is(digit, at + 1) ? number(at) : through(at, dollar_quote_end(at));
        case '{':
            return fragment(at, arguments);
        default:
            return punctuation(at);
        }
    }

    constexpr char character(const char *at) const { return at < end_ ? *at : '\0'; }
    constexpr bool is(int kind, const char *at) const {
        return at < end_ && (kinds[*at] & kind) != 0;
    }
    constexpr const char *end_of(int kind, const char *at) const {
        while (at < end_ && (kinds[*at] & kind) != 0)
            ++at;
        return at;
    }

    // Whatever they are, one blank.
    constexpr const char *blanks(const char *at) {
        const char *end = end_of(blank, at);
        if (*at == ' ' && end == at + 1 && at != from_)
            return end;
        keep_until(at, end);
        if (composed_.size > 0 && end < end_)
            put(" ");
        return end;
    }

    constexpr bool starts_comment(const char *at) const {
        return (*at == '-' && character(at + 1) == '-') || (*at == '/' && character(at + 1) == '*');
    }

    // It leaves a blank behind.
    constexpr const char *comment(const char *at) {
        const bool line = *at == '-';
        const char *end = at + 2;
        while (end < end_ && !(line ? *end == '\n' : *end == '/' && end[-1] == '*'))
            ++end;
        if (end == end_ && !line)
            refuse(Refusal::unfinished, {at, end});
        end = end_of(blank, end == end_ ? end : end + 1);
        const bool stands_apart = at == from_ || kinds[at[-1]] == blank;
        keep_until(at, end);
        if (!stands_apart)
            put(" ");
        return end;
    }

    // An operand from `at` to `end`, which is null where the end is missing.
    constexpr const char *through(const char *at, const char *end) {
        if (end == nullptr) {
            refuse(Refusal::unfinished, {at, end_});
            return end_;
        }
        after_operand_ = true;
        after_dot_ = false;
        after_distinct_ = false;
        return end;
    }

    // '' within a string is seen as the end of one and the begin of another.
    constexpr const char *quote_end(const char *at, bool escapes) const {
        const char *end = at + 1;
        while (end < end_ && *end != *at)
            end += escapes && *end == '\\' ? 2 : 1;
        return end < end_ ? end + 1 : nullptr;
    }

    constexpr const char *quoted_name(const char *at) {
        const char *const end = quote_end(at, false);
        if (std::exchange(after_cast_, false) && end != nullptr && character(end) != '.')
            insert(at, "pg_catalog.");
        return through(at, end);
    }

    // $$…$$ and $mark$…$mark$.
    constexpr const char *dollar_quote_end(const char *at) const {
        const char *const inside = end_of(in_word, at + 1) + 1;
        for (const char *end = inside; end + (inside - at) <= end_; ++end) {
            std::ptrdiff_t same = 0;
            while (same < inside - at && end[same] == at[same])
                ++same;
            if (same == inside - at)
                return end + same;
        }
        return nullptr;
    }

    // A number, or a parameter.
    constexpr const char *number(const char *at) {
        const char *end = at + 1;
        while (is(in_word, end) || character(end) == '.' ||
               ((character(end) == '-' || character(end) == '+') && end[-1] == 'e'))
            ++end;
        return through(at, end);
    }

    // A column, a table, a function or a type.
    constexpr const char *name(const char *at) {
        const char *const end = end_of(in_word, at);
        const auto length = static_cast<std::size_t>(end - at);
        if (std::exchange(after_cast_, false)) {
            if (character(end) != '.' && !contains(grammar_types, at, length))
                insert(at, "pg_catalog.");
        } else if (character(end_of(blank, end)) == '(' && !after_dot_) {
            if (contains(built_in_functions, at, length))
                insert(at, "pg_catalog.");
            else if (contains({"nullif"}, at, length))
                refuse(Refusal::found_by_path, {at, end});
            else if (*end == '(' && !contains(grammar_functions, at, length))
                refuse(Refusal::unknown_function, {at, end});
        }
        return through(at, end);
    }

    constexpr const char *keyword(const char *at) {
        const char *const end = end_of(in_word, at);
        const auto length = static_cast<std::size_t>(end - at);
        if (length == 1 && *at == 'E' && character(end) == '\'')
            return through(at, quote_end(end, true));
        if (character(end) == '(' && contains({"OPERATOR"}, at, length))
            return qualified_operator(at);
        if (finds_operator(at, end))
            refuse(Refusal::found_by_path, {at, end});
        through(at, end);
        if (contains({"CASE"}, at, length))
            push({at, end});
        else if (contains({"END"}, at, length))
            pop({at, end});
        else if (contains(clause_words, at, length))
            begin_clause(at, length);
        return end;
    }

    constexpr void begin_clause(const char *at, std::size_t length) {
        const bool sets = contains({"SET"}, at, length);
        levels_[top_] = {0, sets, sets};
        after_operand_ = false;
        after_distinct_ = contains({"DISTINCT"}, at, length);
    }

    // Whether this keyword makes PostgreSQL look for = or another operator in the search_path: IN
    // and JOIN … USING before their lists, IS DISTINCT FROM, CASE with a value.
    constexpr bool finds_operator(const char *at, const char *end) const {
        const auto length = static_cast<std::size_t>(end - at);
        constexpr Literal always[]{"BETWEEN", "ILIKE", "LIKE", "NATURAL", "SIMILAR"};
        constexpr Literal before_list[]{"IN", "USING"};
        const char *const next = end_of(blank, end);
        if (contains({"CASE"}, at, length))
            return !contains({"WHEN"}, next,
                             static_cast<std::size_t>(end_of(in_word, next) - next));
        return contains(always, at, length) ||
               (character(next) == '(' && contains(before_list, at, length)) ||
               (after_distinct_ && contains({"FROM"}, at, length));
    }

    constexpr void push(Piece opening) {
        if (top_ + 1 == most_levels)
            return refuse(Refusal::too_much, opening);
        levels_[++top_] = {};
        after_operand_ = false;
        after_distinct_ = false;
    }
    constexpr void pop(Piece closing) {
        if (top_ == 0)
            return refuse(Refusal::unfinished, closing);
        --top_;
        after_operand_ = true;
    }

    constexpr const char *punctuation(const char *at) {
        const bool cast = *at == ':' && character(at + 1) == ':';
        const char *const end = at + (cast ? 2 : 1);
        after_dot_ = *at == '.';
        after_operand_ &= !after_dot_;
        after_cast_ = cast;
        if (*at == '(' || *at == '[')
            push({at, end});
        else if (*at == ')' || *at == ']')
            pop({at, end});
        else if (*at == ',' || *at == ';')
            begin_item(*at == ',' && levels_[top_].sets);
        else if (*at == '}')
            refuse(Refusal::unfinished, {at, end});
        return end;
    }

    constexpr void begin_item(bool of_set) {
        levels_[top_] = {0, of_set, of_set};
        after_operand_ = false;
    }

    // --- operators --------------------------------------------------------------------------

    // As PostgreSQL's scanner sees it: a sign at its end belongs to what follows, but for operators
    // that only PostgreSQL has.
    constexpr const char *operator_end(const char *at) const {
        const char *end = at;
        bool may_end_in_sign = false;
        for (; is(symbol, end) && !(end > at && starts_comment(end)); ++end)
            may_end_in_sign |= *end != '+' && *end != '-' && *end != '*' && *end != '/' &&
                               *end != '<' && *end != '>' && *end != '=';
        while (end > at + 1 && !may_end_in_sign && (end[-1] == '-' || end[-1] == '+'))
            --end;
        return end;
    }

    static constexpr int of_comparison = 1;
    static constexpr int of_any_other = 2;
    static constexpr int precedence_of(const char *at, const char *end) {
        constexpr Literal comparisons[]{"=", "<", ">", "<=", ">=", "<>", "!="};
        if (contains(comparisons, at, static_cast<std::size_t>(end - at)))
            return of_comparison;
        if (end - at > 1)
            return of_any_other;
        switch (*at) {
        case '+':
        case '-':
            return 3;
        case '*':
        case '/':
        case '%':
            return 4;
        default:
            return *at == '^' ? 5 : of_any_other;
        }
    }

    constexpr const char *operation(const char *at) {
        const char *const end = operator_end(at);
        if (is_none(at, end))
            return end;
        check_precedence({at, end}, precedence_of(at, end));
        if (at > from_ && at[-1] != ' ' && after_operand_)
            insert(at, " ");
        insert(at, "OPERATOR(pg_catalog.");
        insert(end, ")");
        if (!is(blank, end))
            put(" ");
        after_operand_ = false;
        return end;
    }

    // What looks like an operator and is none: the * of all columns, the sign of a number, =>
    // before an argument, = where SET assigns.
    constexpr bool is_none(const char *at, const char *end) {
        const bool single = end == at + 1;
        if (single && *at == '*' && !after_operand_) {
            through(at, end);
            return true;
        }
        if (single && *at == '=' && std::exchange(levels_[top_].is_target, false)) {
            after_operand_ = false;
            return true;
        }
        if (single && (*at == '-' || *at == '+'))
            return !after_operand_ && is(digit, end);
        return end == at + 2 && *at == '=' && at[1] == '>';
    }

    // One that is written with its schema.
    constexpr const char *qualified_operator(const char *at) {
        const char *end = at;
        while (end < end_ && *end != ')')
            ++end;
        if (end == end_)
            return through(at, nullptr);
        check_precedence({at, end}, of_any_other);
        after_operand_ = false;
        return end + 1;
    }

    // Comparisons have no order among themselves: a < b < c is no SQL.
    constexpr void check_precedence(Piece found, int precedence) {
        if (!after_operand_) // it stands before its operand
            return;
        const int before = std::exchange(levels_[top_].precedence, precedence);
        if (before != 0 &&
            (precedence > before || (precedence == of_comparison && before == of_comparison)))
            refuse(Refusal::needs_parentheses, found);
    }

    // --- fragments --------------------------------------------------------------------------

    // {name}, {name:arguments}, or {0}: an argument of the fragment that this text is of.
    constexpr const char *fragment(const char *at, const Arguments *arguments) {
        const char *end = at + 1;
        for (int open = 1; end < end_; ++end) {
            open += *end == '{' ? 1 : *end == '}' ? -1 : 0;
            if (open == 0)
                break;
        }
        if (end == end_)
            return through(at, nullptr);
        keep_until(at, end + 1);
        if (is(digit, at + 1))
            argument({at + 1, end}, arguments);
        else
            expand({at + 1, end}, arguments);
        return end + 1;
    }

    constexpr void argument(Piece number, const Arguments *arguments) {
        const auto place = static_cast<std::size_t>(*number.begin - '0');
        if (arguments == nullptr || number.size() > 1 || place >= arguments->count)
            return refuse(Refusal::missing_argument, number);
        scan(arguments->given[place], arguments->outer);
    }

    constexpr void expand(Piece inside, const Arguments *outer) {
        const char *colon = inside.begin;
        while (colon < inside.end && *colon != ':')
            ++colon;
        const Fragment *found = find({inside.begin, colon});
        if (found == nullptr)
            return refuse(Refusal::unknown_fragment, {inside.begin, colon});
        constexpr int deepest = 8;
        Arguments arguments{outer, outer == nullptr ? 1 : outer->depth + 1};
        if (arguments.depth > deepest)
            return refuse(Refusal::too_much, inside);
        if (colon < inside.end)
            split({colon + 1, inside.end}, arguments);
        scan({found->text.text, found->text.text + found->text.length}, &arguments);
    }

    // At commas that stand in no braces.
    constexpr void split(Piece list, Arguments &arguments) {
        const char *begin = list.begin;
        int open = 0;
        for (const char *at = list.begin;; ++at) {
            if (at < list.end && (*at != ',' || open != 0)) {
                open += *at == '{' ? 1 : *at == '}' ? -1 : 0;
                continue;
            }
            if (arguments.count == Arguments::most)
                return refuse(Refusal::too_much, list);
            arguments.given[arguments.count++] = {begin, at};
            if (at == list.end)
                return;
            begin = at + 1;
        }
    }

    constexpr const Fragment *find(Piece name) const {
        for (std::size_t i = 0; i < sets_count_; ++i)
            for (const Fragment *one = sets_[i].begin; one != sets_[i].end; ++one)
                if (contains({one->name}, name.begin, name.size()))
                    return one;
        return nullptr;
    }

    static constexpr std::size_t most_levels = 24;

    const FragmentSet *sets_;
    std::size_t sets_count_;
    Composed composed_{};
    const char *from_ = nullptr; // of what is kept as it is
    const char *end_ = nullptr;  // of the text that is being scanned
    bool after_operand_ = false; // the last token ended an operand
    bool after_dot_ = false;
    bool after_cast_ = false;
    bool after_distinct_ = false;
    Level levels_[most_levels]{};
    std::size_t top_ = 0;
};

} // namespace memory::pg::sql
