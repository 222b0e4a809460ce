// A segment's pages in memory, and documents to put on them.
#pragma once

#include "index/segment/merger.h"

#include <map>
#include <random>
#include <string>

namespace memory::segment {

class MemoryPages final : public PartSink, public PageSource {
  public:
    explicit MemoryPages(std::size_t page_bytes = 8152) : page_bytes_(page_bytes) {}

    std::size_t page_bytes() const override { return page_bytes_; }
    std::size_t room() const override {
        return pages_.empty() ? 0 : page_start + page_bytes_ - pages_.back().size();
    }
    Address append(Bytes part) override {
        if (room() < part.size())
            pages_.emplace_back(page_start);
        const Address address{static_cast<std::uint32_t>(pages_.size() - 1),
                              static_cast<std::uint16_t>(pages_.back().size())};
        pages_.back().insert(pages_.back().end(), part.begin(), part.end());
        return address;
    }

    PageView open(std::uint32_t block) override {
        if (block >= pages_.size())
            throw codec::Corrupt("no such page");
        ++opened_;
        return {pages_[block], block + 1};
    }
    void close() override {}
    PageView keep(std::size_t, std::uint32_t block) override { return open(block); }
    void let_go() override {}

    std::size_t opened() const { return opened_; }
    std::vector<std::vector<std::uint8_t>> &pages() { return pages_; }

  private:
    std::size_t page_bytes_;
    std::vector<std::vector<std::uint8_t>> pages_;
    std::size_t opened_ = 0;
};

struct Text {
    StoredDocument document;
    std::map<std::string, std::uint32_t> counts;
};

// `count` documents of Zipf-like words, in the order of their tids, which lie in every `stride`th
// block from `first` on.
inline std::vector<Text> random_texts(std::mt19937_64 &random, std::uint32_t count,
                                      std::uint32_t words, std::uint32_t first = 0,
                                      std::uint32_t stride = 1) {
    std::vector<Text> texts(count);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t length = static_cast<std::uint32_t>(1 + uniform(random) * 40);
        texts[i].document = {{{first + i / 20 * stride, static_cast<std::uint16_t>(1 + i % 20)},
                              static_cast<std::uint32_t>(random())},
                             length};
        for (std::uint32_t word = 0; word < length; ++word) {
            const double place = uniform(random) * uniform(random) * uniform(random);
            ++texts[i].counts["w" + std::to_string(static_cast<std::uint32_t>(place * words))];
        }
    }
    return texts;
}

inline Root write(const std::vector<Text> &texts, MemoryPages &pages) {
    std::vector<StoredDocument> documents;
    Inverter inverter(std::pmr::get_default_resource());
    for (std::uint32_t ordinal = 0; ordinal < texts.size(); ++ordinal) {
        documents.push_back(texts[ordinal].document);
        for (const auto &[term, count] : texts[ordinal].counts)
            inverter.add(ordinal, term, count);
    }
    inverter.finish();
    return write_segment(documents, inverter, pages, std::pmr::get_default_resource());
}

using Lists = std::map<std::string, std::vector<codec::Posting>>;

inline Lists lists_of(const std::vector<Text> &texts) {
    Lists lists;
    for (std::uint32_t ordinal = 0; ordinal < texts.size(); ++ordinal)
        for (const auto &[term, count] : texts[ordinal].counts)
            lists[term].push_back({ordinal, count});
    return lists;
}

inline std::vector<codec::Posting> read(PostingList &list) {
    std::vector<codec::Posting> postings;
    while (list.next())
        for (std::uint32_t i = 0; i < list.block().size; ++i)
            postings.push_back({list.block().ordinals[i], list.block().counts[i]});
    return postings;
}

} // namespace memory::segment
