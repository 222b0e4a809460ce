#include "moving/markdown/document.h"
#include "moving/markdown/mark.h"
#include "moving/markdown/sections.h"
#include "moving/markdown/text.h"

namespace memory::markdown {

namespace {

std::string_view next_printed_line(std::string_view &text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

// The parts of a fact as one text.
std::pmr::string joined_parts(const Entry &fact) {
    std::pmr::memory_resource *memory = fact.subject.get_allocator().resource();
    std::pmr::string text(memory);
    escape(fact.subject, part_escape, text);
    text.append(" | ");
    escape(fact.predicate, part_escape, text);
    text.append(" | ");
    escape(fact.object, part_escape, text);
    return text;
}

// A line of what is said, so that nothing in it is read as a comment or a quote.
void write_line(std::string_view line, std::pmr::string &to) {
    std::pmr::string escaped(to.get_allocator());
    escape(line, comment_escape, escaped);
    escape(escaped, quote_escape, to);
}

// What stands in a heading is a line.
void write_heading(std::string_view text, std::pmr::string &to) {
    to.append("## ");
    for (const char c : text)
        to.push_back(c == '\n' || c == '\r' ? ' ' : c);
    to.append("\n\n");
}

} // namespace

Printer::Printer(File file, std::string_view title, std::pmr::string &to)
    : file_(file), to_(to), section_(to.get_allocator()), under_heading_(file == File::day) {
    to.append("# ").append(title).append("\n\n");
}

void Printer::begin_section(const Entry &entry) {
    const bool of_facts = entry.thing == Thing::fact;
    if (under_heading_ && of_facts == facts_ && (of_facts || entry.section == section_))
        return;
    under_heading_ = true;
    facts_ = of_facts;
    section_ = entry.section;
    if (to_.back() == '\n' && !to_.ends_with("\n\n"))
        to_.push_back('\n');
    write_heading(of_facts                ? facts_section
                  : entry.section.empty() ? notes_section
                                          : std::string_view(entry.section),
                  to_);
}

void Printer::add(const Entry &entry) {
    begin_section(entry);
    to_.append("-");
    if (file_ == File::day)
        to_.append(" ").append(entry.time);
    const std::pmr::string parts =
        entry.thing == Thing::fact ? joined_parts(entry) : std::pmr::string(to_.get_allocator());
    std::string_view content = entry.thing == Thing::fact ? parts : entry.content;
    if (!content.empty()) {
        to_.push_back(' ');
        write_line(next_printed_line(content), to_);
    }
    to_.push_back(' ');
    write_mark(entry, to_);
    to_.push_back('\n');
    while (!content.empty()) {
        const std::string_view line = next_printed_line(content);
        if (!line.empty()) {
            to_.append("  ");
            write_line(line, to_);
        }
        to_.push_back('\n');
    }
    for (std::string_view response = entry.response; !response.empty();) {
        const std::string_view line = next_printed_line(response);
        to_.append(line.empty() ? "  >" : "  > ");
        escape(line, comment_escape, to_);
        to_.push_back('\n');
    }
}

} // namespace memory::markdown
