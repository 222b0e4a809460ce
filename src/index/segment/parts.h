// Where the parts of a segment are, and how they get there and back: the pages, as the pure core
// sees them. docs/index.md has the picture of a segment.
#pragma once

#include "index/codec/bytes.h"

namespace memory::segment {

using codec::ByteBuffer;
using codec::Bytes;

inline constexpr std::uint32_t no_page = UINT32_MAX;

// The first byte of the data on a page.
inline constexpr std::size_t page_start = 24;

// A byte on a page.
struct Address {
    std::uint32_t block = no_page;
    std::uint16_t offset = 0;

    std::uint64_t packed() const { return std::uint64_t{block} << 16 | offset; }
    static Address unpacked(std::uint64_t packed) {
        return {static_cast<std::uint32_t>(packed >> 16), static_cast<std::uint16_t>(packed)};
    }

    friend bool operator==(const Address &, const Address &) = default;
};

// Takes the parts of a segment in, one after another. A part never crosses pages.
class PartSink {
  public:
    // The data of an empty page.
    virtual std::size_t page_bytes() const = 0;
    // What is left of the page in hand.
    virtual std::size_t room() const = 0;
    // Appends at most page_bytes(): to the page in hand, or, without room there, at the start of
    // the next one, after which nothing is added to the page before.
    virtual Address append(Bytes part) = 0;

  protected:
    ~PartSink() = default;
};

// Pages that a source keeps at once.
inline constexpr std::size_t kept_pages = 4;

// A page while it is open.
struct PageView {
    Bytes bytes;                  // from the page's first byte to the last of its data
    std::uint32_t next = no_page; // the page that was filled after it
};

// Gives pages out, one at a time.
class PageSource {
  public:
    // The view is valid until the next call.
    virtual PageView open(std::uint32_t block) = 0;
    virtual void close() = 0;

    // For what never changes on a page: the view is valid until the same of kept_pages places is
    // given another page, or let_go() gives all of them back.
    virtual PageView keep(std::size_t place, std::uint32_t block) = 0;
    virtual void let_go() = 0;

  protected:
    ~PageSource() = default;
};

// A page that is closed whatever happens while it is open.
class OpenPage {
  public:
    OpenPage(PageSource &pages, std::uint32_t block) : pages_(pages), view_(pages.open(block)) {}
    ~OpenPage() { pages_.close(); }
    OpenPage(const OpenPage &) = delete;
    OpenPage &operator=(const OpenPage &) = delete;

    const PageView &operator*() const { return view_; }
    const PageView *operator->() const { return &view_; }

  private:
    PageSource &pages_;
    PageView view_;
};

// The data of a page from `address` on. Throws codec::Corrupt if there are none.
inline Bytes part_at(const PageView &page, Address address) {
    if (address.offset < page_start || address.offset >= page.bytes.size())
        throw codec::Corrupt("an address beyond its page's data");
    return page.bytes.subspan(address.offset);
}

} // namespace memory::segment
