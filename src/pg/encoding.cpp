// UTF-8 in the database's encoding, which may lack characters of it.
#include "pg/encoding.h"

#include "pg/error.h"

extern "C" {
#include "catalog/namespace.h"
}

namespace memory::pg {

namespace {

bool needs_conversion() {
    return GetDatabaseEncoding() != PG_UTF8 && GetDatabaseEncoding() != PG_SQL_ASCII;
}

// No escape is longer than what the longest conversion would make of as many bytes.
constexpr std::size_t growth = MAX_CONVERSION_GROWTH;

// Converts `utf8`, as far as the encoding has its characters. escape(rest, end) writes what stands
// for the first of `rest` and returns how many bytes that are, or -1 to give up: then the result is
// a null pointer. Inside call().
template <class Escape>
const char *converted(std::string_view utf8, Escape escape) {
    if (utf8.size() > (INT_MAX - 1) / growth)
        ereport(ERROR,
                (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("text is too long to convert")));
    const Oid function = FindDefaultConversionProc(PG_UTF8, GetDatabaseEncoding());
    auto *result =
        static_cast<char *>(MemoryContextAllocHuge(CurrentMemoryContext, utf8.size() * growth + 1));
    *result = '\0';
    char *end = result;
    while (!utf8.empty()) {
        CHECK_FOR_INTERRUPTS();
        auto *from = reinterpret_cast<unsigned char *>(const_cast<char *>(utf8.data()));
        const int done = pg_do_encoding_conversion_buf(
            function, PG_UTF8, GetDatabaseEncoding(), from, static_cast<int>(utf8.size()),
            reinterpret_cast<unsigned char *>(end), static_cast<int>(utf8.size() * growth + 1),
            true);
        end += std::strlen(end);
        utf8.remove_prefix(static_cast<std::size_t>(done));
        if (utf8.empty())
            break;
        const int written = escape(from + done, end);
        if (written < 0)
            return nullptr;
        end += written;
        utf8.remove_prefix(
            std::min(utf8.size(), static_cast<std::size_t>(pg_utf_mblen(from + done))));
    }
    return result;
}

} // namespace

std::string_view from_utf8(std::string_view utf8) {
    if (!needs_conversion())
        return utf8;
    return call([utf8] {
        return converted(utf8, [](const unsigned char *character, char *end) {
            return std::sprintf(end, "\\u{%x}", static_cast<unsigned>(utf8_to_unicode(character)));
        });
    });
}

std::optional<std::string_view> from_utf8_if_possible(std::string_view utf8) {
    if (!needs_conversion())
        return utf8;
    const char *whole =
        call([utf8] { return converted(utf8, [](const unsigned char *, char *) { return -1; }); });
    return whole == nullptr ? std::nullopt : std::optional<std::string_view>(whole);
}

} // namespace memory::pg
