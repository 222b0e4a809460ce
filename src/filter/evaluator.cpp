// Walks the conditions for each row. All of a row is one pg::call, in which nothing has a
// destructor.
#include "filter/evaluator.h"

#include "filter/jsonb.h"
#include "filter/path.h"
#include "pg/function.h"
#include "pg/given.h"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace memory::filter {

namespace {

using language::Condition;
using language::Operator;

int by_numbers(const JsonbValue &one, const JsonbValue &other) {
    return DatumGetInt32(DirectFunctionCall2(numeric_cmp, NumericGetDatum(one.val.numeric),
                                             NumericGetDatum(other.val.numeric)));
}

std::string_view text_of(const JsonbValue &string) {
    return {string.val.string.val, static_cast<std::size_t>(string.val.string.len)};
}

// An order in which values are equal where jsonb's `=` says so. Inside call().
int order(const JsonbValue &one, const JsonbValue &other) {
    if (one.type != other.type)
        return one.type < other.type ? -1 : 1;
    switch (one.type) {
    case jbvNumeric:
        return by_numbers(one, other);
    case jbvString:
        return text_of(one).compare(text_of(other));
    case jbvBool:
        return static_cast<int>(one.val.boolean) - static_cast<int>(other.val.boolean);
    case jbvBinary:
        return compareJsonbContainers(one.val.binary.data, other.val.binary.data);
    default:
        return 0; // null
    }
}

bool comes_before(const JsonbValue &one, const JsonbValue &other) {
    CHECK_FOR_INTERRUPTS();
    return order(one, other) < 0;
}

// As `@>` of two values inside others: no list contains a scalar. Inside call().
bool contains(const JsonbValue &value, const JsonbValue &part) {
    if (value.type != jbvBinary || part.type != jbvBinary)
        return order(value, part) == 0;
    if (JsonContainerIsObject(value.val.binary.data) != JsonContainerIsObject(part.val.binary.data))
        return false;
    JsonbIterator *in_value = JsonbIteratorInit(value.val.binary.data);
    JsonbIterator *in_part = JsonbIteratorInit(part.val.binary.data);
    return JsonbDeepContains(&in_value, &in_part);
}

// Where the keys lead to; false when they lead nowhere. Inside call().
bool find(std::span<const std::string_view> keys, const JsonbValue &root, JsonbValue &found) {
    found = root;
    for (const std::string_view key : keys) {
        if (found.type != jbvBinary || !JsonContainerIsObject(found.val.binary.data))
            return false;
        JsonbContainer *object = found.val.binary.data;
        if (getKeyJsonValueFromContainer(object, key.data(), static_cast<int>(key.size()),
                                         &found) == nullptr)
            return false;
    }
    return true;
}

// The root of a jsonb that is an array or an object; nothing is found in a scalar.
JsonbValue root_of(Jsonb *jsonb) {
    JsonbValue root{};
    root.type = jbvNull;
    if (!JB_ROOT_IS_SCALAR(jsonb)) {
        root.type = jbvBinary;
        root.val.binary.data = &jsonb->root;
    }
    return root;
}

Datum copied_into(MemoryContext context, Datum jsonb) {
    const pg::SwitchedContext switched(context);
    return pg::call([jsonb] { return PointerGetDatum(PG_DETOAST_DATUM_COPY(jsonb)); });
}

Condition condition_of(Datum filter, std::pmr::memory_resource *memory) {
    json::JsonbReader reader;
    const pg::Given<pg::Document> given({"filter"}, pg::Document{filter});
    return parsed(pg::json_root(given.object().required().jsonb), reader, memory);
}

} // namespace

struct Evaluator::Step {
    const Condition *condition;
    JsonbValue operand;
    std::span<JsonbValue> list; // operand of $in, in order
    Datum path;
    Datum no_variables;
    std::span<Step *> parts;
};

struct Evaluator::Row {
    Datum jsonb;
    JsonbValue root;
};

Evaluator::Evaluator(Datum filter, MemoryContext context)
    : memory_(context), filter_(copied_into(context, filter)),
      no_variables_(copied_into(
          context, pg::call([] { return DirectFunctionCall1(jsonb_in, CStringGetDatum("{}")); }))),
      condition_(condition_of(filter_, &memory_)), root_(step_of(condition_)) {}

template <class T>
std::span<T> Evaluator::array(std::size_t size) {
    static_assert(std::is_trivially_destructible_v<T>);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be a pointer
    const std::size_t bytes = sizeof(T) * std::max<std::size_t>(size, 1);
    auto *array = static_cast<T *>(memory_.allocate(bytes, alignof(std::max_align_t)));
    std::uninitialized_value_construct_n(array, size);
    return {array, size};
}

Evaluator::Step *Evaluator::step_of(const Condition &condition) {
    Step *step = array<Step>(1).data();
    step->condition = &condition;
    step->no_variables = no_variables_;
    step->parts = array<Step *>(condition.parts.size());
    for (std::size_t n = 0; n < condition.parts.size(); ++n)
        step->parts[n] = step_of(condition.parts[n]);
    if (step->parts.empty())
        prepare(*step);
    return step;
}

void Evaluator::prepare(Step &step) {
    const Condition &condition = *step.condition;
    if (condition.kind == Condition::Kind::path) {
        step.path = copied_into(memory_.context(), path_of(condition.operand.text).jsonpath);
        return;
    }
    step.operand = json::jsonb_of(condition.operand);
    if (condition.kind != Condition::Kind::test || condition.test != Operator::in)
        return;
    step.list = array<JsonbValue>(condition.operand.size);
    pg::JsonWalk walk{pg::JsonValue(step.operand)};
    for (JsonbValue &element : step.list) {
        pg::check_for_interrupts();
        element = walk.next_element()->raw();
    }
    pg::call([&] { std::sort(step.list.begin(), step.list.end(), comes_before); });
}

// Inside call(), as all that follows.
bool Evaluator::holds(const Step &step, const Row &row) {
    check_stack_depth();
    const auto part_holds = [&row](const Step *part) { return holds(*part, row); };
    switch (step.condition->kind) {
    case Condition::Kind::all:
        return std::all_of(step.parts.begin(), step.parts.end(), part_holds);
    case Condition::Kind::any:
        return std::any_of(step.parts.begin(), step.parts.end(), part_holds);
    case Condition::Kind::none:
        return std::none_of(step.parts.begin(), step.parts.end(), part_holds);
    case Condition::Kind::path:
        return filter::holds(step.path, row.jsonb, step.no_variables);
    default:
        JsonbValue found;
        return find(step.condition->keys, row.root, found) && holds_of(step, found);
    }
}

bool Evaluator::holds_of(const Step &step, const JsonbValue &found) {
    if (step.condition->kind == Condition::Kind::contains)
        return contains(found, step.operand);
    switch (step.condition->test) {
    case Operator::exists:
        return true;
    case Operator::equal:
        return order(found, step.operand) == 0;
    case Operator::in:
        return std::binary_search(step.list.begin(), step.list.end(), found, comes_before);
    default:
        break;
    }
    if (found.type != step.operand.type)
        return false;
    const int compared = order(found, step.operand);
    switch (step.condition->test) {
    case Operator::greater:
        return compared > 0;
    case Operator::at_least:
        return compared >= 0;
    case Operator::less:
        return compared < 0;
    default:
        return compared <= 0;
    }
}

bool Evaluator::passes(Datum jsonb) const {
    return pg::call([this, jsonb] {
        CHECK_FOR_INTERRUPTS();
        Jsonb *whole = DatumGetJsonbP(jsonb);
        return holds(*root_, {JsonbPGetDatum(whole), root_of(whole)});
    });
}

// The filter is one for all rows of a statement, and is parsed once.
MEMORY_FUNCTION(memory_passes_filter) {
    FmgrInfo *function = arguments.raw()->flinfo;
    if (!pg::call([function] { return get_fn_expr_arg_stable(function, 1); })) {
        pg::TemporaryContext temporary("memory: one filter");
        return pg::to_datum(
            Evaluator(arguments.datum(1), temporary.get()).passes(arguments.datum(0)));
    }
    if (function->fn_extra == nullptr)
        function->fn_extra =
            pg::make_in<Evaluator>(function->fn_mcxt, arguments.datum(1), function->fn_mcxt);
    return pg::to_datum(static_cast<Evaluator *>(function->fn_extra)->passes(arguments.datum(0)));
}

} // namespace memory::filter
