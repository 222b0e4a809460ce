// What is special about the arguments of recall_scored().
#include "recall/request.h"

#include "pg/attempt.h"
#include "pg/json.h"

extern "C" {
#include "utils/jsonpath.h"
}

namespace memory::recall {

namespace {

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

} // namespace

std::optional<std::string_view> unless_blank(std::optional<std::string_view> text) {
    if (!text || text->find_first_not_of(" \t\r\n\f\v") == text->npos)
        return std::nullopt;
    return text;
}

double length_of(const pg::Given<Interval> &given) {
    const std::optional<Interval> &length = given.positive().optional();
    if (!length)
        return 0;
    return static_cast<double>(length->time) +
           (length->day + length->month * static_cast<double>(DAYS_PER_MONTH)) * USECS_PER_DAY;
}

void read_filter(const pg::Given<pg::Document> &given, Filter &read) {
    const std::optional<pg::Document> &filter = given.object().optional();
    if (!filter)
        return;
    pg::JsonWalk walk(pg::json_root(filter->jsonb));
    bool plain = false;
    while (const auto member = walk.next_member())
        if (member->key == "$path")
            read.path = jsonpath(member->value);
        else
            plain = true;
    if (!plain)
        return;
    read.contains = filter;
    if (read.path)
        read.contains->jsonb = pg::call([&] {
            return DirectFunctionCall2(jsonb_delete, filter->jsonb, CStringGetTextDatum("$path"));
        });
}

void read_times(std::optional<pg::Instant> since, std::optional<pg::Instant> until, Filter &read) {
    if (since && until && since->time > until->time)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "since must not be after until");
    read.since = since;
    read.until = until;
}

} // namespace memory::recall
