// Piece by piece, cut where no character can meet one on the other side; and where there is no such
// place for long, with the marks in their order before ICU sees them.
#include "text/normal.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <unicode/uchar.h>
#include <unicode/utf16.h>

#include "text/error.h"

namespace memory::text {

namespace {

constexpr std::size_t usual_piece = 1024; // units of UTF-16
constexpr std::size_t long_stretch = 128; // units without a boundary: more than any language writes
constexpr std::size_t longest_mapping = 64; // more than the 18 that there are

const UNormalizer2 *instance(const UNormalizer2 *(*get)(UErrorCode *)) {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *form = get(&status);
    if (U_FAILURE(status))
        throw IcuFailure("ICU has no normalization data");
    return form;
}

struct Piece {
    std::size_t size;
    bool is_stretch; // one boundary at its front, no other inside, and it is long
};

// The front of a text up to a boundary.
Piece first_piece(const UNormalizer2 *form, std::u16string_view text) {
    std::size_t boundary = 0; // the last one
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t here = at;
        UChar32 point = 0;
        if (at < text.size())
            U16_NEXT(text.data(), at, text.size(), point);
        else
            ++at;
        if (point >= 0x80 && unorm2_hasBoundaryBefore(form, point) == 0)
            continue;
        if (here - boundary > long_stretch)
            return boundary == 0 ? Piece{here, true} : Piece{boundary, false};
        if (here >= usual_piece)
            return {here, false};
        boundary = here;
    }
    return {text.size(), false};
}

void append_by_icu(const UNormalizer2 *form, std::u16string_view piece, std::pmr::u16string &to) {
    const std::size_t before = to.size();
    std::size_t room = piece.size() * 2 + 16;
    for (;;) {
        to.resize(before + room);
        UErrorCode status = U_ZERO_ERROR;
        const auto size = static_cast<std::size_t>(
            unorm2_normalize(form, piece.data(), static_cast<std::int32_t>(piece.size()),
                             to.data() + before, static_cast<std::int32_t>(room), &status));
        if (status != U_BUFFER_OVERFLOW_ERROR && U_FAILURE(status))
            throw IcuFailure("ICU could not normalize a text");
        if (status != U_BUFFER_OVERFLOW_ERROR)
            return to.resize(before + size);
        room = size;
    }
}

struct Mark {
    UChar32 point;
    std::uint8_t combining_class;
};

// What the characters of a piece become one by one, without their composition.
std::pmr::vector<Mark> mapped(const UNormalizer2 *form, std::u16string_view piece,
                              std::pmr::memory_resource *memory, Pause &pause) {
    std::pmr::vector<Mark> marks(memory);
    for (std::size_t at = 0; at < piece.size(); pause.step()) {
        std::array<UChar, longest_mapping> mapping;
        const std::size_t begin = at;
        UChar32 point = 0;
        U16_NEXT(piece.data(), at, piece.size(), point);
        UErrorCode status = U_ZERO_ERROR;
        const std::int32_t size = unorm2_getDecomposition(
            form, point, mapping.data(), static_cast<std::int32_t>(mapping.size()), &status);
        if (U_FAILURE(status))
            throw IcuFailure("ICU could not decompose a character");
        const std::u16string_view its =
            size < 0 ? piece.substr(begin, at - begin)
                     : std::u16string_view(mapping.data(), static_cast<std::size_t>(size));
        for (std::size_t i = 0; i < its.size();) {
            U16_NEXT(its.data(), i, its.size(), point);
            marks.push_back({point, u_getCombiningClass(point)});
        }
    }
    return marks;
}

// The canonical order: marks between two characters of class 0, by their classes.
void put_in_order(std::pmr::vector<Mark> &marks, Pause &pause) {
    const auto is_starter = [](const Mark &mark) { return mark.combining_class == 0; };
    for (auto first = marks.begin(); first != marks.end();) {
        const auto last = std::find_if(first, marks.end(), is_starter);
        std::stable_sort(first, last, [&pause](const Mark &a, const Mark &b) {
            pause.step();
            return a.combining_class < b.combining_class;
        });
        first = std::find_if_not(last, marks.end(), is_starter);
    }
}

std::pmr::u16string ordered(const UNormalizer2 *form, std::u16string_view piece,
                            std::pmr::memory_resource *memory, Pause &pause) {
    std::pmr::vector<Mark> marks = mapped(form, piece, memory, pause);
    put_in_order(marks, pause);
    std::pmr::u16string text(memory);
    for (const Mark &mark : marks) {
        if (U_IS_SUPPLEMENTARY(mark.point))
            text.push_back(U16_LEAD(mark.point));
        text.push_back(U_IS_SUPPLEMENTARY(mark.point) ? U16_TRAIL(mark.point)
                                                      : static_cast<char16_t>(mark.point));
    }
    return text;
}

} // namespace

const UNormalizer2 *nfkc_case_folding() { return instance(unorm2_getNFKCCasefoldInstance); }
const UNormalizer2 *nfkc() { return instance(unorm2_getNFKCInstance); }

void append_normalized(const UNormalizer2 *form, std::u16string_view source,
                       std::pmr::u16string &to, Pause &pause) {
    while (!source.empty()) {
        const auto [size, is_stretch] = first_piece(form, source);
        const std::u16string_view piece = source.substr(0, size);
        if (is_stretch)
            append_by_icu(form, ordered(form, piece, to.get_allocator().resource(), pause), to);
        else
            append_by_icu(form, piece, to);
        pause.step(size);
        source.remove_prefix(size);
    }
}

} // namespace memory::text
