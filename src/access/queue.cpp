// A queue is a lock on an object that does not exist, "of" the table. An advisory lock would do,
// but any role can take one, and keep it.
#include "access/queue.h"

#include "pg/handles.h"
#include "pg/memory.h"
#include "schema/relations.h"

extern "C" {
#include "common/hashfn.h"
}

#include <algorithm>
#include <compare>
#include <vector>

namespace memory::access {

namespace {

std::uint64_t hashed(std::string_view text, std::uint64_t seed) noexcept {
    return hash_bytes_extended(reinterpret_cast<const unsigned char *>(text.data()),
                               static_cast<int>(text.size()), seed);
}

std::uint64_t hash_of(const Tenant &tenant) noexcept {
    return hashed(tenant.user, hashed(tenant.name_space, 0));
}

// The 48 bits of a hash that tell objects apart.
struct Object {
    explicit Object(std::uint64_t hash) noexcept
        : object(static_cast<Oid>(hash >> 32)), part(static_cast<std::uint16_t>(hash)) {}

    void lock(Oid table, LOCKMODE mode) const { pg::lock_object(table, object, mode, part); }

    Oid object;
    std::uint16_t part;

    // NOLINTNEXTLINE(modernize-use-nullptr): the 0 that the default compares with is no pointer
    friend auto operator<=>(const Object &, const Object &) = default;
};

} // namespace

void queue(const Tenant &tenant, const char *table) {
    if (!XactReadOnly)
        Object(hash_of(tenant)).lock(schema::table_named(table), ExclusiveLock);
}

void queue_names(const Tenant &tenant, const char *table, std::span<const NameLock> names) {
    if (XactReadOnly)
        return;
    using Lock = std::pair<Object, bool>; // of one object the one that is not shared comes first
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<Lock> locks(&memory);
    const std::uint64_t seed = hash_of(tenant);
    for (const NameLock &name : names)
        locks.emplace_back(Object(hashed(name.name, seed)), name.shared);
    std::ranges::sort(locks);
    const Oid relation = schema::table_named(table);
    for (std::size_t n = 0; n < locks.size(); ++n)
        if (n == 0 || locks[n].first != locks[n - 1].first)
            locks[n].first.lock(relation, locks[n].second ? ShareLock : ExclusiveLock);
}

} // namespace memory::access
