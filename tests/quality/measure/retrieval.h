// The labelled sets, and how good the top 10 of BM25 are on them.
#pragma once

#include <string>
#include <vector>

#include "engine.h"
#include "json_lines.h"

namespace quality {

struct Set {
    std::string name;
    std::string lang;
    std::vector<Line> documents;
    std::vector<Line> queries; // those with evidence
};

// Every set of the directory that has labels; XQuAD is one set a language. In the order of the
// table of docs/quality.md.
std::vector<Set> read_sets(const std::string &directory);

struct Quality {
    double recall = 0; // of the evidence in the top 10, averaged over the queries
    double ndcg = 0;   // at 10, binary gain
    double tokens = 0; // average length of a document
};

// Indexes the set with the analyzer and asks every query.
Quality evaluate(const Set &set, memory::text::Analyzer &analyzer, const Variant &variant = {});

} // namespace quality
