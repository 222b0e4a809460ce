// Statuses of runs.
#include "conversations/run.h"

namespace memory::conversations {

namespace {

constexpr pg::Choice<std::string_view> statuses[]{{running, running},
                                                  {completed, completed},
                                                  {"paused", "paused"},
                                                  {"cancelled", "cancelled"},
                                                  {"error", "error"}};

} // namespace

pg::Given<std::string_view> checked_status(const pg::Given<std::string_view> &status) {
    return status.one_of(statuses);
}

sessions::Names checked_statuses(const char *argument, const sessions::Names &list) {
    if (list && list->empty())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must not be empty", argument)
            .hint("Leave it out, or pass NULL, for any status.");
    for (std::size_t n = 0; list && n < list->size(); ++n)
        checked_status({{{}, argument, n}, (*list)[n]});
    return list;
}

} // namespace memory::conversations
