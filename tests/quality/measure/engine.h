// BM25 by brute force over texts held in memory.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rank/bm25.h"
#include "rank/top_k.h"
#include "text/analyzer.h"
#include "text/terms.h"
#include "variant.h"

namespace quality {

class Engine {
  public:
    using Hit = memory::rank::Scored<std::uint32_t>; // score, document

    explicit Engine(memory::text::Analyzer &analyzer, const Variant &variant = {})
        : analyzer_(analyzer), variant_(variant) {}

    // Documents count from 0.
    void add(std::string_view text) {
        read(text);
        const auto document = static_cast<std::uint32_t>(lengths_.size());
        for (const memory::text::TermCount &term : reading_.terms().document())
            postings_[std::string(term.term)].push_back({document, term.count});
        lengths_.push_back(reading_.length());
        statistics_.documents += 1;
        statistics_.total_length += reading_.length();
    }

    // The best k documents with a score, best first, ties by number.
    std::vector<Hit> search(std::string_view query, std::size_t k) {
        read(query);
        const memory::rank::Bm25 bm25(variant_.parameters, statistics_);
        scores_.assign(lengths_.size(), 0);
        for (const memory::text::TermCount &term : reading_.terms().query())
            score(bm25, term);
        memory::rank::TopK<std::uint32_t> best(k, std::pmr::get_default_resource());
        for (std::uint32_t document = 0; document < scores_.size(); ++document)
            if (scores_[document] > 0)
                best.offer({scores_[document], document});
        const auto ranked = best.ranked();
        return {ranked.begin(), ranked.end()};
    }

    double average_length() const {
        return static_cast<double>(statistics_.total_length) /
               static_cast<double>(statistics_.documents);
    }

  private:
    struct Posting {
        std::uint32_t document;
        std::uint32_t frequency;
    };

    void read(std::string_view text) {
        reading_.clear();
        analyzer_.analyze(text, reading_);
    }

    void score(const memory::rank::Bm25 &bm25, const memory::text::TermCount &term) {
        const auto found = postings_.find(std::string(term.term));
        if (found == postings_.end())
            return;
        const double weight =
            bm25.weight(found->second.size(), variant_.asks_once ? 1 : term.count);
        for (const Posting &posting : found->second)
            scores_[posting.document] +=
                bm25.score(weight, posting.frequency, bm25.norm(lengths_[posting.document]));
    }

    memory::text::Analyzer &analyzer_;
    const Variant variant_;
    Reading reading_{variant_};
    std::unordered_map<std::string, std::vector<Posting>> postings_;
    std::vector<std::uint64_t> lengths_;
    std::vector<double> scores_;
    memory::rank::CorpusStatistics statistics_;
};

} // namespace quality
