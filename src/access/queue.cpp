// A queue is a lock on an object that does not exist, "of" the table. An advisory lock would do,
// but any role can take one, and keep it.
#include "access/queue.h"

#include "pg/handles.h"
#include "schema/relations.h"

extern "C" {
#include "common/hashfn.h"
}

namespace memory::access {

namespace {

std::uint64_t hashed(std::string_view text, std::uint64_t seed) noexcept {
    return hash_bytes_extended(reinterpret_cast<const unsigned char *>(text.data()),
                               static_cast<int>(text.size()), seed);
}

} // namespace

void queue(const Tenant &tenant, const char *table) {
    if (XactReadOnly)
        return;
    const std::uint64_t hash = hashed(tenant.user, hashed(tenant.name_space, 0));
    pg::lock_object(schema::table_named(table), static_cast<Oid>(hash >> 32), ExclusiveLock,
                    static_cast<std::uint16_t>(hash));
}

} // namespace memory::access
