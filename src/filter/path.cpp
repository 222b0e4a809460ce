// Decides from a path's own items what it can answer.
#include "filter/path.h"

#include "pg/attempt.h"

extern "C" {
#include "utils/fmgrprotos.h"
#include "utils/jsonpath.h"
}

namespace memory::filter {

namespace {

constexpr char name[] = "filter: \"$path\"";

bool is_predicate(JsonPathItem *item) {
    switch (item->type) {
    case jpiAnd:
    case jpiOr:
    case jpiNot:
    case jpiIsUnknown:
    case jpiEqual:
    case jpiNotEqual:
    case jpiLess:
    case jpiGreater:
    case jpiLessOrEqual:
    case jpiGreaterOrEqual:
    case jpiExists:
    case jpiStartsWith:
    case jpiLikeRegex:
        return !jspGetNext(item, nullptr); // ($.a > 1).type() is none
    default:
        return false;
    }
}

// Whether a GIN index finds what it is true of. Inside call().
bool is_findable(JsonPathItem *item);

// Of the path in exists(): one of its filters says what is to be found.
bool has_findable_filter(JsonPathItem *item) {
    if (item->type == jpiFilter) {
        JsonPathItem predicate;
        jspGetArg(item, &predicate);
        if (is_findable(&predicate))
            return true;
    }
    JsonPathItem next;
    return jspGetNext(item, &next) && has_findable_filter(&next);
}

bool is_findable(JsonPathItem *item) {
    check_stack_depth();
    JsonPathItem left;
    JsonPathItem right;
    switch (item->type) {
    case jpiEqual:
        return true;
    case jpiAnd:
    case jpiOr:
        jspGetLeftArg(item, &left);
        jspGetRightArg(item, &right);
        return item->type == jpiAnd ? is_findable(&left) || is_findable(&right)
                                    : is_findable(&left) && is_findable(&right);
    case jpiExists:
        jspGetArg(item, &left);
        return has_findable_filter(&left);
    default:
        return false;
    }
}

// What a walk over all items of a path meets.
struct Found {
    bool times = false;
    const char *variable = nullptr;
    int variable_length = 0;
};

bool reads_time(JsonPathItemType type) {
    switch (type) {
    case jpiDatetime:
#if PG_VERSION_NUM >= 170000
    case jpiDate:
    case jpiTime:
    case jpiTimeTz:
    case jpiTimestamp:
    case jpiTimestampTz:
#endif
        return true;
    default:
        return false;
    }
}

void walk(JsonPathItem *item, Found &found);

void walk_operands(JsonPathItem *item, Found &found) {
    JsonPathItem operand;
    switch (item->type) {
    case jpiAnd:
    case jpiOr:
    case jpiEqual:
    case jpiNotEqual:
    case jpiLess:
    case jpiGreater:
    case jpiLessOrEqual:
    case jpiGreaterOrEqual:
    case jpiAdd:
    case jpiSub:
    case jpiMul:
    case jpiDiv:
    case jpiMod:
    case jpiStartsWith:
        jspGetLeftArg(item, &operand);
        walk(&operand, found);
        jspGetRightArg(item, &operand);
        return walk(&operand, found);
    case jpiNot:
    case jpiIsUnknown:
    case jpiExists:
    case jpiPlus:
    case jpiMinus:
    case jpiFilter:
        jspGetArg(item, &operand);
        return walk(&operand, found);
    case jpiLikeRegex:
        jspInitByBuffer(&operand, item->base, item->content.like_regex.expr);
        return walk(&operand, found);
    default:
        return;
    }
}

void walk_subscripts(JsonPathItem *item, Found &found) {
    for (int n = 0; n < item->content.array.nelems; ++n) {
        JsonPathItem from;
        JsonPathItem to;
        const bool range = jspGetArraySubscript(item, &from, &to, n);
        walk(&from, found);
        if (range)
            walk(&to, found);
    }
}

// Inside call().
void walk(JsonPathItem *item, Found &found) {
    check_stack_depth();
    CHECK_FOR_INTERRUPTS();
    found.times = found.times || reads_time(item->type);
    if (item->type == jpiVariable)
        found.variable = jspGetString(item, &found.variable_length);
    else if (item->type == jpiIndexArray)
        walk_subscripts(item, found);
    else
        walk_operands(item, found);
    if (JsonPathItem next; jspGetNext(item, &next))
        walk(&next, found);
}

} // namespace

Path path_of(std::string_view written) {
    const Datum jsonpath = pg::parsing(name, [&] {
        return pg::call([&] {
            return DirectFunctionCall1(jsonpath_in,
                                       CStringGetDatum(pnstrdup(written.data(), written.size())));
        });
    });
    Found found;
    bool findable = false;
    const bool predicate = pg::call([&] {
        JsonPathItem outermost;
        jspInit(&outermost, DatumGetJsonPathP(jsonpath));
        walk(&outermost, found);
        findable = is_findable(&outermost);
        return is_predicate(&outermost);
    });
    const pg::Quoted path(written);
    if (!predicate)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                        "%s must be a predicate, which \"%.*s\" is not", name, path.length,
                        path.text)
            .hint("A predicate is true or false: $.stars > 3, $.done == true, exists($.tags), "
                  "exists($.tags[*] ? (@ == \"x\")).");
    if (found.variable != nullptr) {
        const pg::Quoted variable(
            {found.variable, static_cast<std::size_t>(found.variable_length)});
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s has a variable, \"$%.*s\"", name,
                        variable.length, variable.text)
            .hint("Write its value into the path.");
    }
    return {jsonpath, findable && !found.times};
}

bool holds(Datum jsonpath, Datum jsonb, Datum no_variables) {
    LOCAL_FCINFO(match, 4);
    InitFunctionCallInfoData(*match, nullptr, 4, InvalidOid, nullptr, nullptr);
    const Datum values[]{jsonb, jsonpath, no_variables, BoolGetDatum(true)};
    for (int n = 0; n < 4; ++n)
        match->args[n] = {values[n], false};
    const Datum result = jsonb_path_match_tz(match);
    return !match->isnull && DatumGetBool(result);
}

} // namespace memory::filter
