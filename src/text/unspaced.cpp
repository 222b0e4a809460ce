// Cuts runs of ideographs and syllables into bigrams, and Thai and its kin into words and clusters.
#include "text/unspaced.h"

#include <algorithm>
#include <cstring>

#include <unicode/uchar.h>
#include <unicode/utf16.h>

#include "text/characters.h"
#include "text/error.h"
#include "text/utf8.h"

namespace memory::text {

namespace {

constexpr std::size_t window_bytes =
    1536; // of a run given to ICU's dictionary at a time: 512 letters

bool is_jamo_block(char32_t point) {
    return (point >= 0x1100 && point <= 0x11FF) || (point >= 0xA960 && point <= 0xA97F) ||
           (point >= 0xD7B0 && point <= 0xD7FF);
}

std::int32_t syllable_type(char32_t point) {
    return u_getIntPropertyValue(static_cast<UChar32>(point), UCHAR_HANGUL_SYLLABLE_TYPE);
}

// Whether two Hangul characters are of one syllable (UAX #29, GB6 to GB8).
bool joins_syllable(char32_t before, char32_t point) {
    if (!is_jamo_block(point))
        return false;
    const std::int32_t left = syllable_type(before);
    const std::int32_t right = syllable_type(point);
    if (left == U_HST_LEADING_JAMO)
        return right == U_HST_LEADING_JAMO || right == U_HST_VOWEL_JAMO;
    if (left == U_HST_LV_SYLLABLE || left == U_HST_VOWEL_JAMO)
        return right == U_HST_VOWEL_JAMO || right == U_HST_TRAILING_JAMO;
    return (left == U_HST_LVT_SYLLABLE || left == U_HST_TRAILING_JAMO) &&
           right == U_HST_TRAILING_JAMO;
}

// The end of the character at `at` with its marks and the rest of its syllable.
std::size_t ideograph_end(std::string_view text, std::size_t at) {
    const Decoded first = decode(text, at);
    char32_t before = first.point;
    std::size_t end = at + first.size;
    while (end < text.size() && end - at < max_word_bytes) {
        const Decoded next = decode(text, end);
        if (!joins_syllable(before, next.point) && kind_of(next.point) != Kind::mark)
            break;
        before = next.point;
        end += next.size;
    }
    return end;
}

bool is_folded_ideograph(char32_t point) {
    return (point >= 0x3041 && point <= 0x3096) || (point >= 0x30A1 && point <= 0x30FA) ||
           (point >= 0x3400 && point <= 0x4DBF) || (point >= 0x4E00 && point <= 0x9FFF) ||
           (point >= 0xAC00 && point <= 0xD7A3);
}

// What units one character makes of the text: usually one, several for a squared word like ㌀.
class Ideographs {
  public:
    Ideographs(Folder &folder, std::uint32_t ordinal, TokenSink &sink)
        : folder_(folder), ordinal_(ordinal), sink_(sink) {}

    void take(std::string_view raw, std::size_t begin) {
        const Decoded first = decode(raw, 0);
        if (first.size == raw.size() && is_folded_ideograph(first.point))
            add(raw, begin, begin + raw.size());
        else
            take_folded(folder_.fold_characters(raw), begin, begin + raw.size());
    }

    std::uint32_t finish() {
        if (recent_.count() == 1)
            recent_.emit(1, ordinal_, Weight::single, sink_);
        if (recent_.count() > 0)
            emit_last();
        return ordinal_ + static_cast<std::uint32_t>(recent_.count());
    }

  private:
    void take_folded(std::string_view folded, std::size_t begin, std::size_t end) {
        for (std::size_t at = 0; at < folded.size();) {
            const Decoded next = decode(folded, at);
            const std::string_view character = folded.substr(at, next.size);
            if (at > 0 && kind_of(next.point) == Kind::mark)
                recent_.extend(character);
            else
                add(character, begin, end);
            at += next.size;
        }
    }

    void add(std::string_view unit, std::size_t begin, std::size_t end) {
        if (recent_.count() > 0)
            emit_last();
        recent_.push(unit, begin, end);
    }

    // Hands over what ends with the last unit, now that it is complete.
    void emit_last() {
        const auto at = static_cast<std::uint32_t>(recent_.count() - 1);
        if (at > 0)
            recent_.emit(2, ordinal_ + at - 1, Weight::word, sink_);
        recent_.emit(1, ordinal_ + at, Weight::weak, sink_);
    }

    Folder &folder_;
    RecentUnits recent_;
    std::uint32_t ordinal_;
    TokenSink &sink_;
};

// The end of the cluster at `at` in a run of complex script.
std::size_t cluster_end(std::string_view text, std::size_t at) {
    std::size_t end = at + decode(text, at).size;
    while (end < text.size() && end - at < max_word_bytes) {
        const Decoded next = decode(text, end);
        if (next.point == bad_byte || !extends_cluster(next.point))
            break;
        end += next.size;
    }
    return end;
}

bool in_complex_run(std::string_view text, std::size_t at) {
    if (at >= text.size())
        return false;
    const Kind kind = kind_of(decode(text, at).point);
    return kind == Kind::complex || kind == Kind::mark;
}

} // namespace

void RecentUnits::push(std::string_view bytes, std::size_t begin, std::size_t end) {
    Unit &unit = units_[count_++ % units_kept];
    unit.size = 0;
    unit.begin = begin;
    unit.end = end;
    extend(bytes);
}

void RecentUnits::extend(std::string_view bytes) {
    Unit &unit = units_[(count_ - 1) % units_kept];
    const std::size_t size =
        boundary_at_or_before(bytes, std::min(bytes.size(), unit_bytes - unit.size));
    std::memcpy(unit.bytes.data() + unit.size, bytes.data(), size);
    unit.size += size;
}

void RecentUnits::emit(std::size_t size, std::uint32_t ordinal, Weight weight,
                       TokenSink &sink) const {
    std::array<char, 3 * unit_bytes> term;
    std::size_t used = 0;
    for (std::size_t back = size; back-- > 0;) {
        const Unit &unit = last(back);
        std::memcpy(term.data() + used, unit.bytes.data(), unit.size);
        used += unit.size;
    }
    if (used == 0)
        return;
    sink.take({{term.data(), used},
               ordinal,
               static_cast<std::uint32_t>(last(size - 1).begin),
               static_cast<std::uint32_t>(last(0).end),
               weight});
}

RunEnd take_ideographs(std::string_view text, std::size_t begin, std::uint32_t ordinal,
                       Folder &folder, TokenSink &sink, Pause &pause) {
    Ideographs ideographs(folder, ordinal, sink);
    std::size_t at = begin;
    do {
        const std::size_t end = ideograph_end(text, at);
        ideographs.take(text.substr(at, end - at), at);
        pause.step(end - at);
        at = end;
    } while (at < text.size() && kind_of(decode(text, at).point) == Kind::ideograph);
    return {at, ideographs.finish()};
}

RunEnd ComplexRuns::take(std::string_view text, std::size_t begin, std::uint32_t ordinal,
                         Folder &folder, TokenSink &sink, Pause &pause) {
    RecentUnits recent;
    Window window{begin, begin, ordinal};
    while (in_complex_run(text, window.end)) {
        const std::size_t end = cluster_end(text, window.end);
        if (end - window.begin > window_bytes && window.end > window.begin) {
            take_words(text, window, folder, sink);
            window = {window.end, window.end, ordinal};
        }
        recent.push(folder.fold_characters(text.substr(window.end, end - window.end)), window.end,
                    end);
        if (recent.count() >= 3)
            recent.emit(3, ordinal - 2, Weight::word, sink);
        ++ordinal;
        pause.step(end - window.end);
        window.end = end;
    }
    take_words(text, window, folder, sink);
    return {window.end, ordinal};
}

void ComplexRuns::open_words(std::string_view window) {
    UErrorCode status = U_ZERO_ERROR;
    if (!words_)
        words_.reset(ubrk_open(UBRK_WORD, "", nullptr, 0, &status));
    units_.clear();
    for (std::size_t at = 0; at < window.size();) {
        const Decoded next = decode(window, at);
        if (next.point > 0xFFFF)
            units_.push_back(U16_LEAD(next.point));
        units_.push_back(static_cast<char16_t>(
            next.point > 0xFFFF ? static_cast<char32_t>(U16_TRAIL(next.point)) : next.point));
        at += next.size;
    }
    if (U_SUCCESS(status))
        ubrk_setText(words_.get(), units_.data(), static_cast<std::int32_t>(units_.size()),
                     &status);
    if (U_FAILURE(status))
        throw IcuFailure("ICU has no word dictionaries");
}

void ComplexRuns::take_words(std::string_view text, const Window &window, Folder &folder,
                             TokenSink &sink) {
    open_words(text.substr(window.begin, window.end - window.begin));
    std::size_t cluster =
        window.begin; // where the last cluster begins that is not behind the word; `ordinal` is its
    std::uint32_t ordinal = window.ordinal;
    std::size_t begin = window.begin;
    std::int32_t unit = 0;
    for (std::int32_t last = ubrk_next(words_.get()); last != UBRK_DONE;
         last = ubrk_next(words_.get())) {
        std::size_t end = begin;
        for (std::uint32_t size = 0; unit < last; end += size) {
            size = decode(text, end).size;
            unit += size == 4 ? 2 : 1;
        }
        for (std::size_t next = cluster_end(text, cluster); next <= begin;
             next = cluster_end(text, cluster)) {
            cluster = next;
            ++ordinal;
        }
        term_.clear();
        folder.fold_whole(text.substr(begin, end - begin), term_);
        if (!term_.empty())
            sink.take({term_.finish(), ordinal, static_cast<std::uint32_t>(begin),
                       static_cast<std::uint32_t>(end), Weight::word});
        begin = end;
    }
}

} // namespace memory::text
