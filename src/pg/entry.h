// PostgreSQL → C++. Every function that PostgreSQL calls in this library is one entry(): SQL
// functions, access method and build callbacks, hooks, GUC checks, comparators.
//
// No exception leaves entry(): it becomes an ERROR, raised after the C++ handler has been left
// (raising inside `catch` would leak the exception object).
#pragma once

#include "pg/backend.h"
#include "pg/call.h"

namespace memory::pg {

namespace detail {

// What to raise once the handler is left. Trivial, so that the jump out of entry() skips nothing.
class Failure {
  public:
    // Call inside a handler: notes the exception being handled.
    void capture() noexcept;
    // The body succeeded, but a destructor met an error (release() in call.h).
    void came_from_a_destructor() noexcept { postgres_error_ = true; }
    [[noreturn]] void raise() const;

  private:
    void keep(int sqlstate, const char *message, const char *detail, const char *hint) noexcept;

    bool postgres_error_;
    int sqlstate_;
    char message_[512];
    char detail_[512];
    char hint_[512];
};

} // namespace detail

template <class Body>
std::invoke_result_t<Body &> entry(Body &&body) {
    using Result = std::invoke_result_t<Body &>;
    static_assert(std::is_void_v<Result> || std::is_trivially_destructible_v<Result>);
    detail::Failure failure;
    try {
        if constexpr (std::is_void_v<Result>) {
            body();
            if (!error_in_flight()) [[likely]]
                return;
        } else {
            const Result result = body();
            if (!error_in_flight()) [[likely]]
                return result;
        }
        failure.came_from_a_destructor();
    } catch (...) {
        failure.capture();
    }
    failure.raise();
}

} // namespace memory::pg
