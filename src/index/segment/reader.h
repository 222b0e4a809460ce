// Reads a segment. Everything throws codec::Corrupt when the bytes are not what a writer wrote.
#pragma once

#include "index/codec/dictionary.h"
#include "index/codec/lengths.h"
#include "index/codec/posting_block.h"
#include "index/codec/rows.h"
#include "index/segment/writer.h"

#include <optional>

namespace memory::segment {

/// The postings of a term, block by block. Starts before the first block.
class PostingList {
  public:
    /// `pages` and `memory` must outlive it.
    PostingList(PageSource &pages, std::pmr::memory_resource *memory)
        : pages_(&pages), page_(memory) {}

    /// The list of the term that a cursor stands at, in a segment of `documents`. The cursor is
    /// not needed afterwards.
    void open(const codec::DictionaryCursor &term, std::uint32_t documents);

    /// All in all; 0 before it was opened.
    std::uint32_t size() const { return size_; }

    void rewind();
    /// To the next block; false behind the last.
    bool next();
    /// To the first block, from the one it stands at on, whose last ordinal is not below
    /// `ordinal`; false if there is none. Blocks passed over are not decoded.
    bool seek(std::uint32_t ordinal);
    /// What it stands at, until it moves.
    const codec::PostingBuffer &block() const { return block_; }

    /// How many of `ordinals`, which ascend, are in the list. Leaves it rewound.
    std::uint32_t count(std::span<const std::uint32_t> ordinals);

  private:
    bool is_short() const { return size_ < codec::block_postings; }
    codec::PostingBlock take_block();
    void read_page(Address address);

    PageSource *pages_;
    std::uint32_t documents_ = 0;
    std::uint32_t size_ = 0;
    Address address_;    // of a long list
    ByteBuffer page_;    // a copy of the page in hand, from the list on
    std::size_t at_ = 0; // in page_
    std::uint32_t next_page_ = no_page;
    std::uint32_t taken_ = 0; // postings up to the end of the block it stands at
    codec::PostingBuffer block_;
};

/// A segment, of which as much is read as is asked for. Parts that were read stay as they were
/// then; only alive bits ever change.
class Segment {
  public:
    Segment(PageSource &pages, const Root &root, std::pmr::memory_resource *memory);
    Segment(const Segment &) = delete;
    Segment &operator=(const Segment &) = delete;

    std::uint32_t documents() const { return catalogue_.documents(); }
    const Catalogue &catalogue() const { return catalogue_; }

    /// Opens the list of a term; false, and the list as it was, if no document has it.
    bool find(std::string_view term, PostingList &list);

    /// `ordinal` is below documents().
    std::uint32_t length(std::uint32_t ordinal) {
        return lengths(ordinal / documents_per_lengths)[ordinal % documents_per_lengths];
    }
    bool alive(std::uint32_t ordinal) {
        return lengths(ordinal / documents_per_lengths).alive(ordinal % documents_per_lengths);
    }
    codec::Row row(std::uint32_t ordinal);

    /// The documents that are not alive, ascending.
    void append_dead(std::pmr::vector<std::uint32_t> &ordinals);

    /// How many documents the part of a table has.
    std::uint32_t in_part(std::size_t part, std::uint32_t documents_per_part) const;

  private:
    friend class TermWalk;

    struct LoadedLengths {
        explicit LoadedLengths(std::pmr::memory_resource *memory) : bytes(memory) {}
        ByteBuffer bytes;
        std::optional<codec::Lengths> table;
    };

    static ByteBuffer read_catalogue(PageSource &pages, const Root &root,
                                     std::pmr::memory_resource *memory);
    const codec::Lengths &lengths(std::size_t part) {
        if (!lengths_[part].table) {
            load_lengths(part);
        }
        return *lengths_[part].table;
    }
    void load_lengths(std::size_t part);

    PageSource &pages_;
    ByteBuffer catalogue_bytes_;
    Catalogue catalogue_;
    std::pmr::vector<LoadedLengths> lengths_;
    codec::RowGroup group_;
    std::uint32_t group_number_ = UINT32_MAX;
};

/// Goes through all terms of a segment. Starts before the first.
class TermWalk {
  public:
    /// The segment and `memory` must outlive it.
    TermWalk(Segment &segment, std::pmr::memory_resource *memory)
        : segment_(segment), bytes_(memory), list_(segment.pages_, memory) {}

    void rewind();
    bool next();
    /// To the first term that is not below `term`; false if there is none.
    bool seek(std::string_view term);
    std::string_view term() const { return cursor_->term(); }
    /// How many postings the term has.
    std::uint32_t size() const { return cursor_->postings(); }
    /// They themselves, until it moves.
    PostingList &list();

  private:
    void load(std::size_t dictionary);

    Segment &segment_;
    ByteBuffer bytes_; // of the dictionary in hand
    std::optional<codec::Dictionary> dictionary_;
    std::optional<codec::DictionaryCursor> cursor_;
    std::size_t next_dictionary_ = 0;
    PostingList list_;
};

} // namespace memory::segment
