// Any JSON object is a filter or a mistake. Of a filter, what PostgreSQL's operators get is taken
// from the condition, the rest is known to be there, and the jsonpath is one predicate.
#include <algorithm>
#include <cstdio>
#include <string>

#include "filter/language/parser.h"
#include "filter/language/plan.h"
#include "unit/json_support.h"

namespace {

using namespace memory::filter::language;
using memory::json::TestDocument;

void require(bool holds, const char *what) {
    if (!holds) {
        std::fprintf(stderr, "broken: %s\n", what);
        std::abort();
    }
}

std::pmr::memory_resource *memory() { return std::pmr::get_default_resource(); }

// Writes a JSON text by what the bytes say.
class Writer {
  public:
    Writer(const unsigned char *data, std::size_t size) : at_(data), end_(data + size) {}

    std::string object(int depth = 0) {
        std::string text = "{";
        for (unsigned n = next() % 4; n > 0; --n)
            text += (text.size() > 1 ? "," : "") + quoted(key()) + ':' + value(depth + 1);
        return text + '}';
    }

  private:
    unsigned next() { return at_ < end_ ? *at_++ : 0; }

    const char *key() {
        constexpr const char *keys[]{
            "$eq",  "$ne", "$gt",   "$gte", "$lt", "$lte", "$in", "$nin",    "$not",     "$exists",
            "$and", "$or", "$path", "a",    "b.c", "",     "$",   "$nearly", "\xc3\xa9", "a b"};
        return keys[next() % std::size(keys)];
    }
    static std::string quoted(const char *word) { return '"' + std::string(word) + '"'; }

    std::string list(int depth) {
        std::string text = "[";
        for (unsigned n = next() % 4; n > 0; --n)
            text += (text.size() > 1 ? "," : "") + value(depth + 1);
        return text + ']';
    }
    std::string value(int depth) {
        constexpr const char *words[]{"null",           "true",         "false", "0",
                                      "-1.50",          "1e400",        "\"\"",  "\"$.a>1\"",
                                      "\"a\\\"b\\\\\"", "\"\xc3\xa9\"", "7"};
        const unsigned kind = next();
        if (depth < 300 && kind % 4 < 2)
            return object(depth);
        return depth < 300 && kind % 4 == 2 ? list(depth) : words[kind / 4 % std::size(words)];
    }

    const unsigned char *at_;
    const unsigned char *end_;
};

bool has(const Condition &whole, const Condition *wanted) {
    if (&whole == wanted)
        return true;
    for (const Condition &part : whole.parts)
        if (has(part, wanted))
            return true;
    return false;
}

void check_condition(const Condition &one) {
    using Kind = Condition::Kind;
    const bool leaf =
        one.kind == Kind::contains || one.kind == Kind::test || one.kind == Kind::path;
    require(!leaf || one.parts.empty(), "a test has no parts");
    require(leaf || one.keys.empty(), "parts have keys of their own");
    require(one.kind != Kind::none || one.parts.size() == 1, "one thing is turned round");
    require(one.kind != Kind::path || one.operand.type == memory::json::Value::Type::string,
            "a path is a string");
    for (const Condition &part : one.parts)
        check_condition(part);
}

// Quotes are closed, and brackets outside of them match.
void check_jsonpath(std::string_view path) {
    bool quoted = false;
    int open = 0;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (quoted && path[i] == '\\')
            ++i;
        else if (path[i] == '"')
            quoted = !quoted;
        else if (!quoted)
            open += (path[i] == '(') - (path[i] == ')');
        require(open >= 0, "brackets match");
    }
    require(!quoted && open == 0, "quotes and brackets are closed");
}

bool says_nothing(const Condition &one) {
    return one.kind == Condition::Kind::all &&
           std::all_of(one.parts.begin(), one.parts.end(), says_nothing);
}

void check(TestDocument &document) {
    const Condition condition = parse(document.root(), document, memory());
    check_condition(condition);
    const Plan planned = plan(condition, document, memory());
    for (const auto *group : {&planned.contained, &planned.tested, &planned.paths})
        for (const Condition *one : *group)
            require(has(condition, one), "what is planned is in the filter");
    for (const Condition *one : planned.paths)
        require(one->kind == Condition::Kind::path, "a path is a path");
    const bool nothing =
        planned.contained.empty() && planned.tested.empty() && planned.paths.empty();
    require(!nothing || planned.rest || says_nothing(condition),
            "a condition is decided somewhere");
    if (!planned.tested.empty())
        check_jsonpath(jsonpath_of(planned.tested, document, memory()));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
    TestDocument document(Writer(data, size).object());
    try {
        check(document);
    } catch (const Mistake &) {
    }
    return 0;
}
