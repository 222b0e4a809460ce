// Keys of names that callers make up: an entry of a B-tree has room for 2,704 bytes, and several
// such names of 1 kB may stand in one.
#include "pg/function.h"

extern "C" {
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
}

namespace memory::sessions {

namespace {

// Of a name that is its own key. A digest is a byte longer, so the two are never equal.
constexpr std::size_t longest_short_name = 64;
constexpr int digest_size = 32;

Datum digest_of(Datum name) {
    return pg::call([name] {
        const auto *digest = DatumGetByteaPP(DirectFunctionCall1(sha256_bytea, name));
        Assert(VARSIZE_ANY_EXHDR(digest) == digest_size);
        std::array<char, 1 + 2 * digest_size> key{'#'};
        hex_encode(VARDATA_ANY(digest), digest_size, key.data() + 1);
        return PointerGetDatum(cstring_to_text_with_len(key.data(), static_cast<int>(key.size())));
    });
}

} // namespace

MEMORY_FUNCTION(memory_name_key) {
    const std::string_view name = *arguments.text(0);
    return name.size() <= longest_short_name ? pg::to_datum(name) : digest_of(arguments.datum(0));
}

} // namespace memory::sessions
