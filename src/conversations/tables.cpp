// The tables of conversations (docs/conversations.md).
#include "conversations/tables.h"

namespace memory::conversations {

constinit const schema::Room room{"conversations", {}, nullptr};

} // namespace memory::conversations
