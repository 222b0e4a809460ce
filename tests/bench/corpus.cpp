// Prints the benchmark's corpus for COPY: `corpus documents 1000000 2000` gives lines of id, tenant
// and text; `corpus queries 1000000 2000` gives 2,500 lines of tenant and query. A fourth number is
// how many words the texts have on average, 29 without it.
#include "bench/zipf_corpus.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr double usual_words = 29;

void print(const std::vector<std::uint32_t> &words) {
    std::string text;
    for (const std::uint32_t word : words) {
        text += text.empty() ? "" : " ";
        text += bench::ZipfCorpus::spell(word);
    }
    std::puts(text.c_str());
}

} // namespace

int main(int arguments, char **argument) {
    if (arguments != 4 && arguments != 5) {
        std::fprintf(stderr,
                     "usage: corpus documents|queries NUMBER-OF-DOCUMENTS TENANTS [WORDS]\n");
        return 2;
    }
    const bool queries = std::strcmp(argument[1], "queries") == 0;
    const auto documents = static_cast<std::uint32_t>(std::atol(argument[2]));
    const double times = arguments == 5 ? std::atof(argument[4]) / usual_words : 1;
    bench::ZipfCorpus corpus(static_cast<std::uint32_t>(std::atol(argument[3])), 7, times);
    bench::Random chosen(11);
    for (std::uint32_t id = 1; id <= documents; ++id) {
        const bench::Document document = corpus.next();
        if (queries && chosen.uniform() * documents < 2500) {
            std::printf("%u\t", document.tenant + 1);
            print(bench::ZipfCorpus::query(document, chosen));
        } else if (!queries) {
            std::printf("%u\t%u\t", id, document.tenant + 1);
            print(document.words);
        }
    }
    return 0;
}
