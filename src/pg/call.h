// C++ → PostgreSQL. Whatever may raise an ERROR is called through here.
//
// An ERROR is a siglongjmp: it skips every destructor between the raise and the handler. call()
// makes itself the handler, so that the jump ends in the frame it left from, and goes on as a C++
// exception, which unwinds properly. The error's own data stay where they are, on elog's stack:
// entry() (entry.h) hands the very same error back to PostgreSQL.
#pragma once

#include "pg/backend.h"

namespace memory::pg {

// "There is an error on elog's stack." Only src/pg/ may catch it.
struct PostgresError {};

namespace detail {

inline constinit bool in_flight = false;

// Notes that an error is in flight, and throws PostgresError.
[[noreturn]] void throw_postgres_error();

void note_error_swallowed() noexcept;

// Call inside a handler: puts the exception being handled on elog's stack, as an error in flight.
void keep_exception_as_error() noexcept;

// PostgreSQL's error handler and error context as they were before a frame of ours.
class OuterHandler {
  public:
    OuterHandler() noexcept
        : jump_(PG_exception_stack), callbacks_(error_context_stack),
          memory_(CurrentMemoryContext) {}
    ~OuterHandler() { PG_exception_stack = jump_; }
    OuterHandler(const OuterHandler &) = delete;
    OuterHandler &operator=(const OuterHandler &) = delete;

    // After a jump: elog leaves us in ErrorContext, with the callbacks of the frames that are gone.
    void restore() const noexcept {
        PG_exception_stack = jump_;
        error_context_stack = callbacks_;
        CurrentMemoryContext = memory_;
    }

  private:
    sigjmp_buf *jump_;
    ErrorContextCallback *callbacks_;
    MemoryContext memory_;
};

} // namespace detail

// True while there is an error on elog's stack that entry() has still to raise: C++ unwinds because
// of it, or a destructor met it. PostgreSQL will then release buffers, locks, relations and
// snapshots by itself (ResourceOwner), so destructors must not.
inline bool error_in_flight() noexcept { return detail::in_flight; }

// Runs `body`, which calls PostgreSQL; an ERROR raised in it leaves as PostgresError. While an
// error is in flight nothing is called: the error leaves at once. Between `body` and the PostgreSQL
// function there must be no object with a destructor that matters: the jump skips it. Bodies are
// therefore short lambdas over plain values, or page loops that hold nothing but pointers.
template <class Body>
std::invoke_result_t<Body &> call(Body &&body) {
    using Result = std::invoke_result_t<Body &>;
    static_assert(std::is_void_v<Result> || std::is_trivially_destructible_v<Result>,
                  "a jump would skip the result's destructor");
    if (error_in_flight()) [[unlikely]]
        detail::throw_postgres_error();
    const detail::OuterHandler outer;
    sigjmp_buf here;
    if (sigsetjmp(here, 0) != 0) {
        outer.restore();
        detail::throw_postgres_error();
    }
    PG_exception_stack = &here;
    return body();
}

// For destructors: runs `body` unless an error is in flight. An ERROR raised in it, or an
// exception, becomes an error in flight: the next call() lets it out, and at the latest the
// enclosing entry() raises it.
template <class Body>
void release(Body &&body) noexcept {
    if (error_in_flight())
        return;
    try {
        call(body);
    } catch (const PostgresError &) {
    } catch (...) {
        detail::keep_exception_as_error();
    }
}

// Raises what interrupts the query (cancel, shutdown, recovery conflict), as PostgresError.
inline void check_for_interrupts() {
    if (INTERRUPTS_PENDING_CONDITION())
        call([] { CHECK_FOR_INTERRUPTS(); });
}

} // namespace memory::pg
