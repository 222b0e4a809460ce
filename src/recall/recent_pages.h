// Where pages lay among the shared buffers when this backend had them last. Looked for there first,
// they are found without the table of all buffers, which takes longer than comparing a row does.
// Only guesses: the buffer itself says which page it holds.
#pragma once

#include "pg/backend.h"

extern "C" {
#include "storage/buf.h"
#include "utils/relcache.h"
}

namespace memory::recall {

class RecentPages {
  public:
    constexpr RecentPages() = default;

    // Makes room, once in a backend's life: half a megabyte.
    void prepare();

    // Pins a page; without room in PostgreSQL's own way.
    Buffer pin(Relation table, BlockNumber block);

  private:
    struct Guess {
        BlockNumber block;
        Buffer buffer; // 0: none
    };
    static constexpr std::size_t room = std::size_t{1} << 16;

    Guess *guesses_ = nullptr; // by the last bits of the block's number
    unsigned calls_ = 0;
};

} // namespace memory::recall
