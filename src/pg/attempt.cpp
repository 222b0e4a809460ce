// Subtransactions and errors under another name.
#include "pg/attempt.h"

extern "C" {
#include "utils/resowner.h"
}

namespace memory::pg {

namespace {

// The error on elog's stack as an object of ours; the stack is clean afterwards.
Error take_error() {
    const ErrorData *data = call([] { return CopyErrorData(); });
    FlushErrorState();
    detail::note_error_swallowed();
    Error error(data->sqlerrcode, "%s", data->message);
    if (data->detail != nullptr)
        error.detail("%s", data->detail);
    if (data->hint != nullptr)
        error.hint("%s", data->hint);
    return error;
}

bool must_go_on(int sqlstate) {
    return sqlstate == ERRCODE_QUERY_CANCELED || sqlstate == ERRCODE_CRASH_SHUTDOWN ||
           ERRCODE_TO_CATEGORY(sqlstate) == ERRCODE_OPERATOR_INTERVENTION ||
           sqlstate == ERRCODE_T_R_SERIALIZATION_FAILURE ||
           sqlstate == ERRCODE_T_R_DEADLOCK_DETECTED;
}

} // namespace

namespace detail {

Subtransaction::Subtransaction() : memory_(CurrentMemoryContext), owner_(CurrentResourceOwner) {
    call([this] {
        BeginInternalSubTransaction(nullptr);
        MemoryContextSwitchTo(memory_);
    });
}

Subtransaction::~Subtransaction() {
    if (open_)
        release([this] {
            RollbackAndReleaseCurrentSubTransaction();
            finish();
        });
}

void Subtransaction::finish() noexcept {
    open_ = false;
    CurrentResourceOwner = owner_;
    MemoryContextSwitchTo(memory_);
}

void Subtransaction::commit() {
    call([this] {
        ReleaseCurrentSubTransaction();
        finish();
    });
}

Error Subtransaction::roll_back() {
    MemoryContextSwitchTo(memory_);
    if (must_go_on(geterrcode()))
        throw PostgresError{};
    Error error = take_error();
    call([this] {
        RollbackAndReleaseCurrentSubTransaction();
        finish();
    });
    return error;
}

void throw_renamed(const char *place) {
    if (must_go_on(geterrcode()))
        throw PostgresError{};
    throw take_error().at(place);
}

} // namespace detail

} // namespace memory::pg
