// Pages of any bytes are refused or read as a segment within its bounds, and what a damaged segment
// is merged into can be read; nothing is read past a page, and nothing goes on for ever.
#include "index/segment/best.h"
#include "index/segment/merger.h"

#include "fuzz/codec_fuzz.h"
#include "unit/segment_support.h"

namespace {

using namespace memory::segment;
using codec_fuzz::require;
using memory::codec::Corrupt;

std::pmr::memory_resource *memory_of() { return std::pmr::get_default_resource(); }

void read_all(Segment &segment) {
    const std::uint32_t documents = std::min(segment.documents(), 3000U);
    for (std::uint32_t ordinal = 0; ordinal < documents; ++ordinal) {
        segment.alive(ordinal);
        segment.length(ordinal);
        segment.row(ordinal);
    }
    TermWalk walk(segment, memory_of());
    std::size_t terms = 0;
    while (walk.next() && ++terms < 5000) {
        PostingList &list = walk.list();
        while (list.next()) {
            for (std::uint32_t i = 0; i < list.block().size; ++i) {
                require(list.block().ordinals[i] < segment.documents(),
                        "a posting's document is there");
            }
        }
    }
}

void search(Segment &segment, MemoryPages &pages) {
    std::pmr::vector<PostingList> lists;
    for (const char *term : {"w0", "w1", "w2"})
        segment.find(term, lists.emplace_back(pages, memory_of()));
    const std::array<std::uint32_t, 2> wanted{0, 2};
    const std::array conditions{Condition{wanted, nullptr}};
    const std::array<double, 3> weights{1, 2, 3};
    memory::rank::TermScores scores(memory::rank::Bm25({}, {100, 1000}));
    Search search;
    search.lists = lists;
    search.weights = weights;
    search.scores = &scores;
    search.conditions = conditions;
    std::pmr::vector<Found> found;
    find(segment, search, found, memory_of());
    for (const Found &one : found)
        require(one.ordinal < segment.documents(), "a document found is there");
    Best best(10, memory_of());
    find_best(segment, search, 1, best, memory_of());
    for (const auto &one : best.ranked())
        require(one.key.ordinal < segment.documents(), "a document among the best is there");
}

void merge(Segment &segment) {
    if (segment.documents() > 3000)
        return;
    Merger merger(memory_of());
    merger.add(segment);
    merger.arrange();
    if (merger.documents().empty())
        return;
    MemoryPages pages;
    const Root root = write_segment(merger.documents(), merger, pages, memory_of());
    Segment merged(pages, root, memory_of());
    read_all(merged);
}

template <class Body>
void tolerate(Body body) {
    try {
        body();
    } catch (const Corrupt &) {
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *bytes, std::size_t size) {
    FuzzedDataProvider data(bytes, size);
    std::mt19937_64 random(data.ConsumeIntegral<std::uint8_t>());
    MemoryPages pages;
    Root root =
        write(random_texts(random, data.ConsumeIntegralInRange<std::uint32_t>(1, 400), 300), pages);
    while (data.remaining_bytes() > 2) {
        auto &page =
            pages.pages()[data.ConsumeIntegralInRange<std::size_t>(0, pages.pages().size() - 1)];
        const auto at = data.ConsumeIntegralInRange<std::size_t>(0, page.size() - 1);
        page[at] = data.ConsumeIntegral<std::uint8_t>();
        if (data.ConsumeProbability<float>() < 0.02F)
            page.resize(at + 1);
    }
    tolerate([&] {
        Segment segment(pages, root, memory_of());
        tolerate([&] { read_all(segment); });
        tolerate([&] { search(segment, pages); });
        tolerate([&] { merge(segment); });
    });
    return 0;
}
