// Makes one object and one jsonpath of what a plan has found.
#include "filter/filter.h"

#include "filter/jsonb.h"
#include "filter/language/plan.h"
#include "filter/path.h"
#include "pg/memory.h"

namespace memory::filter {

namespace {

using language::Condition;

// The object that has every operand under its keys.
class ObjectOf {
  public:
    explicit ObjectOf(std::pmr::memory_resource *memory) : open_(memory) { open(); }

    // In the order of their keys.
    void add(const Condition &condition) {
        pg::check_for_interrupts();
        const std::size_t depth = condition.keys.size() - 1;
        std::size_t common = 0;
        while (common < std::min(depth, open_.size()) && open_[common] == condition.keys[common])
            ++common;
        while (open_.size() > common)
            close();
        for (; common < depth; ++common) {
            push_key(condition.keys[common]);
            open_.push_back(condition.keys[common]);
            open();
        }
        push_key(condition.keys[depth]);
        JsonbValue operand = json::jsonb_of(condition.operand);
        pg::call([&] { pushJsonbValue(&state_, WJB_VALUE, &operand); });
    }

    pg::Document finished() {
        while (!open_.empty())
            close();
        return {pg::call([&] {
            JsonbValue *whole = pushJsonbValue(&state_, WJB_END_OBJECT, nullptr);
            return JsonbPGetDatum(JsonbValueToJsonb(whole));
        })};
    }

  private:
    void open() {
        pg::call([&] { pushJsonbValue(&state_, WJB_BEGIN_OBJECT, nullptr); });
    }
    void close() {
        open_.pop_back();
        pg::call([&] { pushJsonbValue(&state_, WJB_END_OBJECT, nullptr); });
    }
    void push_key(std::string_view key) {
        json::Value written;
        written.type = json::Value::Type::string;
        written.text = key;
        JsonbValue value = json::jsonb_of(written);
        pg::call([&] { pushJsonbValue(&state_, WJB_KEY, &value); });
    }

    JsonbParseState *state_ = nullptr;
    Condition::Keys open_; // of the objects that are not closed, the outermost left out
};

pg::Document object_of(std::span<const Condition *const> contained,
                       std::pmr::memory_resource *memory) {
    ObjectOf object(memory);
    for (const Condition *condition : contained)
        object.add(*condition);
    return object.finished();
}

// One parameter has room for one jsonpath: a predicate of the user's own, where there is one.
void add_paths(const language::Plan &plan, json::JsonbReader &reader,
               std::pmr::memory_resource *memory, Conditions &conditions, bool &rest) {
    for (const Condition *condition : plan.paths) {
        const Path path = path_of(condition->operand.text);
        if (conditions.path || !path.for_operator)
            rest = true;
        else
            conditions.path = path.jsonpath;
    }
    if (plan.tested.empty())
        return;
    if (conditions.path)
        rest = true;
    else
        conditions.path = path_of(language::jsonpath_of(plan.tested, reader, memory)).jsonpath;
}

// The predicates that no plan shows, because "or" or "not" is around them.
void check_paths(const Condition &condition) {
    if (condition.kind == Condition::Kind::path)
        path_of(condition.operand.text);
    for (const Condition &part : condition.parts)
        check_paths(part);
}

} // namespace

Conditions conditions_of(const pg::Given<pg::Document> &given) {
    Conditions conditions;
    const std::optional<pg::Document> &filter = given.object().optional();
    if (!filter)
        return conditions;
    // What is made here goes when the call's own memory does.
    pg::ContextResource memory(CurrentMemoryContext);
    json::JsonbReader reader;
    const Condition whole = parsed(pg::json_root(filter->jsonb), reader, &memory);
    check_paths(whole);
    const language::Plan plan = language::plan(whole, reader, &memory);
    bool rest = plan.rest;
    if (!plan.contained.empty())
        conditions.contained = object_of(plan.contained, &memory);
    add_paths(plan, reader, &memory, conditions, rest);
    if (rest)
        conditions.rest = filter;
    return conditions;
}

} // namespace memory::filter
