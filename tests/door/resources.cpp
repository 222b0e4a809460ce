// ContextResource, TemporaryContext and make_in.
#include "fail.h"
#include "pg/memory.h"
#include "usage.h"

#include <new>

namespace door {

namespace {

// Bigger than any alignment that palloc knows.
struct alignas(256) Wide {
    std::array<std::byte, 300> bytes;
    Live live;
};

struct Owned {
    explicit Owned(Fail fail) { fail(); }
    Live live;
    std::string on_the_heap = std::string(1000, 'x');
};

MemoryContext context_named(std::string_view name) {
    if (name == "statement")
        return CurrentMemoryContext;
    if (name == "transaction")
        return TopTransactionContext;
    if (name == "subtransaction")
        return CurTransactionContext;
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "no such context");
}

// Allocates, writes every byte and gives back.
bool serves(std::pmr::memory_resource &memory, std::size_t bytes, std::size_t alignment) {
    void *block = memory.allocate(bytes, alignment);
    const bool aligned = reinterpret_cast<std::uintptr_t>(block) % alignment == 0;
    std::memset(block, 0x5a, bytes);
    memory.deallocate(block, bytes, alignment);
    return aligned;
}

} // namespace

// True when every size of interest comes at every alignment up to a page's.
MEMORY_FUNCTION(door_serves_alignments) {
    pg::TemporaryContext context("door");
    for (std::size_t alignment = 1; alignment <= 8192; alignment *= 2)
        for (const std::size_t bytes : {0UL, 1UL, 7UL, 8UL, 9UL, 100UL, 1024UL, 8193UL, 100'000UL})
            if (!serves(*context.resource(), bytes, alignment))
                return pg::to_datum(false);
    return pg::to_datum(true);
}

// (bytes, alignment): what an allocation that cannot be had does.
MEMORY_FUNCTION(door_allocation_ends_in) {
    pg::ContextResource memory(CurrentMemoryContext);
    const Live live;
    try {
        static_cast<void>(
            memory.allocate(static_cast<std::size_t>(DatumGetInt64(arguments.datum(0))),
                            static_cast<std::size_t>(DatumGetInt64(arguments.datum(1)))));
        return pg::to_datum(std::string_view("memory"));
    } catch (const std::bad_alloc &) {
        return pg::to_datum(std::string_view("bad_alloc"));
    }
}

// Over 1 GB, the limit of palloc, is served where there is memory.
MEMORY_FUNCTION(door_serves_more_than_palloc) {
    pg::ContextResource memory(CurrentMemoryContext);
    const std::size_t bytes = MaxAllocSize + 1;
    void *block = memory.allocate(bytes, 8);
    memory.deallocate(block, bytes, 8);
    return pg::to_datum(true);
}

// Bytes that stay after a million allocations of many sizes, given back in another order.
MEMORY_FUNCTION(door_growth_by_containers) {
    pg::ContextResource memory(CurrentMemoryContext);
    Usage before{};
    for (int round = 0; round < 100; ++round) {
        if (round == 10)
            before = Usage::now();
        std::pmr::vector<std::pmr::string> texts(&memory);
        for (std::size_t i = 0; i < 1000; ++i)
            texts.emplace_back((i * 37) % 3000, 'x');
        for (std::size_t i = 0; i < texts.size(); i += 2)
            texts[i] = {};
    }
    return Int64GetDatum(Usage::now().since(before));
}

MEMORY_FUNCTION(door_same_context_is_equal) {
    pg::ContextResource one(CurrentMemoryContext);
    pg::ContextResource same(CurrentMemoryContext);
    pg::ContextResource other(TopMemoryContext);
    return pg::to_datum(one == same && !(one == other) &&
                        !(one == *std::pmr::new_delete_resource()));
}

// (context, how): an object that the context owns; `how` is how its constructor fails.
MEMORY_FUNCTION(door_make_in) {
    const MemoryContext context = context_named(arguments.text(0).value());
    const Fail fail = failure(arguments.text(1).value());
    pg::make_in<Owned>(context, fail);
    return pg::to_datum(Live::count());
}

// True when an over-aligned object is aligned and goes with its context.
MEMORY_FUNCTION(door_make_wide) {
    const int before = Live::count();
    bool aligned;
    {
        pg::TemporaryContext context("door");
        const Wide *wide = pg::make_in<Wide>(context.get());
        aligned = reinterpret_cast<std::uintptr_t>(wide) % alignof(Wide) == 0 &&
                  Live::count() == before + 1;
        context.reset();
        aligned = aligned && Live::count() == before;
        pg::make_in<Wide>(context.get());
    }
    return pg::to_datum(aligned && Live::count() == before);
}

} // namespace door
