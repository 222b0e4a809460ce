// Copies what looks like a document, mends the copy on the way, and has a parser decide.
#include "worker/protocol/lenient_json.h"

#include "context/prompt/characters.h"

#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace memory::worker {

namespace {

using nlohmann::json;

constexpr std::size_t npos = std::string_view::npos;

char closing_of(char opening) { return opening == '{' ? '}' : ']'; }

bool is_blank(char byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }

// One document, from its opening bracket on.
class Copier {
  public:
    explicit Copier(std::string_view text) : text_(text) {}

    // The text of a document, and `at` behind the original's end. Nothing where brackets do not fit
    // or are too deep.
    std::optional<std::string> copy(std::size_t &at);

  private:
    // A place up to which the copy is whole, and the brackets that are open there.
    struct Whole {
        std::size_t size = 0;
        std::string open;
    };

    bool copy_bracket(char bracket);
    // From its opening quote to behind its closing one; false where the text ends before that.
    bool copy_string();
    void copy_escape();
    void copy_character();
    // The number of \uXXXX at `at`.
    std::optional<unsigned> unit_at(std::size_t at) const;
    void mark_whole() { whole_ = {copy_.size(), open_}; }
    void write_comma();
    std::string cut_off();

    std::string_view text_;
    std::size_t at_ = 0;
    std::string copy_;
    std::string open_; // brackets, outermost first
    Whole whole_;
    bool owes_comma_ = false; // read, not written: a closing bracket may follow
};

std::optional<std::string> Copier::copy(std::size_t &at) {
    at_ = at;
    do {
        const char byte = text_[at_];
        if (byte == '"') {
            write_comma();
            if (!copy_string())
                break;
        } else if (byte == '{' || byte == '[' || byte == '}' || byte == ']') {
            if (!copy_bracket(byte))
                return std::nullopt;
        } else if (byte == ',') {
            mark_whole();
            owes_comma_ = true;
            ++at_;
        } else {
            if (!is_blank(byte))
                write_comma();
            copy_ += byte;
            ++at_;
        }
    } while (!open_.empty() && at_ < text_.size());
    at = at_;
    return open_.empty() ? copy_ : cut_off();
}

void Copier::write_comma() {
    if (owes_comma_)
        copy_ += ',';
    owes_comma_ = false;
}

bool Copier::copy_bracket(char bracket) {
    if (bracket == '{' || bracket == '[') {
        write_comma();
        if (open_.size() >= deepest_json)
            return false;
        open_ += bracket;
    } else {
        if (open_.empty() || closing_of(open_.back()) != bracket)
            return false;
        open_.pop_back();
        owes_comma_ = false;
    }
    copy_ += bracket;
    ++at_;
    mark_whole();
    return true;
}

bool Copier::copy_string() {
    copy_ += '"';
    ++at_;
    while (at_ < text_.size() && text_[at_] != '"') {
        if (text_[at_] == '\\')
            copy_escape();
        else
            copy_character();
    }
    if (at_ >= text_.size())
        return false;
    copy_ += '"';
    ++at_;
    return true;
}

std::optional<unsigned> Copier::unit_at(std::size_t at) const {
    unsigned unit = 0;
    if (!text_.substr(at).starts_with("\\u") || text_.size() - at < 6)
        return std::nullopt;
    const char *digits = text_.data() + at + 2;
    const auto [end, error] = std::from_chars(digits, digits + 4, unit, 16);
    if (error != std::errc() || end != digits + 4)
        return std::nullopt;
    return unit;
}

// NUL and surrogates without their other half are left out.
void Copier::copy_escape() {
    const auto unit = unit_at(at_);
    std::size_t length = unit ? 6 : 2;
    bool is_kept = !unit || *unit != 0;
    if (unit && *unit >= 0xD800 && *unit < 0xE000) {
        const auto second = unit_at(at_ + 6);
        is_kept = *unit < 0xDC00 && second && *second >= 0xDC00 && *second < 0xE000;
        length = is_kept ? 12 : 6;
    }
    const std::string_view escape = text_.substr(at_, length);
    if (is_kept)
        copy_ += escape;
    at_ += escape.size();
}

// Controls are written out, bytes that are no characters become U+FFFD.
void Copier::copy_character() {
    const prompt::Character next = prompt::character_at(text_, at_);
    if (!next.well_formed)
        copy_ += "\xEF\xBF\xBD";
    else if (next.point == '\n')
        copy_ += "\\n";
    else if (next.point == '\t')
        copy_ += "\\t";
    else if (next.point >= 0x20)
        copy_ += text_.substr(at_, next.end - at_);
    at_ = next.end;
}

std::string Copier::cut_off() {
    std::string result = copy_.substr(0, whole_.size);
    for (std::size_t n = whole_.open.size(); n-- > 0;)
        result += closing_of(whole_.open[n]);
    return result;
}

std::string without_thoughts(std::string_view text) {
    constexpr std::string_view opening = "<think>";
    constexpr std::string_view closing = "</think>";
    std::string result;
    for (;;) {
        const std::size_t begin = text.find(opening);
        const std::size_t end = text.find(closing, begin == npos ? 0 : begin);
        if (begin == npos || end == npos)
            break;
        result += text.substr(0, begin);
        text.remove_prefix(end + closing.size());
    }
    return result += text;
}

bool is_too_deep(std::string_view text) {
    std::size_t depth = 0;
    bool in_string = false;
    for (std::size_t at = 0; at < text.size() && depth <= deepest_json; ++at) {
        const char byte = text[at];
        if (in_string && byte == '\\')
            ++at;
        else if (byte == '"')
            in_string = !in_string;
        else if (!in_string && (byte == '{' || byte == '['))
            ++depth;
        else if (!in_string && (byte == '}' || byte == ']') && depth > 0)
            --depth;
    }
    return depth > deepest_json;
}

json discarded() { return json(json::value_t::discarded); }

} // namespace

json read_exactly(std::string_view text) {
    return is_too_deep(text) ? discarded() : json::parse(text, nullptr, false);
}

const json &part_of(const json &object, const char *key) {
    // Never destroyed, as references to it are handed out.
    static const json *const none = std::make_unique<json>().release();
    const auto member = object.is_object() ? object.find(key) : object.end();
    return member == object.end() ? *none : *member;
}

std::int64_t count_in(const json &object, const char *key) {
    const json &count = part_of(object, key);
    const bool fits = count.is_number_unsigned() && count.get<std::uint64_t>() <= INT64_MAX;
    return fits ? count.get<std::int64_t>() : 0;
}

json read_leniently(std::string_view answer) {
    constexpr int most_tries = 32; // each of them may read all of the answer
    const std::string text = without_thoughts(answer);
    json best = discarded();
    std::size_t longest = 0;
    std::size_t at = 0;
    for (int tries = 0; tries < most_tries; ++tries) {
        const std::size_t begin = text.find_first_of("{[", at);
        if (begin == npos)
            break;
        at = begin;
        const auto copy = Copier(text).copy(at);
        json read = copy ? json::parse(*copy, nullptr, false) : discarded();
        if (read.is_discarded()) {
            at = begin + 1;
        } else if (at - begin > longest) {
            longest = at - begin;
            best = std::move(read);
        }
    }
    return best;
}

} // namespace memory::worker
