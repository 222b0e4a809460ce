// Subtransactions and errors under another name.
#include "pg/attempt.h"

extern "C" {
#include "utils/resowner.h"
}

namespace memory::pg {

namespace {

// The error in flight, in the current memory context; it is in flight no longer.
ErrorData *take_error() {
    detail::note_error_swallowed();
    return call([] {
        ErrorData *error = CopyErrorData();
        FlushErrorState();
        return error;
    });
}

// Puts an error in flight again, whole.
[[noreturn]] void throw_again(ErrorData *error) {
    call([error] { ReThrowError(error); });
    pg_unreachable();
}

// An object of ours that says the same.
Error as_ours(const ErrorData &data) {
    Error error(data.sqlerrcode, "%s", data.message != nullptr ? data.message : "unknown error");
    if (data.detail != nullptr)
        error.detail("%s", data.detail);
    if (data.hint != nullptr)
        error.hint("%s", data.hint);
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
    if (InterruptHoldoffCount != 0 || CritSectionCount != 0)
        throw Error(ERRCODE_INTERNAL_ERROR, "a subtransaction is begun while a page is locked");
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
    ErrorData *data = take_error();
    call([this] {
        RollbackAndReleaseCurrentSubTransaction();
        finish();
    });
    if (must_go_on(data->sqlerrcode))
        throw_again(data);
    const Error error = as_ours(*data);
    FreeErrorData(data);
    return error;
}

void throw_renamed(const char *place) {
    ErrorData *data = take_error();
    if (!must_go_on(data->sqlerrcode))
        data->message = call([=] { return psprintf("%s: %s", place, data->message); });
    throw_again(data);
}

} // namespace detail

} // namespace memory::pg
