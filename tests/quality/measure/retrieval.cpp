#include "retrieval.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace quality {

namespace {

constexpr std::size_t cutoff = 10;

double discount(std::size_t rank) { return 1 / std::log2(static_cast<double>(rank) + 2); }

Set read_set(const std::string &directory, const std::string &name, const std::string &lang = {}) {
    Set set{name, lang, {}, {}};
    const auto wanted = [&](const Line &line) { return lang.empty() || line.lang == lang; };
    read_lines(directory + "/" + name + ".docs.jsonl.gz", [&](const Line &line) {
        if (wanted(line))
            set.documents.push_back(line);
    });
    read_lines(directory + "/" + name + ".queries.jsonl.gz", [&](const Line &line) {
        if (wanted(line) && !line.evidence.empty())
            set.queries.push_back(line);
    });
    return set;
}

void judge(const Set &set, const Line &query, const std::vector<Engine::Hit> &hits, Quality &sum) {
    const std::unordered_set<std::string> evidence(query.evidence.begin(), query.evidence.end());
    double found = 0;
    double gain = 0;
    double ideal = 0;
    for (std::size_t rank = 0; rank < hits.size(); ++rank)
        if (evidence.contains(set.documents[hits[rank].key].id)) {
            found += 1;
            gain += discount(rank);
        }
    for (std::size_t rank = 0; rank < std::min(cutoff, evidence.size()); ++rank)
        ideal += discount(rank);
    sum.recall += found / static_cast<double>(evidence.size());
    sum.ndcg += gain / ideal;
}

} // namespace

std::vector<Set> read_sets(const std::string &directory) {
    std::vector<Set> sets;
    for (const char *lang :
         {"ar", "de", "el", "en", "es", "hi", "ro", "ru", "th", "tr", "vi", "zh"})
        sets.push_back(read_set(directory, "xquad", lang));
    for (const char *name : {"cmrc2018_zh", "jsquad_ja", "iapp_th", "arcd_ar", "cranfield", "cacm"})
        sets.push_back(read_set(directory, name));
    return sets;
}

Quality evaluate(const Set &set, memory::text::Analyzer &analyzer, const Variant &variant) {
    Engine engine(analyzer, variant);
    for (const Line &document : set.documents)
        engine.add(document.text);
    Quality quality;
    for (const Line &query : set.queries)
        judge(set, query, engine.search(query.text, cutoff), quality);
    const auto queries = static_cast<double>(set.queries.size());
    return {quality.recall / queries, quality.ndcg / queries, engine.average_length()};
}

} // namespace quality
