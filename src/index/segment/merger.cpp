// Arranges the documents of all sources by tid, and merges their sorted terms.
#include "index/segment/merger.h"

#include <algorithm>

namespace memory::segment {

namespace {

constexpr std::uint32_t nowhere = UINT32_MAX;

} // namespace

void Merger::add(Segment &segment) { inputs_.emplace_back(segment, memory_); }

void Merger::arrange(std::span<const codec::Tid> left_out) {
    struct Source {
        StoredDocument document;
        std::uint32_t *place;
    };
    std::pmr::vector<Source> sources(memory_);
    for (Input &input : inputs_) {
        input.places.assign(input.segment->documents(), nowhere);
        for (std::uint32_t ordinal = 0; ordinal < input.places.size(); ++ordinal) {
            if (!input.segment->alive(ordinal))
                continue;
            const codec::Row row = input.segment->row(ordinal);
            if (!std::binary_search(left_out.begin(), left_out.end(), row.tid))
                sources.push_back({{row, input.segment->length(ordinal)}, &input.places[ordinal]});
        }
    }
    const auto by_tid = [](const Source &a, const Source &b) {
        return a.document.row.tid < b.document.row.tid;
    };
    if (!std::is_sorted(sources.begin(), sources.end(), by_tid))
        std::sort(sources.begin(), sources.end(), by_tid);
    documents_.reserve(sources.size());
    for (const Source &source : sources) {
        if (!documents_.empty() && documents_.back().row.tid == source.document.row.tid)
            throw codec::Corrupt("one row in two documents");
        *source.place = static_cast<std::uint32_t>(documents_.size());
        documents_.push_back(source.document);
    }
}

void Merger::rewind() {
    term_ = {};
    for (Input &input : inputs_) {
        input.walk.rewind();
        input.has_term = input.walk.next();
    }
}

bool Merger::next() {
    do {
        const Input *least = nullptr;
        for (const Input &input : inputs_)
            if (input.has_term && (least == nullptr || input.walk.term() < least->walk.term()))
                least = &input;
        if (least == nullptr)
            return false;
        if (least->walk.term() <= term_) // which is empty at first, as no term is
            throw codec::Corrupt("terms out of order");
        least->walk.term().copy(term_bytes_.data(), term_bytes_.size());
        term_ = {term_bytes_.data(), least->walk.term().size()};
        gather_all();
    } while (gathered_.empty()); // of dead documents only
    sort_gathered();
    return true;
}

void Merger::gather_all() {
    gathered_.clear();
    for (Input &input : inputs_) {
        if (input.has_term && input.walk.term() == term_) {
            gather(input);
            input.has_term = input.walk.next();
        }
    }
}

void Merger::sort_gathered() {
    const auto by_ordinal = [](const codec::Posting &a, const codec::Posting &b) {
        return a.ordinal < b.ordinal;
    };
    if (!std::is_sorted(gathered_.begin(), gathered_.end(), by_ordinal))
        std::sort(gathered_.begin(), gathered_.end(), by_ordinal);
    const auto is_one = [](const codec::Posting &a, const codec::Posting &b) {
        return a.ordinal == b.ordinal;
    };
    if (std::adjacent_find(gathered_.begin(), gathered_.end(), is_one) != gathered_.end())
        throw codec::Corrupt("a document twice in one posting list");
}

void Merger::gather(Input &input) {
    PostingList &list = input.walk.list();
    while (list.next()) {
        const codec::PostingBuffer &block = list.block();
        for (std::uint32_t i = 0; i < block.size; ++i) {
            const std::uint32_t place = input.places[block.ordinals[i]];
            if (place != nowhere) {
                if (block.counts[i] == 0)
                    throw codec::Corrupt("a posting that counts nothing");
                gathered_.push_back({place, block.counts[i]});
            }
        }
    }
}

} // namespace memory::segment
