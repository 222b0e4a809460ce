// Allocation in memory contexts without a jump.
#include "pg/memory.h"

#include <memory>
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

namespace {

constexpr std::size_t workspace_bytes = 512 * 1024; // what is never touched takes no memory
constinit std::byte *workspace = nullptr;           // null while it is in use, or not made yet

std::byte *take_workspace() noexcept {
    static constinit bool made = false;
    if (!made) {
        made = true;
        return static_cast<std::byte *>(
            MemoryContextAllocExtended(TopMemoryContext, workspace_bytes, MCXT_ALLOC_NO_OOM));
    }
    return std::exchange(workspace, nullptr);
}

} // namespace

Workspace::Workspace(MemoryContext context) noexcept : rest_(context), block_(take_workspace()) {}

Workspace::~Workspace() {
    if (block_ != nullptr)
        workspace = block_;
}

void *Workspace::do_allocate(std::size_t bytes, std::size_t alignment) {
    void *start = block_ + used_;
    std::size_t room = block_ == nullptr ? 0 : workspace_bytes - used_;
    if (std::align(alignment, bytes, start, room) == nullptr)
        return rest_.allocate(bytes, alignment);
    used_ = workspace_bytes - room + bytes;
    return start;
}

void Workspace::do_deallocate(void *memory, std::size_t bytes, std::size_t alignment) {
    auto *start = static_cast<std::byte *>(memory);
    if (block_ == nullptr || start < block_ || start >= block_ + workspace_bytes)
        return rest_.deallocate(memory, bytes, alignment);
    if (start + bytes == block_ + used_)
        used_ -= bytes;
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
