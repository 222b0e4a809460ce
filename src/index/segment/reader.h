// Reads a segment. Everything throws codec::Corrupt when the bytes are not what a writer wrote.
#pragma once

#include "index/codec/dictionary.h"
#include "index/codec/lengths.h"
#include "index/codec/posting_block.h"
#include "index/codec/rows.h"
#include "index/segment/writer.h"

#include <optional>

namespace memory::segment {

// The postings of a term, block by block. Starts before the first block.
class PostingList {
  public:
    // `pages` and `memory` must outlive it.
    PostingList(PageSource &pages, std::pmr::memory_resource *memory)
        : pages_(&pages), copies_(memory) {}

    // The list of the term that a cursor stands at, in a segment of `documents`. The cursor is
    // not needed afterwards.
    void open(const codec::DictionaryCursor &term, std::uint32_t documents);

    // All in all; 0 before it was opened.
    std::uint32_t size() const { return size_; }

    void rewind();
    // To the next block; false behind the last.
    bool next();
    // To the first block, from the one it stands at on, whose last ordinal is not below
    // `ordinal`; false if there is none. Blocks passed over are not decoded.
    bool seek(std::uint32_t ordinal);
    // What it stands at, until it moves.
    const codec::PostingBuffer &block() const { return block_; }

    // Whether the postings are in one block, which next() gives; else they are in blocks that
    // can be gone through without decoding them.
    bool is_short() const { return size_ < codec::block_postings; }
    // Calls `take(PostingBlock, Address)` for every block of a long list.
    template <class Take>
    void each_block(Take &&take);
    // Stands at the block at `address`, which each_block() has given, from then on until one of
    // the other functions moves it: of them, only rewind() is to be called next. Gives the block,
    // for as long as it stands there.
    codec::PostingBlock load(Address address);

    // How many of `ordinals`, which ascend, are in the list. Leaves it rewound.
    std::uint32_t count(std::span<const std::uint32_t> ordinals);

  private:
    struct PageCopy {
        explicit PageCopy(std::pmr::memory_resource *memory) : bytes(memory) {}
        Address from;
        std::uint32_t next = no_page;
        codec::ByteCopy bytes;
    };

    codec::PostingBlock take_block();
    Bytes data_at(Address address);

    PageSource *pages_;
    std::uint32_t documents_ = 0;
    std::uint32_t size_ = 0;
    Address address_;                   // of a long list
    std::pmr::vector<PageCopy> copies_; // the last pages_in_hand that were read
    std::size_t oldest_copy_ = 0;
    Bytes rest_; // of the page in hand
    std::uint32_t next_page_ = no_page;
    std::uint32_t taken_ = 0; // postings up to the end of the block it stands at
    codec::PostingBuffer block_;
};

// A segment, of which as much is read as is asked for. Only alive bits ever change; those of the
// 1,024 documents asked about last stay as they were then.
class Segment {
  public:
    Segment(PageSource &pages, const Root &root, std::pmr::memory_resource *memory);
    Segment(const Segment &) = delete;
    Segment &operator=(const Segment &) = delete;

    std::uint32_t documents() const { return catalogue_.documents(); }
    // Throws codec::Corrupt if there are not as many as the root page of its tenant says.
    void expect(std::uint32_t documents) const;
    const Catalogue &catalogue() const { return catalogue_; }

    // Opens the list of a term; false, and the list as it was, if no document has it.
    bool find(std::string_view term, PostingList &list);

    // `ordinal` is below documents().
    std::uint32_t length(std::uint32_t ordinal) {
        return lengths(ordinal / documents_per_lengths)[ordinal % documents_per_lengths];
    }
    // The same, read where it is, on a page that the source keeps until let_go(). Only for the
    // sole reader of that source.
    std::uint32_t kept_length(std::uint32_t ordinal) {
        const std::size_t part = ordinal / documents_per_lengths;
        const KeptLengths &kept = kept_[part % kept_.size()];
        if (kept.part != part)
            keep_lengths(part);
        return (*kept.table)[ordinal % documents_per_lengths];
    }
    void let_go();

    bool alive(std::uint32_t ordinal) {
        return lengths(ordinal / documents_per_lengths).alive(ordinal % documents_per_lengths);
    }
    // Those of 128 documents are decoded together and stay at hand.
    codec::Row row(std::uint32_t ordinal);
    // The same, and only it is decoded if its neighbours are not likely to be asked for.
    codec::Row single_row(std::uint32_t ordinal);

    // Appends the ordinals of the rows that are in it, of `tids` that ascend strictly. Pages are
    // read in their order.
    void append_ordinals(std::span<const codec::Tid> tids,
                         std::pmr::vector<std::uint32_t> &ordinals);

    // The documents that are not alive, ascending.
    void append_dead(std::pmr::vector<std::uint32_t> &ordinals);

    // How many documents the part of a table has.
    std::uint32_t in_part(std::size_t part, std::uint32_t documents_per_part) const;

  private:
    friend class TermWalk;

    // A table that was copied.
    struct LoadedLengths {
        explicit LoadedLengths(std::pmr::memory_resource *memory) : bytes(memory) {}
        std::size_t part = SIZE_MAX;
        codec::ByteCopy bytes;
        std::optional<codec::Lengths> table;
    };

    // Tables that are read where they are, and the pages that the source keeps for that.
    struct KeptLengths {
        std::size_t part = SIZE_MAX;
        std::size_t place = 0; // of its page
        std::optional<codec::Lengths> table;
    };
    struct KeptPages {
        std::array<std::uint32_t, kept_pages> blocks; // no_page: none
        std::array<PageView, kept_pages> views;
        std::size_t next = 0; // the place that is used next
        KeptPages() { blocks.fill(no_page); }
    };

    static codec::ByteCopy read_catalogue(PageSource &pages, const Root &root,
                                          std::pmr::memory_resource *memory);
    const codec::Lengths &lengths(std::size_t part) {
        if (loaded_.part != part)
            load_lengths(part);
        return *loaded_.table;
    }
    template <class Read>
    auto read_rows(std::uint32_t ordinal, Read &&read);
    std::uint32_t first_not_below(const codec::Tid &tid, std::uint32_t from);
    void load_lengths(std::size_t part);
    void keep_lengths(std::size_t part);
    codec::Lengths lengths_on(const PageView &page, std::size_t part) const;

    PageSource &pages_;
    codec::ByteCopy catalogue_bytes_;
    Catalogue catalogue_;
    LoadedLengths loaded_;
    std::array<KeptLengths, 8> kept_; // by part modulo their number
    KeptPages kept_pages_;
    codec::RowGroup group_;
    std::uint32_t group_number_ = UINT32_MAX;
};

template <class Take>
void PostingList::each_block(Take &&take) {
    std::uint32_t seen = 0;
    for (Address address = address_; seen < size_; address = {next_page_, page_start}) {
        for (Bytes rest = data_at(address); seen < size_ && !rest.empty();) {
            const codec::PostingBlock block(rest, documents_);
            seen += block.postings();
            take(block, address);
            rest = rest.subspan(block.size());
            address.offset = static_cast<std::uint16_t>(address.offset + block.size());
        }
    }
    if (seen > size_)
        throw codec::Corrupt("a posting list that is longer than it says");
}

// Goes through all terms of a segment. Starts before the first.
class TermWalk {
  public:
    // The segment and `memory` must outlive it.
    TermWalk(Segment &segment, std::pmr::memory_resource *memory)
        : segment_(segment), bytes_(memory), list_(segment.pages_, memory) {}

    void rewind();
    bool next();
    // To the first term that is not below `term`; false if there is none.
    bool seek(std::string_view term);
    // The same of those behind the one at which it stands, if it stands at one.
    bool advance(std::string_view term);
    std::string_view term() const { return cursor_->term(); }
    // How many postings the term has.
    std::uint32_t size() const { return cursor_->postings(); }
    // They themselves, until it moves.
    PostingList &list();

  private:
    void load(std::size_t dictionary);

    Segment &segment_;
    codec::ByteCopy bytes_; // of the dictionary in hand
    std::optional<codec::Dictionary> dictionary_;
    std::optional<codec::DictionaryCursor> cursor_;
    std::size_t next_dictionary_ = 0;
    PostingList list_;
};

} // namespace memory::segment
