// memory.shard_of: the SQL face of shard.h.
#include "pg/encoding.h"
#include "pg/function_call.h"
#include "scale/shard.h"

namespace memory::scale {

MEMORY_CALL(memory_shard_of, "user_id text, shards bigint") {
    const auto user = call.text("user_id").not_empty("Pass NULL for the anonymous user.");
    const std::int64_t shards = call.bigint("shards").required();
    if (!is_shard_count(shards))
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "shards must be a power of two, not %lld",
                        static_cast<long long>(shards))
            .hint("Databases that share the users are 1, 2, 4, 8, 16, … (docs/scale.md).");
    return call.result(shard_of(pg::to_utf8(user.or_else("")), shards));
}

} // namespace memory::scale
