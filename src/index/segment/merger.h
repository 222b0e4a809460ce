// Segments into one: the documents that are alive, and their terms.
#pragma once

#include "index/segment/reader.h"

namespace memory::segment {

// Call order: add() for each, arrange() once, then documents(), and the terms by TermSource.
class Merger final : public TermSource {
  public:
    explicit Merger(std::pmr::memory_resource *memory)
        : memory_(memory), inputs_(memory), documents_(memory), gathered_(memory) {}

    // `segment` must outlive the merger.
    void add(Segment &segment);

    // Puts the documents in the order of their tids, but those of `left_out`, which ascend. Throws
    // codec::Corrupt if one is there twice.
    void arrange(std::span<const codec::Tid> left_out = {});
    std::span<const StoredDocument> documents() const { return documents_; }

    void rewind() override;
    bool next() override;
    std::string_view term() const override { return term_; }
    std::span<const codec::Posting> postings() const override { return gathered_; }

  private:
    struct Input {
        Input(Segment &input, std::pmr::memory_resource *memory)
            : segment(&input), walk(input, memory), places(memory) {}

        Segment *segment;
        TermWalk walk;
        bool has_term = false;
        std::pmr::vector<std::uint32_t> places; // of its documents among all; dead: nowhere
    };

    void gather(Input &input);
    void gather_all(); // the postings of term_, from all inputs that stand at it
    void sort_gathered();

    std::pmr::memory_resource *memory_;
    std::pmr::vector<Input> inputs_;
    std::pmr::vector<StoredDocument> documents_;
    std::pmr::vector<codec::Posting> gathered_;
    std::array<char, codec::longest_term> term_bytes_;
    std::string_view term_;
};

} // namespace memory::segment
