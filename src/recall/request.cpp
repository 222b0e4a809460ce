// What is special about the arguments of recall_scored().
#include "recall/request.h"

namespace memory::recall {

void notice_vector(const Request &request) {
    if (!request.query || request.embedding != nullptr)
        return;
    std::string_view text = *request.query;
    constexpr const char *blanks = " \t\r\n\f\v";
    text.remove_prefix(text.find_first_not_of(blanks));
    text = text.substr(0, text.find_last_not_of(blanks) + 1);
    if (text.front() != '[' || text.back() != ']' ||
        text.find_first_not_of("[]0123456789+-.,eE \t\r\n") != text.npos ||
        text.find_first_of("0123456789") == text.npos)
        return;
    pg::call([] {
        ereport(NOTICE, (errmsg("query is a vector, and is searched for as words"),
                         errhint("Pass a vector as embedding: recall_scored(embedding => ...).")));
    });
}

double length_of(const pg::Given<Interval> &given) {
    const std::optional<Interval> &length = given.positive().optional();
    if (!length)
        return 0;
    return static_cast<double>(length->time) +
           (length->day + length->month * static_cast<double>(DAYS_PER_MONTH)) * USECS_PER_DAY;
}

void settle(Request &request, std::string_view name_space) {
    const models::Settled settled = models::settled(
        {request.query, request.embedding, request.named_model, request.alpha}, name_space);
    request.model = settled.model.name;
    request.embedding = settled.embedding;
    if (settled.alpha || request.fusion != rank::Fusion::rrf_replicated)
        request.alpha = settled.alpha.value_or(0);
    else
        request.alpha = models::weight_of(settled.model);
}

void read_times(std::optional<pg::Instant> since, std::optional<pg::Instant> until, Filter &read) {
    if (since && until && since->time > until->time)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "since must not be after until");
    read.since = since;
    read.until = until;
}

} // namespace memory::recall
