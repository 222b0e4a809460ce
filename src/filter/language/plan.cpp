// Takes a filter's conditions apart as far as they are joined by "and".
#include "filter/language/plan.h"

#include <algorithm>

namespace memory::filter::language {

namespace {

using Kind = Condition::Kind;
using Type = Json::Type;

// A jsonpath is evaluated test by test. Beyond so many the filter is evaluated as a whole, where a
// list is searched and not walked.
constexpr std::size_t most_tests = 64;

bool is_scalar(const Json &value) {
    return value.type != Type::array && value.type != Type::object;
}

// To contain a scalar is to be equal to it.
bool is_equality(const Condition &condition) {
    return condition.kind == Kind::contains ||
           (condition.kind == Kind::test && condition.test == Operator::equal);
}

class Planner {
  public:
    Planner(Plan &plan, JsonReader &reader, std::pmr::memory_resource *memory)
        : plan_(plan), reader_(reader), memory_(memory) {}

    void add(const Condition &condition);
    void settle_contained();

  private:
    void add_tested(const Condition &condition);
    bool is_writable(const Condition &condition, std::size_t &tests) const;
    bool is_writable_list(const Json &list, std::size_t &tests) const;

    Plan &plan_;
    JsonReader &reader_;
    std::pmr::memory_resource *memory_;
    std::size_t tests_ = 0; // among those that are written
};

void Planner::add(const Condition &condition) {
    if (condition.kind == Kind::all) {
        for (const Condition &part : condition.parts)
            add(part);
    } else if (is_equality(condition)) {
        plan_.contained.push_back(&condition);
    } else if (condition.kind == Kind::path) {
        plan_.paths.push_back(&condition);
    } else {
        add_tested(condition);
    }
}

// One object has room for one value at a place, and for none inside another one.
void Planner::settle_contained() {
    std::pmr::vector<const Condition *> found(std::move(plan_.contained));
    std::stable_sort(found.begin(), found.end(), [](const Condition *one, const Condition *other) {
        return one->keys < other->keys;
    });
    for (const Condition *condition : found) {
        if (!plan_.contained.empty()) {
            const Condition::Keys &before = plan_.contained.back()->keys;
            if (before.size() <= condition->keys.size() &&
                std::equal(before.begin(), before.end(), condition->keys.begin())) {
                add_tested(*condition);
                continue;
            }
        }
        plan_.contained.push_back(condition);
        // What contains a list or an object need not be equal to it.
        if (condition->kind == Kind::test && !is_scalar(condition->operand))
            plan_.rest = true;
    }
}

void Planner::add_tested(const Condition &condition) {
    std::size_t tests = tests_;
    if (is_writable(condition, tests)) {
        tests_ = tests;
        plan_.tested.push_back(&condition);
    } else {
        plan_.rest = true;
    }
}

// Adds to `tests` those that it takes; meaningless when it is not writable.
bool Planner::is_writable(const Condition &condition, std::size_t &tests) const {
    if (condition.kind == Kind::all || condition.kind == Kind::any)
        return !condition.parts.empty() &&
               std::all_of(condition.parts.begin(), condition.parts.end(),
                           [&](const Condition &part) { return is_writable(part, tests); });
    if (is_equality(condition))
        return is_scalar(condition.operand) && ++tests <= most_tests;
    return condition.kind == Kind::test && condition.test == Operator::in &&
           is_writable_list(condition.operand, tests);
}

bool Planner::is_writable_list(const Json &list, std::size_t &tests) const {
    tests += list.size;
    if (list.size == 0 || tests > most_tests)
        return false;
    std::pmr::vector<Json> elements(memory_);
    reader_.read_elements(list, elements);
    return std::all_of(elements.begin(), elements.end(), is_scalar);
}

class Writer {
  public:
    Writer(JsonReader &reader, std::pmr::memory_resource *memory, std::pmr::string &to)
        : reader_(reader), memory_(memory), to_(to) {}

    void write(const Condition &condition);

  private:
    void write_parts(const Condition &condition);
    void write_list(const Condition &condition);
    void write_keys(const Condition &condition);
    void write_string(std::string_view string);
    void write_scalar(const Json &value);

    JsonReader &reader_;
    std::pmr::memory_resource *memory_;
    std::pmr::string &to_;
};

void Writer::write(const Condition &condition) {
    if (condition.kind == Kind::all || condition.kind == Kind::any)
        return write_parts(condition);
    if (condition.kind == Kind::test && condition.test == Operator::in)
        return write_list(condition);
    write_keys(condition);
    to_ += " == ";
    write_scalar(condition.operand);
}

void Writer::write_parts(const Condition &condition) {
    const char *between = "(";
    for (const Condition &part : condition.parts) {
        to_ += between;
        write(part);
        between = condition.kind == Kind::all ? " && " : " || ";
    }
    to_ += ')';
}

void Writer::write_list(const Condition &condition) {
    std::pmr::vector<Json> elements(memory_);
    reader_.read_elements(condition.operand, elements);
    const char *between = "(";
    for (const Json &element : elements) {
        to_ += between;
        write_keys(condition);
        to_ += " == ";
        write_scalar(element);
        between = " || ";
    }
    to_ += ')';
}

void Writer::write_keys(const Condition &condition) {
    to_ += '$';
    for (const std::string_view key : condition.keys) {
        to_ += '.';
        write_string(key);
    }
}

void Writer::write_string(std::string_view string) {
    constexpr char digits[] = "0123456789abcdef";
    to_ += '"';
    for (const char c : string) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20) {
            to_ += "\\u00";
            to_ += digits[byte >> 4];
            to_ += digits[byte & 15];
            continue;
        }
        if (c == '"' || c == '\\')
            to_ += '\\';
        to_ += c;
    }
    to_ += '"';
}

void Writer::write_scalar(const Json &value) {
    switch (value.type) {
    case Type::null:
        to_ += "null";
        return;
    case Type::boolean:
        to_ += value.truth ? "true" : "false";
        return;
    case Type::string:
        return write_string(value.text);
    default:
        reader_.write_number(value, to_);
    }
}

} // namespace

Plan plan(const Condition &filter, JsonReader &reader, std::pmr::memory_resource *memory) {
    Plan made(memory);
    Planner planner(made, reader, memory);
    planner.add(filter);
    planner.settle_contained();
    return made;
}

std::pmr::string jsonpath_of(std::span<const Condition *const> tested, JsonReader &reader,
                             std::pmr::memory_resource *memory) {
    std::pmr::string path("strict ", memory);
    Writer writer(reader, memory, path);
    const char *between = "";
    for (const Condition *condition : tested) {
        path += between;
        writer.write(*condition);
        between = " && ";
    }
    return path;
}

} // namespace memory::filter::language
