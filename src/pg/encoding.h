// Texts of the database's encoding as UTF-8, which is what the pure rooms read.
#pragma once

#include "pg/call.h"

extern "C" {
#include "mb/pg_wchar.h"
}

namespace memory::pg {

// `text` in UTF-8: itself where the database is in UTF-8, else converted in the current memory
// context. In SQL_ASCII, where the encoding is not known, the bytes are taken as they are.
inline std::string_view to_utf8(std::string_view text) {
    if (GetDatabaseEncoding() == PG_UTF8 || GetDatabaseEncoding() == PG_SQL_ASCII)
        return text;
    const char *converted = call(
        [text] { return pg_server_to_any(text.data(), static_cast<int>(text.size()), PG_UTF8); });
    return converted == text.data() ? text : std::string_view(converted);
}

// The way back: UTF-8 in the database's encoding, in the current memory context. Characters that
// the encoding lacks are written as \u{3bc}: a text in LATIN1 may have a normal form that is not.
std::string_view from_utf8(std::string_view utf8);

// The same, or nothing where the encoding lacks one of the characters.
std::optional<std::string_view> from_utf8_if_possible(std::string_view utf8);

} // namespace memory::pg
