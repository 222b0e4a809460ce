// Remembers the buffer of each page, and pins it from there if it still holds the page.
#include "recall/recent_pages.h"

#include "pg/call.h"

extern "C" {
#include "storage/bufmgr.h"
#include "utils/memutils.h"
#include "utils/rel.h"
}

namespace memory::recall {

namespace {

// A page found by a guess does not look used to the clock that looks for victims: so it is found
// the usual way every now and then.
constexpr unsigned calls_between_counts = 16;

bool lies_in(Buffer buffer, Relation table, BlockNumber block) {
#if PG_VERSION_NUM >= 160000
    return ReadRecentBuffer(table->rd_locator, MAIN_FORKNUM, block, buffer);
#else
    return ReadRecentBuffer(table->rd_node, MAIN_FORKNUM, block, buffer);
#endif
}

} // namespace

void RecentPages::prepare() {
    if (guesses_ == nullptr)
        guesses_ = static_cast<Guess *>(pg::call(
            [] { return MemoryContextAllocZero(TopMemoryContext, room * sizeof(Guess)); }));
}

Buffer RecentPages::pin(Relation table, BlockNumber block) {
    if (guesses_ == nullptr)
        return pg::call([&] { return ReadBuffer(table, block); });
    Guess &guess = guesses_[block % room];
    const bool worth_trying = guess.block == block && guess.buffer > 0 &&
                              guess.buffer <= NBuffers && ++calls_ % calls_between_counts != 0;
    return pg::call([&] {
        if (!worth_trying || !lies_in(guess.buffer, table, block))
            guess = {block, ReadBuffer(table, block)};
        return guess.buffer;
    });
}

} // namespace memory::recall
