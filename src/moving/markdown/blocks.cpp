#include "moving/markdown/blocks.h"

#include "moving/markdown/mark.h"
#include "moving/markdown/sections.h"
#include "moving/markdown/text.h"

namespace memory::markdown {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_empty(std::string_view line) { return without_blanks_behind(line).empty(); }

bool is_indented(std::string_view line) { return line.starts_with("  ") || line.starts_with('\t'); }
// What is left of a line that belongs to the bullet above it.
std::string_view without_indentation(std::string_view line) {
    if (line.starts_with("  "))
        return line.substr(2);
    return line.starts_with('\t') ? line.substr(1) : without_blanks_before(line);
}

// How many #; 0: it is no heading.
std::size_t level_of(std::string_view line) {
    const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
    return level <= 6 && (level == line.size() || is_blank(line[level])) ? level : 0;
}

// --- between sections.
bool is_rule(std::string_view line) {
    line = without_blanks_behind(line);
    return line.size() >= 3 && std::string_view("-*_").find(line[0]) != std::string_view::npos &&
           line.find_first_not_of(line[0]) == line.npos;
}

// How many bytes of a line are its bullet, or its number: 0 where it has none.
std::size_t bullet_of(std::string_view line) {
    std::size_t end = 0;
    if (!line.empty() && std::string_view("-*+").find(line[0]) != std::string_view::npos) {
        end = 1;
    } else {
        constexpr std::size_t longest_number = 9;
        while (end < line.size() && end < longest_number && line[end] >= '0' && line[end] <= '9')
            ++end;
        if (end == 0 || end == line.size() || (line[end] != '.' && line[end] != ')'))
            return 0;
        ++end;
    }
    return end == line.size() || is_blank(line[end]) ? end : 0;
}

// ``` or ~~~ at the begin of a line: how many, and of which.
std::string_view fence_of(std::string_view line) {
    line = without_blanks_before(line);
    if (!line.starts_with("```") && !line.starts_with("~~~"))
        return {};
    return line.substr(0, std::min(line.find_first_not_of(line[0]), line.size()));
}

bool begins_comment(std::string_view line) { return line.starts_with("<!--") && !find_mark(line); }

// What ends a memory where no blank line does.
bool begins_another(std::string_view line) {
    return level_of(line) > 0 || is_rule(line) || bullet_of(line) > 0 || begins_comment(line);
}

} // namespace

Blocks::Blocks(std::string_view body, std::pmr::memory_resource *memory)
    : memory_(memory), lines_(memory) {
    if (body.starts_with(byte_order_mark))
        body.remove_prefix(byte_order_mark.size());
    while (!body.empty())
        lines_.push_back(next_line(body));
    skip_front_matter();
}

// What a file says of itself between two lines of ---.
void Blocks::skip_front_matter() {
    if (lines_.empty() || without_blanks_behind(line(0)) != "---")
        return;
    for (std::size_t n = 1; n < lines_.size(); ++n)
        if (const auto found = without_blanks_behind(line(n)); found == "---" || found == "...") {
            at_ = n + 1;
            return;
        }
}

// A comment that stands before a memory, or by itself. False where there is none.
bool Blocks::skip_comment() {
    if (!begins_comment(line(at_)))
        return false;
    const std::size_t begin = at_;
    lines_[at_].remove_prefix(std::string_view("<!--").size());
    for (; at_ < lines_.size(); ++at_)
        if (const std::size_t end = line(at_).find("-->"); end != std::string_view::npos) {
            lines_[at_] = without_blanks_before(line(at_).substr(end + 3));
            return true;
        }
    fault_ = {begin + 1, "a comment begins here, and does not end"};
    return true;
}

bool Blocks::read_heading() {
    const std::size_t level = level_of(line(at_));
    if (level == 0)
        return false;
    section_ = without_blanks_before(without_blanks_behind(line(at_).substr(level)));
    if (level == 1 || section_ == notes_section)
        section_ = {};
    ++at_;
    return true;
}

void Blocks::read_bullet(Block &block) {
    block.bullet = true;
    const std::string_view first = line(at_);
    block.lines.push_back(without_blanks_before(first.substr(bullet_of(first))));
    for (++at_; at_ < lines_.size(); ++at_) {
        std::size_t next = at_;
        while (next < lines_.size() && is_empty(line(next)))
            ++next;
        if (next == lines_.size() || (next > at_ && !is_indented(line(next))))
            return;
        if (!is_indented(line(next)) &&
            (begins_another(line(next)) || !fence_of(line(next)).empty()))
            return;
        block.lines.insert(block.lines.end(), next - at_, std::string_view());
        block.lines.push_back(without_indentation(line(next)));
        at_ = next;
    }
}

// The line behind a fence's last one; the end where it has none.
std::size_t Blocks::end_of_fence(std::size_t begin) const {
    const std::string_view fence = fence_of(line(begin));
    for (std::size_t n = begin + 1; n < lines_.size(); ++n)
        if (const auto end = fence_of(line(n)); end.starts_with(fence))
            return n + 1;
    return lines_.size();
}

void Blocks::read_paragraph(Block &block) {
    const std::size_t begin = at_;
    while (at_ < lines_.size() && !is_empty(line(at_)) &&
           (at_ == begin || !begins_another(line(at_)))) {
        const std::size_t end = fence_of(line(at_)).empty() ? at_ + 1 : end_of_fence(at_);
        for (; at_ < end; ++at_)
            block.lines.push_back(line(at_));
    }
}

std::optional<Block> Blocks::next() {
    while (at_ < lines_.size() && !fault_) {
        if (is_empty(line(at_)) || is_rule(line(at_))) {
            ++at_;
            continue;
        }
        if (read_heading() || skip_comment())
            continue;
        Block block(memory_);
        block.line = at_ + 1;
        block.section = section_;
        if (bullet_of(line(at_)) > 0)
            read_bullet(block);
        else
            read_paragraph(block);
        return block;
    }
    return std::nullopt;
}

} // namespace memory::markdown
