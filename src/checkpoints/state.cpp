// Writes JSON text by PostgreSQL's own function, and reads it.
#include "checkpoints/state.h"

#include "pg/encoding.h"
#include "pg/json_reader.h"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace memory::checkpoints {

pg::Bytes state_bytes(pg::Document state) {
    const char *text =
        pg::call([state] { return DatumGetCString(DirectFunctionCall1(jsonb_out, state.jsonb)); });
    return pg::bytes_of(pg::to_utf8(text));
}

pg::Document state_of(pg::Bytes bytes) { return pg::jsonb_of(pg::from_utf8(pg::text_of(bytes))); }

} // namespace memory::checkpoints
