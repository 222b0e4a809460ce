// A few buffers of the backend.
#include "checkpoints/kept.h"

namespace memory::checkpoints {

namespace {

// Short ones are made again in no time.
constexpr std::size_t least_kept = std::size_t{16} << 10;
constexpr std::size_t most_kept = std::size_t{2} << 20;

struct Kept {
    // Never another user's, though keys of stores are unique: a row of theirs may have any key.
    std::array<char, access::longest_id> name_space;
    std::array<char, access::longest_id> user;
    std::uint16_t name_space_size;
    std::uint16_t user_size;
    pg_uuid_t store;
    std::int64_t number; // 0: nothing
    delta::Check check;
    std::uint8_t *bytes;
    std::size_t capacity;
};
constinit std::array<Kept, 4> all{};
constinit std::size_t oldest = 0;

void set_store(Kept &kept, const Store &store) noexcept {
    const access::Tenant &tenant = store.tenant;
    kept.name_space_size = static_cast<std::uint16_t>(
        tenant.name_space.copy(kept.name_space.data(), kept.name_space.size()));
    kept.user_size =
        static_cast<std::uint16_t>(tenant.user.copy(kept.user.data(), kept.user.size()));
    kept.store = store.id;
}

bool is_of(const Kept &kept, const Store &store) noexcept {
    return std::memcmp(&kept.store, &store.id, sizeof store.id) == 0 &&
           store.tenant.name_space ==
               std::string_view(kept.name_space.data(), kept.name_space_size) &&
           store.tenant.user == std::string_view(kept.user.data(), kept.user_size);
}

Kept *find(const Store &store, std::int64_t number) noexcept {
    const auto found = std::ranges::find_if(
        all, [&](const Kept &kept) { return kept.number == number && is_of(kept, store); });
    return found == all.end() ? nullptr : &*found;
}

// With room for so many bytes; false when there is no memory.
bool make_room(Kept &kept, std::size_t size) noexcept {
    if (kept.capacity >= size)
        return true;
    if (kept.bytes != nullptr)
        pfree(kept.bytes);
    const std::size_t capacity = std::min(size + size / 8, most_kept); // a state mostly grows
    kept.bytes = static_cast<std::uint8_t *>(
        MemoryContextAllocExtended(TopMemoryContext, capacity, MCXT_ALLOC_NO_OOM));
    kept.capacity = kept.bytes == nullptr ? 0 : capacity;
    return kept.bytes != nullptr;
}

} // namespace

void keep_version(const Store &store, std::int64_t number, const delta::Check &check,
                  pg::Bytes bytes, std::optional<std::int64_t> base) noexcept {
    if (bytes.size() < least_kept || bytes.size() > most_kept)
        return;
    Kept *kept = find(store, number); // of a transaction that was rolled back
    if (kept == nullptr && base)
        kept = find(store, *base);
    if (kept == nullptr)
        kept = &all[oldest++ % all.size()];
    kept->number = 0;
    if (!make_room(*kept, bytes.size()))
        return;
    std::memcpy(kept->bytes, bytes.data(), bytes.size());
    set_store(*kept, store);
    kept->check = check;
    kept->number = number;
}

std::optional<pg::Bytes> kept_version(const Store &store, std::int64_t number,
                                      const delta::Check &check) noexcept {
    const Kept *kept = find(store, number);
    if (kept == nullptr || kept->check != check)
        return std::nullopt;
    return pg::Bytes(kept->bytes, check.size);
}

} // namespace memory::checkpoints
