// memory.forget_user(): all rows of a user in the namespace.
#include "lifecycle/everything.h"

#include "access/call.h"
#include "lifecycle/tables.h"
#include "pg/memory.h"

namespace memory::lifecycle {

MEMORY_CALL(memory_forget_user, "user_id text") {
    call.text("user_id")
        .not_empty("The anonymous bucket is forgotten by memory.forget(before => 'infinity').")
        .required();
    schema::require_all(schema::Need::to_write);
    const access::Writing writing(call, room);
    pg::ContextResource memory(CurrentMemoryContext);
    Receipt receipt(&memory);
    forget_everything(writing.tenant(), receipt, &memory);
    return call.result(pg::Document{receipt.as_json()});
}

} // namespace memory::lifecycle
