// Subtransactions and errors under another name.
#include "pg/attempt.h"

#include "pg/memory.h"

extern "C" {
#include "utils/resowner.h"
}

namespace memory::pg {

namespace {

// What was the error in flight, taken off elog's stack. It has a context of its own, because
// FreeErrorData() forgets some of what CopyErrorData() copies.
class TakenError {
  public:
    TakenError() {
        call([this] {
            const MemoryContext before = MemoryContextSwitchTo(context_.get());
            data_ = CopyErrorData();
            FlushErrorState();
            MemoryContextSwitchTo(before);
        });
    }

    int sqlstate() const noexcept { return data_->sqlerrcode; }
    Error as_ours() const noexcept;
    void put_before_message(const char *place);
    void become_bad_value() noexcept;
    // Puts it in flight again, whole.
    [[noreturn]] void throw_again() const;

  private:
    // While an error is in flight, nothing can be called.
    struct ClearErrorFlag {
        ClearErrorFlag() noexcept { detail::note_error_swallowed(); }
    };

    ClearErrorFlag clear_error_flag_;
    TemporaryContext context_{"memory error"};
    ErrorData *data_ = nullptr;
};

Error TakenError::as_ours() const noexcept {
    Error error(data_->sqlerrcode, "%s", data_->message ? data_->message : "unknown error");
    if (data_->detail != nullptr)
        error.detail("%s", data_->detail);
    if (data_->hint != nullptr)
        error.hint("%s", data_->hint);
    return error;
}

void TakenError::put_before_message(const char *place) {
    const SwitchedContext switched(context_.get());
    data_->message = call([this, place] {
        return psprintf("%s: %s", place, data_->message ? data_->message : "unknown error");
    });
}

void TakenError::become_bad_value() noexcept {
    const int category = ERRCODE_TO_CATEGORY(data_->sqlerrcode);
    if (category == ERRCODE_DATA_EXCEPTION ||
        category == ERRCODE_SYNTAX_ERROR_OR_ACCESS_RULE_VIOLATION)
        data_->sqlerrcode = ERRCODE_INVALID_PARAMETER_VALUE;
}

void TakenError::throw_again() const {
    call([this] { ReThrowError(data_); });
    pg_unreachable();
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
    const TakenError error;
    call([this] {
        RollbackAndReleaseCurrentSubTransaction();
        finish();
    });
    if (must_go_on(error.sqlstate()))
        error.throw_again();
    return error.as_ours();
}

void throw_renamed(const char *place) {
    TakenError error;
    if (!must_go_on(error.sqlstate()))
        error.put_before_message(place);
    error.throw_again();
}

void throw_bad_value(const char *place) {
    TakenError error;
    if (!must_go_on(error.sqlstate())) {
        error.put_before_message(place);
        error.become_bad_value();
    }
    error.throw_again();
}

} // namespace detail

} // namespace memory::pg
