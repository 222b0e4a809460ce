// What the room throws. A caller that lets everything else pass catches `Error`.
#pragma once

#include <cstddef>
#include <exception>

namespace memory::text {

class Error : public std::exception {
  public:
    explicit Error(const char *what) noexcept : what_(what) {}
    const char *what() const noexcept override { return what_; }

  private:
    const char *what_; // a literal
};

// A text is not UTF-8, and the caller asked to be told.
class InvalidUtf8 : public Error {
  public:
    explicit InvalidUtf8(std::size_t at) noexcept
        : Error("text is not well-formed UTF-8"), offset(at) {}
    const std::size_t offset;
};

// A text is longer than offsets can say.
class TextTooLong : public Error {
  public:
    TextTooLong() noexcept : Error("text is longer than 4 GiB") {}
};

// ICU did not do what it always does: its data is missing, or it has no memory.
class IcuFailure : public Error {
  public:
    using Error::Error;
};

} // namespace memory::text
