// Writes each value of the scope as bytes, and refuses types and collations whose equality is not
// that of bytes.
#include "index/scope_key.h"

#include "pg/datum.h"
#include "pg/error.h"

extern "C" {
#include "catalog/pg_collation.h"
#include "port/pg_bswap.h"
}

namespace memory::index {

namespace {

// Big-endian with the sign flipped, so that memcmp orders as the integers are ordered.
std::array<char, 8> ordered_bytes(std::int64_t value) {
    const std::uint64_t flipped =
        pg_hton64(static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63));
    std::array<char, 8> bytes;
    std::memcpy(bytes.data(), &flipped, sizeof flipped);
    return bytes;
}

} // namespace

void ScopeKey::put(std::string_view bytes) {
    if (bytes.size() > bytes_.size() - size_)
        throw pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED,
                        "the scope columns of a row have more than %zu bytes", longest_key);
    bytes.copy(bytes_.data() + size_, bytes.size());
    size_ += bytes.size();
}

void ScopeKey::add(Oid type, Datum value) {
    switch (type) {
    case TEXTOID:
        put(pg::text_view(value));
        return put(std::string_view("\0", 1)); // no text contains it
    case UUIDOID:
        return put({reinterpret_cast<const char *>(DatumGetUUIDP(value)->data), UUID_LEN});
    case INT4OID:
    case INT8OID: {
        const auto bytes =
            ordered_bytes(type == INT4OID ? DatumGetInt32(value) : DatumGetInt64(value));
        return put({bytes.data(), bytes.size()});
    }
    default:
        throw pg::Error(ERRCODE_INTERNAL_ERROR, "a scope column of type %u", type);
    }
}

Oid scope_type(Oid column_type) {
    switch (column_type) {
    case TEXTOID:
    case VARCHAROID:
        return TEXTOID;
    case UUIDOID:
    case INT4OID:
    case INT8OID:
        return column_type;
    default:
        return InvalidOid;
    }
}

bool compares_bytes(Oid collation) {
    return collation == InvalidOid || collation == DEFAULT_COLLATION_OID ||
           collation == C_COLLATION_OID ||
           pg::call([collation] { return get_collation_isdeterministic(collation); });
}

void throw_nondeterministic(Relation index, int column) {
    const char *name = NameStr(TupleDescAttr(RelationGetDescr(index), column)->attname);
    throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED,
                    "nondeterministic collations are not supported for scope columns of access "
                    "method \"recall\"")
        .detail("Values of column \"%s\" of index \"%s\" can be equal and have different bytes.",
                name, RelationGetRelationName(index))
        .hint("Give the column a deterministic collation: ALTER TABLE … ALTER COLUMN \"%s\" TYPE "
              "text COLLATE \"C\".",
              name);
}

} // namespace memory::index
