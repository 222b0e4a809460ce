// Writes and reads JSON text by PostgreSQL's own functions.
#include "checkpoints/state.h"

#include "pg/encoding.h"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace memory::checkpoints {

pg::Bytes state_bytes(pg::Document state) {
    const char *text =
        pg::call([state] { return DatumGetCString(DirectFunctionCall1(jsonb_out, state.jsonb)); });
    return pg::bytes_of(pg::to_utf8(text));
}

pg::Document state_of(pg::Bytes bytes) {
    const char *text = pg::c_string(pg::from_utf8(pg::text_of(bytes)));
    return {pg::call([text] { return DirectFunctionCall1(jsonb_in, CStringGetDatum(text)); })};
}

} // namespace memory::checkpoints
