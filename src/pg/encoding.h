// Texts of the database's encoding as UTF-8, which is what the pure rooms read.
#pragma once

#include "pg/call.h"

extern "C" {
#include "mb/pg_wchar.h"
}

namespace memory::pg {

// `text` in UTF-8: itself where the database is in UTF-8, else converted in the current memory
// context. In SQL_ASCII, where nobody knows the encoding, the bytes are taken as they are.
inline std::string_view to_utf8(std::string_view text) {
    if (GetDatabaseEncoding() == PG_UTF8 || GetDatabaseEncoding() == PG_SQL_ASCII)
        return text;
    const char *converted = call(
        [text] { return pg_server_to_any(text.data(), static_cast<int>(text.size()), PG_UTF8); });
    return converted == text.data() ? text : std::string_view(converted);
}

// The way back: UTF-8 in the database's encoding.
inline std::string_view from_utf8(std::string_view utf8) {
    if (GetDatabaseEncoding() == PG_UTF8 || GetDatabaseEncoding() == PG_SQL_ASCII)
        return utf8;
    const char *converted = call(
        [utf8] { return pg_any_to_server(utf8.data(), static_cast<int>(utf8.size()), PG_UTF8); });
    return converted == utf8.data() ? utf8 : std::string_view(converted);
}

} // namespace memory::pg
