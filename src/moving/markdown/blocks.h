// A file as blocks of lines: which of them are one memory, and under which heading. Nothing is
// known here of what they say.
#pragma once

#include "moving/markdown/document.h"

namespace memory::markdown {

// The lines of one memory: what stands behind a bullet and is indented below it, or a paragraph.
struct Block {
    explicit Block(std::pmr::memory_resource *memory) : lines(memory) {}

    std::size_t line = 0; // of the first, from 1
    std::string_view section;
    bool bullet = false;
    std::pmr::vector<std::string_view> lines; // without indentation, of the body
};

class Blocks {
  public:
    // Views the body, which must outlive it.
    Blocks(std::string_view body, std::pmr::memory_resource *memory);

    // The next one; nothing at the end, or where something is wrong.
    std::optional<Block> next();
    const std::optional<Fault> &fault() const noexcept { return fault_; }

  private:
    std::string_view line(std::size_t n) const noexcept { return lines_[n]; }
    void skip_front_matter();
    bool skip_comment();
    bool read_heading();
    void read_bullet(Block &block);
    void read_paragraph(Block &block);
    std::size_t end_of_fence(std::size_t begin) const;

    std::pmr::memory_resource *memory_;
    std::pmr::vector<std::string_view> lines_;
    std::size_t at_ = 0;
    std::string_view section_;
    std::optional<Fault> fault_;
};

} // namespace memory::markdown
