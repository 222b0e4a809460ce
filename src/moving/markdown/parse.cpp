#include "moving/markdown/blocks.h"
#include "moving/markdown/mark.h"
#include "moving/markdown/sections.h"
#include "moving/markdown/text.h"

#include <utility>

namespace memory::markdown {

namespace {

// How much of a line is a time of day, "09:15" or "09:15:03.5".
std::size_t time_of(std::string_view line) {
    constexpr std::string_view shape = "dd:dd:dd.";
    constexpr std::size_t most = shape.size() + 6;
    std::size_t size = 0;
    while (size < line.size() && size < most) {
        const char wanted = size < shape.size() ? shape[size] : 'd';
        const bool digit = line[size] >= '0' && line[size] <= '9';
        if (wanted == 'd' ? !digit : line[size] != wanted)
            break;
        ++size;
    }
    const bool whole = size == 5 || size == 8 || size > shape.size();
    const bool ends = size == line.size() || is_blank(line[size]);
    const auto below = [&](std::size_t at, int most_value) {
        return at + 1 >= size || (line[at] - '0') * 10 + (line[at + 1] - '0') < most_value;
    };
    return whole && ends && below(0, 24) && below(3, 60) && below(6, 60) ? size : 0;
}

// Joins lines as a text.
void add_line(std::string_view line, bool first, std::pmr::string &to) {
    if (!first)
        to.push_back('\n');
    to.append(line);
}

class Reading {
  public:
    Reading(const Block &block, File file, std::pmr::memory_resource *memory)
        : block_(block), file_(file), memory_(memory), entry_(memory), lines_(memory) {
        entry_.line = block.line;
        entry_.section = block.section;
        entry_.thing = Thing::episode;
    }

    // nullptr, or what is wrong.
    const char *read() {
        if (const char *wrong = cut_marks())
            return wrong;
        if (file_ == File::day)
            cut_time();
        read_texts();
        return read_parts();
    }
    Entry &entry() { return entry_; }
    bool says_something() const {
        return entry_.thing == Thing::fact || !entry_.content.empty() || !entry_.response.empty();
    }

  private:
    const char *cut_marks() {
        for (const std::string_view given : block_.lines) {
            std::pmr::string line(given, memory_);
            const bool had_one = entry_.id.has_value();
            if (const char *wrong = cut_marks_of(line))
                return wrong;
            // One may have a line to itself.
            if (!line.empty() || lines_.empty() || had_one == entry_.id.has_value())
                lines_.push_back(std::move(line));
        }
        return nullptr;
    }

    // A mark may have got into the middle of a line.
    const char *cut_marks_of(std::pmr::string &line) {
        while (const auto place = find_mark(line)) {
            if (place->size == 0)
                return "the comment of a memory begins here, and does not end";
            if (entry_.id)
                return "these are two memories, or two comments of one";
            const std::string_view whole = line;
            if (const char *wrong = read_mark(whole.substr(place->at, place->size), entry_))
                return wrong;
            const std::size_t kept = without_blanks_behind(whole.substr(0, place->at)).size();
            line.erase(kept, place->at - kept + place->size);
        }
        return nullptr;
    }

    void cut_time() {
        std::string_view line = lines_.front();
        const std::size_t size = time_of(line);
        entry_.time.assign(line.substr(0, size));
        if (size > 0)
            lines_.front().erase(0, line.size() - without_blanks_before(line.substr(size)).size());
    }

    // Lines that are quoted are the response, unless all are that, which is how some people write.
    bool has_response() const {
        if (entry_.id)
            return true;
        for (const std::pmr::string &line : lines_)
            if (!line.empty() && !line.starts_with('>'))
                return true;
        return false;
    }

    void read_texts() {
        const bool with_response = has_response();
        std::pmr::string content(memory_);
        std::pmr::string response(memory_);
        bool first = true;
        bool first_of_response = true;
        for (const std::pmr::string &line : lines_) {
            std::pmr::string text(memory_);
            if (with_response && line.starts_with('>')) {
                const std::size_t begin = line.size() > 1 && line[1] == ' ' ? 2 : 1;
                unescape(std::string_view(line).substr(begin), comment_escape, text);
                add_line(text, std::exchange(first_of_response, false), response);
            } else {
                std::pmr::string quote(memory_);
                unescape(line, quote_escape, quote);
                unescape(quote, comment_escape, text);
                add_line(text, std::exchange(first, false), content);
            }
        }
        entry_.content = normal(content, memory_);
        entry_.response = normal(response, memory_);
    }

    // subject | predicate | object, in the section of facts, or where a comment says so.
    const char *read_parts() {
        const bool marked = entry_.id && entry_.thing == Thing::fact;
        const bool listed =
            !entry_.id && block_.bullet && file_ == File::notes && block_.section == facts_section;
        if (!marked && !listed)
            return nullptr;
        constexpr const char *wrong = "a fact is three parts: subject | predicate | object";
        std::pmr::string *const parts[] = {&entry_.subject, &entry_.predicate, &entry_.object};
        std::string_view rest = entry_.content;
        std::size_t count = 0;
        for (bool more = true; more; ++count) {
            std::size_t end = rest.find('|');
            while (end != rest.npos && !stands_at(rest, end, "|"))
                end = rest.find('|', end + 1);
            more = end != rest.npos;
            if (count == 0 && !more && listed)
                return nullptr; // a note
            if (count == std::size(parts))
                return wrong;
            std::pmr::string part(memory_);
            unescape(rest.substr(0, end), part_escape, part);
            *parts[count] = normal(part, memory_);
            if (parts[count]->empty())
                return wrong;
            rest.remove_prefix(more ? end + 1 : rest.size());
        }
        if (count < std::size(parts) || !entry_.response.empty())
            return wrong;
        entry_.thing = Thing::fact;
        entry_.content.clear();
        return nullptr;
    }

    const Block &block_;
    File file_;
    std::pmr::memory_resource *memory_;
    Entry entry_;
    std::pmr::vector<std::pmr::string> lines_;
};

} // namespace

std::uint64_t digest_of(const Entry &entry) {
    if (entry.thing == Thing::episode)
        return digest(entry.response, digest(entry.content));
    return digest(entry.object, digest(entry.predicate, digest(entry.subject)));
}

Document parse(std::string_view body, File file, text::Interruption &interruption,
               std::pmr::memory_resource *memory) {
    Document document(memory);
    Blocks blocks(body, memory);
    while (const std::optional<Block> block = blocks.next()) {
        interruption.check();
        Reading reading(*block, file, memory);
        if (const char *wrong = reading.read()) {
            document.fault = {block->line, wrong};
            return document;
        }
        if (reading.entry().thing == Thing::fact ||
            (block->section == facts_section && file == File::notes))
            reading.entry().section.clear();
        if (reading.says_something())
            document.entries.push_back(std::move(reading.entry()));
    }
    document.fault = blocks.fault();
    return document;
}

} // namespace memory::markdown
