// Allocation in memory contexts without a jump.
#include "pg/memory.h"

#include <new>

namespace memory::pg {

namespace {

// Over-aligned blocks keep the address that palloc gave in the word before them.
constexpr std::size_t header = sizeof(void *);

bool over_aligned(std::size_t alignment) { return alignment > MAXIMUM_ALIGNOF; }

void *palloc_or_throw(MemoryContext context, std::size_t bytes) {
    // The only error that MCXT_ALLOC_NO_OOM leaves is this one.
    if (!AllocHugeSizeIsValid(bytes))
        throw std::bad_alloc();
    void *memory = MemoryContextAllocExtended(context, bytes, MCXT_ALLOC_HUGE | MCXT_ALLOC_NO_OOM);
    if (memory == nullptr)
        throw std::bad_alloc();
    return memory;
}

} // namespace

void *ContextResource::do_allocate(std::size_t bytes, std::size_t alignment) {
    if (!over_aligned(alignment))
        return palloc_or_throw(context_, std::max<std::size_t>(bytes, 1));
    if (bytes > MaxAllocHugeSize - alignment - header)
        throw std::bad_alloc();
    void *whole = palloc_or_throw(context_, bytes + alignment + header);
    const auto start = reinterpret_cast<std::uintptr_t>(whole) + header;
    const auto aligned = (start + alignment - 1) & ~(std::uintptr_t{alignment} - 1);
    auto *memory = reinterpret_cast<std::byte *>(aligned);
    std::memcpy(memory - header, &whole, sizeof whole);
    return memory;
}

void ContextResource::do_deallocate(void *memory, std::size_t, std::size_t alignment) {
    if (over_aligned(alignment))
        std::memcpy(&memory, static_cast<std::byte *>(memory) - header, sizeof memory);
    pfree(memory);
}

bool ContextResource::do_is_equal(const std::pmr::memory_resource &other) const noexcept {
    const auto *same = dynamic_cast<const ContextResource *>(&other);
    return same != nullptr && same->context_ == context_;
}

TemporaryContext::TemporaryContext(const char *name)
    : resource_(call([name] {
          return AllocSetContextCreateInternal(CurrentMemoryContext, name, ALLOCSET_DEFAULT_SIZES);
      })) {}

// Never an ERROR, and therefore done while one is in flight too: attempt() may end it in a frame
// that goes on for long.
TemporaryContext::~TemporaryContext() { MemoryContextDelete(get()); }

void TemporaryContext::reset() {
    call([this] { MemoryContextReset(get()); });
}

} // namespace memory::pg
