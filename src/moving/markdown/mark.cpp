#include "moving/markdown/mark.h"

#include "moving/markdown/text.h"

#include <charconv>

namespace memory::markdown {

namespace {

constexpr std::string_view begin = "<!--";
constexpr std::string_view end = "-->";
constexpr std::string_view names[] = {"episode:", "fact:"};
constexpr std::string_view digits = "0123456789abcdef";

// The members of Attributes by the names that they have in a mark.
struct Attribute {
    std::string_view name;
    std::pmr::string Attributes::*member;
};
constexpr Attribute known[] = {
    {"at", &Attributes::at},       {"kind", &Attributes::kind},
    {"role", &Attributes::role},   {"from", &Attributes::from},
    {"until", &Attributes::until}, {"confidence", &Attributes::confidence},
};

constexpr bool stands_for_itself(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view("-_.:+").find(c) != std::string_view::npos ||
           static_cast<unsigned char>(c) >= 0x80;
}

void write_digits(std::uint8_t byte, std::pmr::string &to) {
    to.push_back(digits[byte >> 4]);
    to.push_back(digits[byte & 15]);
}

// The value of a digit, small or capital; nothing of another letter.
std::optional<std::uint8_t> value_of(char c) {
    const auto at = digits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
    return at == digits.npos ? std::nullopt : std::optional(static_cast<std::uint8_t>(at));
}
std::optional<std::uint8_t> byte_of(std::string_view two) {
    const auto high = value_of(two[0]);
    const auto low = value_of(two[1]);
    return high && low ? std::optional(static_cast<std::uint8_t>(*high << 4 | *low)) : std::nullopt;
}

// A byte that would end the value, or the mark, is written as % and two digits.
void write_value(std::string_view value, std::pmr::string &to) {
    for (const char c : value) {
        if (stands_for_itself(c)) {
            to.push_back(c);
        } else {
            to.push_back('%');
            write_digits(static_cast<std::uint8_t>(c), to);
        }
    }
}

// No text of the database has a zero byte.
bool read_value(std::string_view written, std::pmr::string &to) {
    if (written.find('\0') != written.npos)
        return false;
    for (std::size_t at = 0; at < written.size(); ++at) {
        if (written[at] != '%') {
            to.push_back(written[at]);
            continue;
        }
        const auto byte =
            at + 2 < written.size() ? byte_of(written.substr(at + 1, 2)) : std::nullopt;
        if (!byte || *byte == 0)
            return false;
        to.push_back(static_cast<char>(*byte));
        at += 2;
    }
    return !to.empty();
}

void write_id(const Id &id, std::pmr::string &to) {
    for (std::size_t at = 0; at < id.size(); ++at) {
        if (at == 4 || at == 6 || at == 8 || at == 10)
            to.push_back('-');
        write_digits(id[at], to);
    }
}

std::optional<Id> read_id(std::string_view text) {
    constexpr std::string_view shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    if (text.size() != shape.size())
        return std::nullopt;
    Id id;
    std::size_t filled = 0;
    for (std::size_t at = 0; at < shape.size(); ++at) {
        if (shape[at] == '-') {
            if (text[at] != '-')
                return std::nullopt;
            continue;
        }
        const auto byte = byte_of(text.substr(at++, 2));
        if (!byte)
            return std::nullopt;
        id[filled++] = *byte;
    }
    return id;
}

std::optional<std::uint64_t> read_digest(std::string_view text) {
    std::uint64_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return text.size() == 16 && error == std::errc() && rest == text.data() + text.size()
               ? std::optional(value)
               : std::nullopt;
}

std::string_view next_word(std::string_view &text) {
    text = without_blanks_before(text);
    std::size_t size = 0;
    while (size < text.size() && !is_blank(text[size]))
        ++size;
    const std::string_view word = text.substr(0, size);
    text.remove_prefix(size);
    return word;
}

const char *read_attribute(std::string_view word, Attributes &attributes) {
    const std::size_t equals = word.find('=');
    for (const Attribute &attribute : known) {
        if (word.substr(0, equals) != attribute.name || equals == word.npos)
            continue;
        std::pmr::string &value = attributes.*attribute.member;
        if (!value.empty())
            return "its comment says something twice";
        return read_value(word.substr(equals + 1), value) ? nullptr
                                                          : "its comment has a value that is none";
    }
    return "its comment says something that no comment of a memory says";
}

} // namespace

std::optional<MarkPlace> find_mark(std::string_view line) {
    for (std::size_t at = line.find(begin); at != line.npos; at = line.find(begin, at + 1)) {
        if (!stands_at(line, at, begin))
            continue;
        const std::string_view inside = without_blanks_before(line.substr(at + begin.size()));
        if (!inside.starts_with(names[0]) && !inside.starts_with(names[1]))
            continue;
        const std::size_t closed = line.find(end, at + begin.size());
        return MarkPlace{at, closed == line.npos ? 0 : closed + end.size() - at};
    }
    return std::nullopt;
}

const char *read_mark(std::string_view mark, Entry &entry) {
    mark.remove_prefix(begin.size());
    mark.remove_suffix(end.size());
    std::string_view name = next_word(mark);
    entry.thing = name.starts_with(names[0]) ? Thing::episode : Thing::fact;
    name.remove_prefix(names[static_cast<std::size_t>(entry.thing)].size());
    entry.id = read_id(name);
    if (!entry.id)
        return "the id in its comment is none";
    for (std::string_view word = next_word(mark); !word.empty(); word = next_word(mark)) {
        if (!entry.digest && word.find('=') == word.npos) {
            entry.digest = read_digest(word);
            if (!entry.digest)
                return "its comment says something that no comment of a memory says";
        } else if (const char *wrong = read_attribute(word, entry.attributes)) {
            return wrong;
        }
    }
    return nullptr;
}

void write_mark(const Entry &entry, std::pmr::string &to) {
    to.append(begin).append(" ").append(names[static_cast<std::size_t>(entry.thing)]);
    write_id(*entry.id, to);
    to.push_back(' ');
    const std::uint64_t digest = digest_of(entry);
    for (int shift = 56; shift >= 0; shift -= 8)
        write_digits(static_cast<std::uint8_t>(digest >> shift), to);
    for (const Attribute &attribute : known) {
        const std::pmr::string &value = entry.attributes.*attribute.member;
        if (value.empty())
            continue;
        to.append(" ").append(attribute.name).append("=");
        write_value(value, to);
    }
    to.append(" ").append(end);
}

} // namespace memory::markdown
