// Pages of the index under pin and lock, and the WAL records that change them.
#pragma once

#include "index/layout.h"
#include "pg/call.h"
#include "pg/error.h"

extern "C" {
#include "access/generic_xlog.h"
#include "storage/bufmgr.h"
}

namespace memory::index {

// An error that says what is wrong with a page and what to do about it.
[[noreturn]] void throw_corrupt(Relation index, BlockNumber block, const char *what);

// There is no page to be had: no free one, and no room for one more. Thrown by allocate(), which
// has changed nothing then; what was locked or pinned is given back as the exception passes.
class NoRoom : public pg::Error {
  public:
    // `error`: the errno that says why.
    NoRoom(Relation index, int error) noexcept;

    // Pages that were to be had before, and have been given back.
    std::uint32_t pages() const noexcept { return pages_; }
    void note_given_back(std::uint32_t pages) noexcept { pages_ = pages; }

  private:
    std::uint32_t pages_ = 0;
};

enum class Lock { share, exclusive };

// One page, pinned and locked. It is given back when the object dies or takes another page's place;
// after an ERROR the ResourceOwner does that.
class LockedPage {
  public:
    // Checks that the page is one of a recall index, and the one of this number; others are errors.
    LockedPage(Relation index, BlockNumber block, Lock lock);
    // The same, of a page that must be of `kind`.
    LockedPage(Relation index, BlockNumber block, Lock lock, Kind kind);
    // The same, of a page that must be of the tenant whose root page is `owner`.
    LockedPage(Relation index, BlockNumber block, Lock lock, Kind kind, BlockNumber owner);
    // A page without references, for PageWrite::create(): recycled, or new at the end, or NoRoom.
    // It must stay locked until then: other backends that look for a page may find the same one.
    static LockedPage allocate(Relation index);

    LockedPage(LockedPage &&other) noexcept
        : buffer_(std::exchange(other.buffer_, InvalidBuffer)) {}
    LockedPage &operator=(LockedPage &&other) noexcept;
    ~LockedPage() { give_back(); }
    LockedPage(const LockedPage &) = delete;
    LockedPage &operator=(const LockedPage &) = delete;

    void give_back() noexcept;
    // Gives the lock back, and the pin to the caller.
    Buffer unlock();

    Buffer buffer() const noexcept { return buffer_; }
    BlockNumber block() const noexcept { return BufferGetBlockNumber(buffer_); }
    Page page() const noexcept { return BufferGetPage(buffer_); }
    const PageTail &tail() const noexcept { return tail_of(page()); }
    Kind kind() const noexcept { return tail().kind; }
    bool has(std::uint16_t flag) const noexcept { return (tail().flags & flag) != 0; }

    // Bytes between pd_lower and pd_upper.
    std::size_t free_bytes() const noexcept;

  private:
    explicit LockedPage(Buffer buffer) noexcept : buffer_(buffer) {}

    Buffer buffer_;
};

// Has a page brought that will be locked soon: from its file, or from memory into the processor's
// cache. InvalidBlockNumber: none.
void expect_page(Relation index, BlockNumber block);

// What the end of a page says at this moment, of a page of any kind; nothing of one that is new:
// the server died between its coming and its first use.
std::optional<PageTail> peek(Relation index, BlockNumber block, BufferAccessStrategy strategy);

// A page that stays pinned without a lock, for what never changes on it as long as it can be
// reached.
class KeptPage {
  public:
    explicit KeptPage(LockedPage &&page) : buffer_(page.unlock()) {}
    ~KeptPage();
    KeptPage(const KeptPage &) = delete;
    KeptPage &operator=(const KeptPage &) = delete;

    Page page() const noexcept { return BufferGetPage(buffer_); }
    const PageTail &tail() const noexcept { return tail_of(page()); }

  private:
    Buffer buffer_;
};

// One WAL record. Changes are made to copies of the pages; finish() puts them into effect all at
// once. Without finish() nothing has happened.
class PageWrite {
  public:
    explicit PageWrite(Relation index);
    ~PageWrite();
    PageWrite(const PageWrite &) = delete;
    PageWrite &operator=(const PageWrite &) = delete;

    // The copy of a page to change. The page must stay locked, exclusively, until finish().
    Page change(const LockedPage &page);
    // The same for a page whose content is to be replaced: an empty page of `kind`.
    Page create(const LockedPage &page, Kind kind, BlockNumber next, std::uint32_t generation);
    void finish();

  private:
    GenericXLogState *state_;
};

// Makes an empty page of `kind`, number `block`, out of whatever is in `page`.
void initialise(Page page, BlockNumber block, Kind kind, BlockNumber next,
                std::uint32_t generation);

// Makes room for `bytes` at pd_lower and returns it. That there are that many is for the caller to
// know; only where it has been told wrong, by a damaged page, is it an error.
std::byte *extend_data(Page page, std::size_t bytes);

} // namespace memory::index
