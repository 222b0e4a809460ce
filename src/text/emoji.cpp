// Recognises flags, keycaps, and pictures with their modifiers and joiners.
#include "text/emoji.h"

#include "text/characters.h"
#include "text/utf8.h"

namespace memory::text {

namespace {

constexpr std::size_t steps_to_join = 8; // for a Pause

constexpr char32_t zero_width_joiner = 0x200D;
constexpr char32_t keycap_mark = 0x20E3;

bool is_presentation_selector(char32_t point) { return point == 0xFE0E || point == 0xFE0F; }

// The marks that make another emoji: skin tones, tags (the flags of Scotland and Wales), a keycap.
bool makes_another(char32_t mark) {
    return (mark >= 0x1F3FB && mark <= 0x1F3FF) || (mark >= 0xE0020 && mark <= 0xE007F) ||
           mark == keycap_mark;
}

char32_t point_at(std::string_view text, std::size_t at) {
    return at < text.size() ? decode(text, at).point : bad_byte;
}

bool is_pictograph(char32_t point) {
    return point != bad_byte && kind_of(point) == Kind::pictograph;
}

class Sequence {
  public:
    Sequence(std::string_view text, std::size_t begin, std::uint32_t ordinal, TokenSink &sink,
             Pause &pause)
        : text_(text), sink_(sink), pause_(pause), begin_(begin), at_(begin), ordinal_(ordinal) {}

    std::size_t take() {
        if (kind_of(point_at(text_, at_)) == Kind::flag_letter)
            take_flag();
        else
            take_pictures();
        emit(whole_.finish(), begin_, at_);
        return at_;
    }

  private:
    void keep() {
        const std::uint32_t size = decode(text_, at_).size;
        whole_.append(text_.substr(at_, size));
        at_ += size;
    }

    void take_flag() {
        keep();
        const char32_t second = point_at(text_, at_);
        if (second != bad_byte && kind_of(second) == Kind::flag_letter)
            keep();
    }

    // One picture and the marks on it.
    void take_picture() {
        const std::size_t begin = at_;
        keep();
        const std::size_t end = at_;
        for (char32_t mark = point_at(text_, at_); is_mark(mark); mark = point_at(text_, at_)) {
            pause_.step();
            if (makes_another(mark)) {
                joined_ = true;
                keep();
            } else {
                at_ += decode(text_, at_).size;
            }
        }
        joined_ |= joins_another();
        if (joined_)
            emit(text_.substr(begin, end - begin), begin, at_);
    }

    static bool is_mark(char32_t point) {
        return point != bad_byte && point != zero_width_joiner && kind_of(point) == Kind::mark;
    }

    bool joins_another() const {
        return point_at(text_, at_) == zero_width_joiner && is_pictograph(point_at(text_, at_ + 3));
    }

    void take_pictures() {
        take_picture();
        while (joins_another()) {
            pause_.step(steps_to_join);
            keep();
            take_picture();
        }
        for (; point_at(text_, at_) == zero_width_joiner; at_ += 3)
            pause_.step(); // it joins nothing
    }

    void emit(std::string_view term, std::size_t begin, std::size_t end) {
        sink_.take({term, ordinal_, static_cast<std::uint32_t>(begin),
                    static_cast<std::uint32_t>(end), Weight::word});
    }

    std::string_view text_;
    TokenSink &sink_;
    Pause &pause_;
    TermBuilder whole_;
    std::size_t begin_;
    std::size_t at_;
    std::uint32_t ordinal_;
    bool joined_ = false; // the whole is more than its first picture
};

} // namespace

std::size_t keycap_end(std::string_view text, std::size_t at) {
    const char key = text[at];
    if (key != '#' && key != '*' && !is_ascii_digit(static_cast<unsigned char>(key)))
        return at;
    std::size_t end = at + 1;
    if (is_presentation_selector(point_at(text, end)))
        end += 3;
    return point_at(text, end) == keycap_mark ? end + 3 : at;
}

std::size_t take_emoji(std::string_view text, std::size_t begin, std::uint32_t ordinal,
                       TokenSink &sink, Pause &pause) {
    return Sequence(text, begin, ordinal, sink, pause).take();
}

} // namespace memory::text
