// What is said when a column is not what it should be.
#include "pg/column.h"

#include "pg/error.h"

extern "C" {
#include "parser/parse_coerce.h"
}

namespace memory::pg::detail {

namespace {

const char *type_name(Oid type) {
    return call([type] { return format_type_be(type); });
}

} // namespace

void check_other_type(TupleDesc shape, int column, Oid type) {
    if (column < 0 || column >= shape->natts)
        throw Error(ERRCODE_INTERNAL_ERROR, "column %d is read of a row of %d", column + 1,
                    shape->natts);
    const Form_pg_attribute given = TupleDescAttr(shape, column);
    if (call([=] { return IsBinaryCoercible(getBaseType(given->atttypid), type); }))
        return;
    throw Error(ERRCODE_DATATYPE_MISMATCH, "column \"%s\" is of type %s, and not %s",
                NameStr(given->attname), type_name(given->atttypid), type_name(type))
        .hint("The type of a column in schema memory has been changed: ALTER TABLE … ALTER COLUMN "
              "… TYPE … gives it back.");
}

void throw_null(TupleDesc shape, int column) {
    throw Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, "column \"%s\" has a null",
                NameStr(TupleDescAttr(shape, column)->attname))
        .hint("A column in schema memory has lost its NOT NULL: fill it, and ALTER TABLE … ALTER "
              "COLUMN … SET NOT NULL.");
}

} // namespace memory::pg::detail
