// How the shell's exception keeps its texts.
#include "pg/error.h"

extern "C" {
#include "mb/pg_wchar.h"
}

namespace memory::pg {

Error::Error(int sqlstate, const char *format, ...) noexcept : sqlstate_(sqlstate) {
    va_list values;
    va_start(values, format);
    write(message_, format, values);
    va_end(values);
    detail_[0] = '\0';
    hint_[0] = '\0';
}

Error &Error::detail(const char *format, ...) noexcept {
    va_list values;
    va_start(values, format);
    write(detail_, format, values);
    va_end(values);
    return *this;
}

Error &Error::hint(const char *format, ...) noexcept {
    va_list values;
    va_start(values, format);
    write(hint_, format, values);
    va_end(values);
    return *this;
}

Error Error::at(const char *place) const noexcept {
    Error error(sqlstate_, "%s: %s", place, what());
    error.detail_ = detail_;
    error.hint_ = hint_;
    return error;
}

void Error::write(Text &to, const char *format, va_list values) noexcept {
    const int wanted = std::vsnprintf(to.data(), to.size(), format, values);
    if (wanted >= static_cast<int>(to.size()))
        detail::drop_half_character(to.data(), to.size() - 1);
}

void detail::drop_half_character(char *text, std::size_t length) noexcept {
    const int bytes = static_cast<int>(length);
    text[pg_mbcliplen(text, bytes, bytes)] = '\0';
}

Quoted::Quoted(std::string_view whole) noexcept
    : length(pg_mbcliplen(whole.data(), static_cast<int>(whole.size()), quoted_limit)),
      text(whole.data()) {}

} // namespace memory::pg
