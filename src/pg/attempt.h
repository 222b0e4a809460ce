// The only places where an error is held up on its way to the user.
#pragma once

#include "pg/call.h"
#include "pg/error.h"

namespace memory::pg {

namespace detail {

class Subtransaction {
  public:
    Subtransaction();
    ~Subtransaction();
    Subtransaction(const Subtransaction &) = delete;
    Subtransaction &operator=(const Subtransaction &) = delete;

    void commit();
    // Rolls back and returns the error in flight, which ends with that; or lets it go on, when it
    // is a cancel, a shutdown or anything else that must not be swallowed.
    Error roll_back();

  private:
    void finish() noexcept;

    MemoryContext memory_;
    ResourceOwner owner_;
    bool open_ = true;
};

// Lets the error in flight go on, with `place` before its message.
[[noreturn]] void throw_renamed(const char *place);
// The same; an error in data or syntax becomes 22023, a bad value.
[[noreturn]] void throw_bad_value(const char *place);

} // namespace detail

// Runs `body` in a subtransaction. Returns the error that it raised, whose work is then undone;
// nothing when it succeeded. A cancel is never held up, nor an exception that is no Error: their
// work is undone all the same. Not to be used while a page is locked: undoing unlocks every page.
template <class Body>
std::optional<Error> attempt(Body &&body) {
    detail::Subtransaction subtransaction;
    try {
        body();
        subtransaction.commit();
        return std::nullopt;
    } catch (const Error &error) {
        if (!error_in_flight())
            return error;
    } catch (...) {
        if (!error_in_flight())
            throw;
    }
    return subtransaction.roll_back();
}

// Runs `body`, which converts one value of a larger input; an error in it gets `place`
// ("episodes[3].occurred_at") before its message, and keeps all else that it says.
template <class Body>
auto naming(const char *place, Body &&body) {
    try {
        return body();
    } catch (const PostgresError &) {
    } catch (const Error &error) {
        throw error.at(place);
    }
    detail::throw_renamed(place);
}

// The same for a value in a language of its own, such as jsonpath: what PostgreSQL finds wrong with
// it is a bad value, whatever it is in a statement.
template <class Body>
auto parsing(const char *place, Body &&body) {
    try {
        return body();
    } catch (const PostgresError &) {
    }
    detail::throw_bad_value(place);
}

} // namespace memory::pg
