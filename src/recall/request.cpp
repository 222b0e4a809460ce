// See request.h.
#include "recall/request.h"

#include "pg/attempt.h"
#include "pg/json.h"
#include "rank/cosine.h"
#include "recall/settings.h"
#include "text/settings_sql.h"

extern "C" {
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/jsonpath.h"
#include "utils/timestamp.h"
}

namespace memory::recall {

namespace {

// The places of recall_scored()'s arguments.
enum : int {
    query,
    embedding,
    k,
    alpha,
    user_id,
    session_id,
    agent_id,
    kinds,
    filter,
    since,
    until,
    min_relevance,
    half_life,
    diversity,
    context_weight,
    fusion,
    fallback
};

std::optional<std::string_view> unless_blank(std::optional<std::string_view> text) {
    if (!text || text->find_first_not_of(" \t\r\n\f\v") == text->npos)
        return std::nullopt;
    return text;
}

// A real between 0 and 1, with the value that its decimal says.
double fraction(const pg::Arguments &arguments, int n, const char *name, double otherwise) {
    if (!arguments.has(n))
        return otherwise;
    const float value = DatumGetFloat4(arguments.datum(n));
    if (!(value >= 0 && value <= 1))
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be between 0 and 1, not %g", name,
                        static_cast<double>(value));
    return rank::as_written(value);
}

double microseconds(const pg::Arguments &arguments, int n) {
    if (!arguments.has(n))
        return 0;
    const Interval &interval = *DatumGetIntervalP(arguments.datum(n));
    const double length =
        static_cast<double>(interval.time) +
        (interval.day + interval.month * static_cast<double>(DAYS_PER_MONTH)) * USECS_PER_DAY;
    if (!(length > 0))
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "half_life must be longer than nothing");
    return length;
}

Datum jsonpath(const pg::JsonValue &written) {
    const std::optional<std::string_view> path = written.string();
    if (!path)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                        "filter: \"$path\" must be a string with a jsonpath, not %s",
                        written.described());
    return pg::naming("filter: \"$path\"", [&] {
        return pg::call([&] {
            return DirectFunctionCall1(jsonpath_in,
                                       CStringGetDatum(pnstrdup(path->data(), path->size())));
        });
    });
}

void read_filter(Datum given, Filter &read) {
    const pg::JsonValue root = pg::json_root(given);
    if (!root.is_object())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "filter must be a JSON object, not %s",
                        root.described());
    pg::JsonWalk walk(root);
    bool plain = false;
    while (const auto member = walk.next_member()) {
        if (member->key == "$path")
            read.path = jsonpath(member->value);
        else
            plain = true;
    }
    if (!plain)
        return;
    read.contains = !read.path ? given : pg::call([given] {
        return DirectFunctionCall2(jsonb_delete, given, CStringGetTextDatum("$path"));
    });
}

void read_kinds(const pg::Arguments &arguments, int n, Filter &read) {
    if (!arguments.has(n))
        return;
    const bool has_null =
        pg::call([&] { return array_contains_nulls(DatumGetArrayTypeP(arguments.datum(n))); });
    if (has_null)
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "kinds must not contain null");
    read.kinds = arguments.datum(n);
}

void read_times(const pg::Arguments &arguments, int from, int to, Filter &read) {
    read.since = arguments.optional(from);
    read.until = arguments.optional(to);
    if (read.since && read.until &&
        DatumGetTimestampTz(*read.since) > DatumGetTimestampTz(*read.until))
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "since must not be after until");
}

rank::Fusion fusion_of(const pg::Arguments &arguments, int n) {
    const std::string_view name = arguments.text(n).value_or("rrf");
    if (const auto known = rank::fusion_named(name))
        return *known;
    const pg::Quoted quoted(name);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                    "fusion must be rrf, blend or rrf_replicated, not \"%.*s\"", quoted.length,
                    quoted.text);
}

Fallback fallback_of(const pg::Arguments &arguments, int n) {
    const std::string_view name = arguments.text(n).value_or("none");
    if (name == "none")
        return Fallback::none;
    if (name == "recent")
        return Fallback::recent;
    const pg::Quoted quoted(name);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                    "fallback must be none or recent, not \"%.*s\"", quoted.length, quoted.text);
}

} // namespace

std::int32_t row_limit(const pg::Arguments &arguments, int n, std::int32_t otherwise) {
    const std::int32_t rows = arguments.has(n) ? DatumGetInt32(arguments.datum(n)) : otherwise;
    if (rows < 1 || rows > most_rows)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "k must be between 1 and %d, not %d",
                        most_rows, rows);
    return rows;
}

const pg::Vector *checked_embedding(Datum given) {
    const pg::Vector &vector = pg::vector_view(given);
    if (!rank::Cosine(vector.elements()).has_direction())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                        "embedding must have a direction: its elements are all zero, too large, or "
                        "not numbers");
    return &vector;
}

Request scored_request(const pg::Arguments &arguments, int first) {
    Request read;
    read.query = unless_blank(text::checked_query(arguments.text(first + query)));
    if (arguments.has(first + embedding))
        read.embedding = checked_embedding(arguments.datum(first + embedding));
    read.k = row_limit(arguments, first + k, read.k);
    read.alpha = fraction(arguments, first + alpha, "alpha", read.alpha);
    read.user_id = arguments.text(first + user_id);
    read.filter.session_id = arguments.text(first + session_id);
    read.filter.agent_id = arguments.text(first + agent_id);
    read_kinds(arguments, first + kinds, read.filter);
    if (arguments.has(first + filter))
        read_filter(arguments.datum(first + filter), read.filter);
    read_times(arguments, first + since, first + until, read.filter);
    read.min_relevance = fraction(arguments, first + min_relevance, "min_relevance", 0);
    read.half_life = microseconds(arguments, first + half_life);
    read.diversity = fraction(arguments, first + diversity, "diversity", 0);
    read.context_weight =
        fraction(arguments, first + context_weight, "context_weight", context_weight_setting());
    read.fusion = fusion_of(arguments, first + fusion);
    read.fallback = fallback_of(arguments, first + fallback);
    return read;
}

Request plain_request(const pg::Arguments &arguments) {
    Request read;
    read.query = unless_blank(text::checked_query(arguments.text(0)));
    read.k = row_limit(arguments, 1, read.k);
    read.user_id = arguments.text(2);
    read_times(arguments, 3, 4, read.filter);
    if (arguments.has(5))
        read.embedding = checked_embedding(arguments.datum(5));
    read.context_weight = context_weight_setting();
    return read;
}

} // namespace memory::recall
