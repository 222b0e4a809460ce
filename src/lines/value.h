// One value of a table's column as JSON, and back. The same value gives the same JSON whatever the
// session's settings are, and what is read is the value that was written, bit for bit
// (docs/moving.md, "Values").
#pragma once

#include "pg/json.h"
#include "pg/json_writer.h"
#include "pg/values.h"
#include "schema/table.h"

namespace memory::lines {

// ISO 8601 in UTC; infinity and -infinity. In the current memory context.
const char *utc_time(TimestampTz time);

// Adds the member that is named as the column. `place` is that of the value in rows of this shape;
// an error when its type is another than the description's.
void write(pg::JsonWriter &to, const schema::Column &column, TupleDesc shape, int place,
           const NullableDatum &value);

// The value as a parameter, in the current memory context; nothing is null. An error names `name`,
// the member's place.
pg::Parameter read(const schema::Column &column, const char *name,
                   const std::optional<pg::JsonValue> &value);

} // namespace memory::lines
