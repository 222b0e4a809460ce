// Fences: how a memory stands in a prompt so that its text can neither end its fence nor begin
// another one, whatever it says. docs/conversations.md, "Fences".
//
// Invariant of what is written: between `">` and the first `</memory>` behind it stands the text of
// one memory, and neither `<memory` nor `</memory` in it, in letters of any case and with blanks of
// any kind between the characters.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

namespace memory::prompt {

// Text that grows up to a limit of code points. What goes beyond it is not written, and it
// is_full() from then on.
class Page {
  public:
    explicit Page(std::pmr::memory_resource *memory) : text_(memory) {}

    // A place to go back to.
    struct Mark {
        std::size_t bytes = 0;
        std::size_t code_points = 0;
    };
    Mark mark() const { return {text_.size(), code_points_}; }
    void go_back_to(const Mark &mark);
    void set_limit(std::size_t code_points) { limit_ = code_points; }

    // Our own words, as they are.
    void write(std::string_view own);
    // What others have written.
    void write_text(std::string_view foreign);
    void write_attribute(std::string_view foreign);

    std::size_t code_points() const { return code_points_; }
    bool is_full() const { return full_; }
    const std::pmr::string &text() const & { return text_; }
    std::pmr::string text() && { return std::move(text_); }

  private:
    // A character; false when there is no room for it.
    bool put(std::string_view character);

    std::pmr::string text_;
    std::size_t code_points_ = 0;
    std::size_t limit_ = SIZE_MAX;
    bool full_ = false;
};

} // namespace memory::prompt
