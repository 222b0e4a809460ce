// The shell's own exception: what a user will read, with its SQLSTATE. It holds its texts inside
// itself, so that throwing one allocates nothing that an error jump could leak.
#pragma once

#include "pg/backend.h"

namespace memory::pg {

class Error : public std::exception {
  public:
    // `format` is printf's. Texts longer than the room for them are cut at a character boundary.
    [[gnu::format(printf, 3, 4)]] Error(int sqlstate, const char *format, ...) noexcept;

    [[gnu::format(printf, 2, 3)]] Error &detail(const char *format, ...) noexcept;
    [[gnu::format(printf, 2, 3)]] Error &hint(const char *format, ...) noexcept;

    // The same error with "place: " before its message.
    Error at(const char *place) const noexcept;

    int sqlstate() const noexcept { return sqlstate_; }
    const char *what() const noexcept override { return message_.data(); }
    // Empty when there is none.
    const char *detail_text() const noexcept { return detail_.data(); }
    const char *hint_text() const noexcept { return hint_.data(); }

  private:
    using Text = std::array<char, 512>;
    static void write(Text &to, const char *format, va_list values) noexcept;

    int sqlstate_;
    Text message_;
    Text detail_;
    Text hint_;
};

namespace detail {

// For a text that was cut after `length` bytes: ends it before the character that the cut went
// through, if it did.
void drop_half_character(char *text, std::size_t length) noexcept;

} // namespace detail

// Room for one %.*s of a caller's own text inside a message: enough to recognise it.
inline constexpr int quoted_limit = 60;

// The two arguments that %.*s wants, cut to quoted_limit bytes at a character boundary.
struct Quoted {
    int length;
    const char *text;
    explicit Quoted(std::string_view whole) noexcept;
};

} // namespace memory::pg
