// Both directions of the door: how a jump becomes an exception and an exception an ERROR.
#include "pg/call.h"
#include "pg/entry.h"
#include "pg/error.h"

#include <new>
#include <stdexcept>

namespace memory::pg {

namespace detail {

namespace {

// As much of `from` as there is room for.
template <std::size_t size>
void copy(char (&to)[size], const char *from) noexcept {
    if (strlcpy(to, from, size) >= size)
        drop_half_character(to, size - 1);
}

} // namespace

void note_error_swallowed() noexcept { in_flight = false; }

void throw_postgres_error() {
    in_flight = true;
    throw PostgresError{};
}

void keep_exception_as_error() noexcept {
    try {
        call([] { entry([] { throw; }); });
    } catch (const PostgresError &) {
    }
}

void Failure::keep(int sqlstate, const char *message, const char *detail,
                   const char *hint) noexcept {
    postgres_error_ = false;
    sqlstate_ = sqlstate;
    copy(message_, message);
    copy(detail_, detail);
    copy(hint_, hint);
}

void Failure::capture() noexcept {
    constexpr const char *report = "This is a bug in the extension memory; please report it.";
    try {
        throw;
    } catch (const PostgresError &) {
        postgres_error_ = true;
    } catch (const Error &error) {
        keep(error.sqlstate(), error.what(), error.detail_text(), error.hint_text());
    } catch (const std::bad_alloc &) {
        keep(ERRCODE_OUT_OF_MEMORY, "out of memory", "", "");
    } catch (const std::length_error &error) {
        keep(ERRCODE_PROGRAM_LIMIT_EXCEEDED, error.what(), "", "");
    } catch (const std::invalid_argument &error) {
        keep(ERRCODE_INVALID_PARAMETER_VALUE, error.what(), "", "");
    } catch (const std::exception &error) {
        keep(ERRCODE_INTERNAL_ERROR, error.what(), "", report);
    } catch (...) {
        keep(ERRCODE_INTERNAL_ERROR, "an exception of unknown type", "", report);
    }
    // A destructor's error came on top of ours: PostgreSQL must get the one on its stack.
    if (in_flight)
        postgres_error_ = true;
}

void Failure::raise() const {
    if (postgres_error_) {
        in_flight = false;
        PG_RE_THROW();
    }
    ereport(ERROR, (errcode(sqlstate_), errmsg_internal("%s", message_),
                    detail_[0] != '\0' ? errdetail_internal("%s", detail_) : 0,
                    hint_[0] != '\0' ? errhint("%s", hint_) : 0));
    pg_unreachable();
}

} // namespace detail

} // namespace memory::pg
