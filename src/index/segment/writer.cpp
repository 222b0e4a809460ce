// Writes the parts in the order in which they refer to each other: long lists, tables,
// dictionaries, catalogue.
#include "index/segment/writer.h"

#include "index/codec/dictionary.h"
#include "index/codec/lengths.h"
#include "index/codec/posting_block.h"

#include <algorithm>
#include <cassert>
#include <optional>

namespace memory::segment {

namespace {

class Writer {
  public:
    Writer(std::span<const StoredDocument> documents, TermSource &terms, PartSink &sink,
           std::pmr::memory_resource *memory)
        : documents_(documents), terms_(terms), sink_(sink), memory_(memory), contents_(memory),
          part_(memory), long_lists_(memory), lengths_(memory) {}

    Root run() {
        contents_.documents = static_cast<std::uint32_t>(documents_.size());
        contents_.last_block = documents_.back().row.tid.block;
        for (const StoredDocument &document : documents_)
            lengths_.push_back(document.length);
        write_long_lists();
        write_lengths();
        write_rows();
        if (has_terms_)
            write_dictionaries();
        return write_catalogue();
    }

  private:
    Address put() {
        const Address address = sink_.append(part_);
        part_.clear();
        return address;
    }

    // The first pass: long lists, which the dictionaries will point to, and the symbols to encode.
    void write_long_lists() {
        std::array<std::uint32_t, codec::block_postings> lengths;
        terms_.rewind();
        while (terms_.next()) {
            has_terms_ = true;
            codec::count_symbols(terms_.term(), symbols_);
            std::span<const codec::Posting> rest = terms_.postings();
            if (rest.size() < codec::block_postings)
                continue;
            for (bool first = true; !rest.empty(); first = false) {
                const auto block =
                    rest.first(std::min<std::size_t>(codec::block_postings, rest.size()));
                for (std::size_t i = 0; i < block.size(); ++i)
                    lengths[i] = lengths_[block[i].ordinal];
                codec::append_block(part_, block, std::span(lengths).first(block.size()));
                const Address address = put();
                if (first)
                    long_lists_.push_back(address);
                rest = rest.subspan(block.size());
            }
        }
    }

    void write_lengths() {
        for (std::span<const std::uint32_t> rest = lengths_; !rest.empty();) {
            const auto part = rest.first(std::min<std::size_t>(documents_per_lengths, rest.size()));
            codec::append_lengths(part_, part);
            contents_.lengths.push_back(put());
            rest = rest.subspan(part.size());
        }
    }

    void write_rows() {
        std::pmr::vector<codec::Row> rows(memory_);
        for (auto rest = documents_; !rest.empty();) {
            const auto part = rest.first(std::min<std::size_t>(documents_per_rows, rest.size()));
            rows.clear();
            for (const StoredDocument &document : part)
                rows.push_back(document.row);
            [[maybe_unused]] const std::size_t taken =
                codec::append_rows(part_, rows, sink_.page_bytes());
            assert(taken == rows.size());
            contents_.rows.push_back({put(), part.front().row.tid.block});
            rest = rest.subspan(part.size());
        }
    }

    // Fills the page in hand, if there is something to fill; of a small segment's only page the
    // catalogue wants some.
    std::size_t capacity() const {
        constexpr std::size_t reserved = 256;
        const std::size_t room = sink_.room();
        return room >= codec::least_dictionary_bytes + reserved ? room - reserved
                                                                : sink_.page_bytes() - reserved;
    }

    // The second pass.
    void write_dictionaries() {
        const codec::PrefixEncoder code(symbols_);
        std::optional<codec::DictionaryWriter> dictionary;
        dictionary.emplace(code, contents_.documents, capacity(), memory_);
        std::pmr::string last(memory_);
        auto long_list = long_lists_.begin();
        terms_.rewind();
        while (terms_.next()) {
            const std::span<const codec::Posting> postings = terms_.postings();
            const bool is_long = postings.size() >= codec::block_postings;
            const auto add = [&] {
                return is_long ? dictionary->add(terms_.term(),
                                                 static_cast<std::uint32_t>(postings.size()),
                                                 long_list->packed())
                               : dictionary->add(terms_.term(), postings);
            };
            if (!add()) {
                finish(*dictionary);
                contents_.separators.emplace_back(codec::separator(last, terms_.term()));
                dictionary.emplace(code, contents_.documents, capacity(), memory_);
                [[maybe_unused]] const bool added = add();
                assert(added);
            }
            last = terms_.term();
            long_list += is_long ? 1 : 0;
        }
        finish(*dictionary);
    }

    void finish(codec::DictionaryWriter &dictionary) {
        dictionary.finish(part_);
        contents_.dictionaries.push_back(put());
    }

    Root write_catalogue() {
        ByteBuffer catalogue(memory_);
        append_catalogue(catalogue, contents_);
        Root root{{}, static_cast<std::uint32_t>(catalogue.size())};
        for (Bytes rest = catalogue; !rest.empty();) {
            // A whole page's worth or what is left of one: the next piece begins a page.
            const std::size_t room = sink_.room() > 0 ? sink_.room() : sink_.page_bytes();
            const Bytes piece = rest.first(std::min(room, rest.size()));
            const Address address = sink_.append(piece);
            if (root.catalogue.block == no_page)
                root.catalogue = address;
            rest = rest.subspan(piece.size());
        }
        return root;
    }

    std::span<const StoredDocument> documents_;
    TermSource &terms_;
    PartSink &sink_;
    std::pmr::memory_resource *memory_;
    Contents contents_;
    ByteBuffer part_; // in the making
    std::pmr::vector<Address> long_lists_;
    std::pmr::vector<std::uint32_t> lengths_;
    codec::SymbolCounts symbols_{};
    bool has_terms_ = false;
};

} // namespace

Root write_segment(std::span<const StoredDocument> documents, TermSource &terms, PartSink &sink,
                   std::pmr::memory_resource *memory) {
    assert(!documents.empty() && documents.size() <= most_documents);
    return Writer(documents, terms, sink, memory).run();
}

} // namespace memory::segment
