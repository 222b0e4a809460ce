// Texts of any bytes, one a line: similarity is symmetric and between 0 and 1, and clusters share
// no text and are near their first.
#include "lifecycle/similar/clusters.h"
#include "lifecycle/similar/similarity.h"

#include <cstddef>
#include <cstdlib>

namespace {

using namespace memory::similar;

void demand(bool holds) {
    if (!holds)
        std::abort();
}

void compare_all(const Texts &texts) {
    for (Number a = 0; a < texts.size(); ++a)
        for (Number b = 0; b <= a; ++b) {
            const double found = similarity(texts, a, b);
            demand(found >= 0 && found <= 1 && found == similarity(texts, b, a));
            demand(a != b || found == (texts.letters(a) > 0 ? 1 : 0));
            demand(found <= most_similarity(texts.letters(a), texts.letters(b)));
            demand(found <= most_similarity(texts, a, b));
        }
}

void check_clusters(const Texts &texts, double threshold) {
    std::pmr::vector<bool> seen(texts.size());
    const auto take = [&](Number text) {
        demand(!seen[text]);
        seen[text] = true;
    };
    for (const Cluster &cluster : clusters_of(texts, threshold, std::pmr::new_delete_resource())) {
        demand(!cluster.others.empty());
        take(cluster.first);
        for (const Member &member : cluster.others) {
            take(member.text);
            demand(cluster.first < member.text && member.similarity >= threshold);
            demand(texts.apart(cluster.first) == texts.apart(member.text));
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char *>(data), size);
    if (rest.empty())
        return 0;
    const double threshold = 0.5 + static_cast<double>(data[0] % 51) / 100;
    Texts texts(std::pmr::new_delete_resource());
    while (!rest.empty() && texts.size() < 40) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        texts.add(rest.substr(0, end), 0);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    compare_all(texts);
    check_clusters(texts, threshold);
    return 0;
}
