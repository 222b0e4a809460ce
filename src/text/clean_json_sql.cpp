// memory.clean_json: the SQL face of clean_json.h.
#include "pg/function.h"
#include "pg/memory.h"
#include "text/clean_json.h"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace memory::text {

MEMORY_FUNCTION(memory_clean_json) {
    pg::ContextResource memory(CurrentMemoryContext);
    const std::pmr::string clean = clean_json(*arguments.text(0), &memory);
    return pg::call(
        [&clean] { return DirectFunctionCall1(jsonb_in, CStringGetDatum(clean.c_str())); });
}

} // namespace memory::text
