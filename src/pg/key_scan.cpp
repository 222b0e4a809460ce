// Scan keys for the operators of the types that are searched for, and the bounds of a range.
#include "pg/key_scan.h"

extern "C" {
#include "access/stratnum.h"
#include "catalog/pg_collation.h"
#include "utils/fmgroids.h"
}

namespace memory::pg {

namespace {

ScanKeyData compared(AttrNumber column, StrategyNumber how, RegProcedure function, Datum value,
                     Oid collation = InvalidOid, int flags = 0) {
    ScanKeyData key;
    call([&] {
        ScanKeyEntryInitialize(&key, flags, column, how, InvalidOid, collation, function, value);
    });
    return key;
}

} // namespace

ScanKeyData equals_text(AttrNumber column, Datum value) {
    return compared(column, BTEqualStrategyNumber, F_TEXTEQ, value, C_COLLATION_OID);
}

ScanKeyData equals_uuid(AttrNumber column, const std::uint8_t *uuid) {
    return compared(column, BTEqualStrategyNumber, F_UUID_EQ, PointerGetDatum(uuid));
}

ScanKeyData at_least(AttrNumber column, TimestampTz time) {
    return compared(column, BTGreaterEqualStrategyNumber, F_TIMESTAMPTZ_GE,
                    TimestampTzGetDatum(time));
}

ScanKeyData at_most(AttrNumber column, TimestampTz time) {
    return compared(column, BTLessEqualStrategyNumber, F_TIMESTAMPTZ_LE, TimestampTzGetDatum(time));
}

// A row comparison, as nbtree takes it: a key whose argument is an array of keys, each with the
// function that compares its column.
Beyond::Beyond(AttrNumber first_column, Side side, TimestampTz time, const std::uint8_t *uuid)
    : first_column_(first_column),
      how_(side == Side::before ? BTLessStrategyNumber : BTGreaterStrategyNumber),
      parts_{compared(first_column, how_, F_TIMESTAMPTZ_CMP, TimestampTzGetDatum(time), InvalidOid,
                      SK_ROW_MEMBER),
             compared(static_cast<AttrNumber>(first_column + 1), how_, F_UUID_CMP,
                      PointerGetDatum(uuid), InvalidOid, SK_ROW_MEMBER | SK_ROW_END)} {}

ScanKeyData Beyond::key() {
    ScanKeyData key{};
    key.sk_flags = SK_ROW_HEADER;
    key.sk_attno = first_column_;
    key.sk_strategy = how_;
    key.sk_argument = PointerGetDatum(parts_.data());
    return key;
}

} // namespace memory::pg
