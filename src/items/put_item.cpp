// memory.put_item.
#include "access/call.h"
#include "items/item.h"
#include "items/tables.h"

namespace memory::items {

MEMORY_CALL(memory_put_item, put_arguments) {
    Item item = read_item(call);
    item.value = call.json("value").required();
    const access::Writing writing(call, room);
    item.tenant = writing.tenant();
    return call.result(put(item));
}

} // namespace memory::items
