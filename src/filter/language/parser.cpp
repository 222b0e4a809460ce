// Tells plain keys from operators, and makes each condition with the keys that lead to its value.
#include "filter/language/parser.h"

#include <span>

namespace memory::filter::language {

namespace {

using Kind = Condition::Kind;
using Type = Json::Type;

// The operators on a value. $ne, $nin and `$exists: false` turn their opposites round.
struct Comparison {
    std::string_view word;
    Operator test;
    bool negated;
};
constexpr Comparison comparisons[]{
    {"$eq", Operator::equal, false},      {"$ne", Operator::equal, true},
    {"$gt", Operator::greater, false},    {"$gte", Operator::at_least, false},
    {"$lt", Operator::less, false},       {"$lte", Operator::at_most, false},
    {"$in", Operator::in, false},         {"$nin", Operator::in, true},
    {"$exists", Operator::exists, false},
};

bool is_operator(std::string_view key) { return !key.empty() && key.front() == '$'; }

class Parser {
  public:
    Parser(JsonReader &reader, std::pmr::memory_resource *memory)
        : reader_(reader), memory_(memory), keys_(memory) {}

    Condition filter(const Json &object, unsigned level);

  private:
    std::pmr::vector<Member> members_of(const Json &object, unsigned level);
    std::pmr::vector<Json> elements_of(const Json &array, unsigned level);
    Condition made(Kind kind) const { return Condition(kind, memory_); }
    Condition negated(Condition condition) const;
    Condition at_keys(Kind kind, const Json &operand) const;
    std::string_view here() const { return keys_.empty() ? std::string_view() : keys_.back(); }
    [[noreturn]] void fail(Mistake::Kind kind, std::string_view word, const Json &given) const {
        throw Mistake(kind, word, here(), given.type);
    }

    Condition combined(const Member &member, unsigned level);
    Condition listed(Kind kind, const Member &member, unsigned level);
    void add_value(const Json &value, Condition &all, unsigned level);
    void add_object(const Json &object, Condition &all, unsigned level);
    Condition tests(std::span<const Member> members, unsigned level);
    Condition test(const Member &member, unsigned level);
    void check_operand(Operator test, const Member &member) const;
    void refuse_operators(const Json &value, unsigned level);

    JsonReader &reader_;
    std::pmr::memory_resource *memory_;
    Condition::Keys keys_; // to the value at hand
};

std::pmr::vector<Member> Parser::members_of(const Json &object, unsigned level) {
    if (level > deepest)
        fail(Mistake::Kind::too_deep, {}, object);
    std::pmr::vector<Member> members(memory_);
    reader_.read_members(object, members);
    return members;
}

std::pmr::vector<Json> Parser::elements_of(const Json &array, unsigned level) {
    if (level > deepest)
        fail(Mistake::Kind::too_deep, {}, array);
    std::pmr::vector<Json> elements(memory_);
    reader_.read_elements(array, elements);
    return elements;
}

Condition Parser::negated(Condition condition) const {
    Condition none = made(Kind::none);
    none.parts.push_back(std::move(condition));
    return none;
}

Condition Parser::at_keys(Kind kind, const Json &operand) const {
    Condition condition = made(kind);
    condition.keys = keys_;
    condition.operand = operand;
    return condition;
}

Condition Parser::filter(const Json &object, unsigned level) {
    Condition all = made(Kind::all);
    for (const Member &member : members_of(object, level)) {
        if (is_operator(member.key)) {
            all.parts.push_back(combined(member, level));
            continue;
        }
        keys_.push_back(member.key);
        add_value(member.value, all, level + 1);
        keys_.pop_back();
    }
    return all;
}

// What stands at the top beside plain keys.
Condition Parser::combined(const Member &member, unsigned level) {
    if (member.key == "$and")
        return listed(Kind::all, member, level);
    if (member.key == "$or")
        return listed(Kind::any, member, level);
    if (member.key == "$not") {
        if (member.value.type != Type::object)
            fail(Mistake::Kind::not_a_filter, member.key, member.value);
        return negated(filter(member.value, level + 1));
    }
    if (member.key != "$path")
        fail(Mistake::Kind::unknown_at_top, member.key, member.value);
    if (member.value.type != Type::string)
        fail(Mistake::Kind::not_a_string, member.key, member.value);
    return at_keys(Kind::path, member.value);
}

Condition Parser::listed(Kind kind, const Member &member, unsigned level) {
    if (member.value.type != Type::array)
        fail(Mistake::Kind::not_a_list, member.key, member.value);
    Condition list = made(kind);
    for (const Json &element : elements_of(member.value, level)) {
        if (element.type != Type::object)
            fail(Mistake::Kind::not_a_filter, member.key, element);
        list.parts.push_back(filter(element, level + 1));
    }
    return list;
}

// A value under a plain key. Containment of an object is containment of each of its members.
void Parser::add_value(const Json &value, Condition &all, unsigned level) {
    if (value.type == Type::object)
        return add_object(value, all, level);
    refuse_operators(value, level);
    all.parts.push_back(at_keys(Kind::contains, value));
}

void Parser::add_object(const Json &object, Condition &all, unsigned level) {
    const std::pmr::vector<Member> members = members_of(object, level);
    const Member *operator_found = nullptr;
    std::size_t operators = 0;
    for (const Member &member : members) {
        if (!is_operator(member.key))
            continue;
        ++operators;
        operator_found = &member;
    }
    if (members.empty())
        return all.parts.push_back(at_keys(Kind::contains, object));
    if (operators == members.size())
        return all.parts.push_back(tests(members, level));
    if (operators > 0)
        fail(Mistake::Kind::mixed, operator_found->key, object);
    for (const Member &member : members) {
        keys_.push_back(member.key);
        add_value(member.value, all, level + 1);
        keys_.pop_back();
    }
}

Condition Parser::tests(std::span<const Member> members, unsigned level) {
    if (members.size() == 1)
        return test(members.front(), level);
    Condition all = made(Kind::all);
    for (const Member &member : members)
        all.parts.push_back(test(member, level));
    return all;
}

Condition Parser::test(const Member &member, unsigned level) {
    if (member.key == "$not") {
        if (member.value.type != Type::object)
            fail(Mistake::Kind::no_operators, member.key, member.value);
        const std::pmr::vector<Member> members = members_of(member.value, level + 1);
        for (const Member &one : members)
            if (!is_operator(one.key))
                fail(Mistake::Kind::no_operators, member.key, member.value);
        if (members.empty())
            fail(Mistake::Kind::no_operators, member.key, member.value);
        return negated(tests(members, level + 1));
    }
    for (const Comparison &one : comparisons) {
        if (one.word != member.key)
            continue;
        check_operand(one.test, member);
        Condition condition = at_keys(Kind::test, member.value);
        condition.test = one.test;
        const bool round = one.negated || (one.test == Operator::exists && !member.value.truth);
        return round ? negated(std::move(condition)) : condition;
    }
    fail(Mistake::Kind::unknown_operator, member.key, member.value);
}

void Parser::check_operand(Operator test, const Member &member) const {
    const Type type = member.value.type;
    switch (test) {
    case Operator::equal:
        return;
    case Operator::in:
        if (type != Type::array)
            fail(Mistake::Kind::not_a_list, member.key, member.value);
        return;
    case Operator::exists:
        if (type != Type::boolean)
            fail(Mistake::Kind::not_a_boolean, member.key, member.value);
        return;
    default:
        if (type != Type::number && type != Type::string)
            fail(Mistake::Kind::not_comparable, member.key, member.value);
    }
}

// In lists nothing is tested, only contained.
void Parser::refuse_operators(const Json &value, unsigned level) {
    if (value.type == Type::array) {
        for (const Json &element : elements_of(value, level))
            refuse_operators(element, level + 1);
    } else if (value.type == Type::object) {
        for (const Member &member : members_of(value, level)) {
            if (is_operator(member.key))
                fail(Mistake::Kind::in_list, member.key, value);
            refuse_operators(member.value, level + 1);
        }
    }
}

} // namespace

Condition parse(const Json &filter, JsonReader &reader, std::pmr::memory_resource *memory) {
    return Parser(reader, memory).filter(filter, 1);
}

} // namespace memory::filter::language
