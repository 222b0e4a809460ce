// What the index's codecs cost on the benchmark's corpus: bytes a document, and nanoseconds of CPU
// time, each the best of several rounds. Prints the tables of docs/codecs.md.
#include "bench/zipf_corpus.h"
#include "index/codec/dictionary.h"
#include "index/codec/lengths.h"
#include "index/codec/posting_block.h"
#include "index/codec/record.h"
#include "index/codec/rows.h"
#include "index/codec/separators.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <map>

namespace {

using namespace memory::codec;

constexpr std::size_t page_bytes = 8192 - 24 - 16; // without header and special space
constexpr std::uint32_t rows_in_a_block = 25;

struct Text {
    Tid tid;
    std::uint32_t length;
    std::map<std::string, std::uint32_t> counts;
};

using Texts = std::vector<Text>;

std::vector<Texts> tenants(std::uint32_t documents, std::uint32_t count) {
    std::vector<Texts> tenants(count);
    bench::ZipfCorpus corpus(count, 7);
    for (std::uint32_t row = 0; row < documents; ++row) {
        const bench::Document document = corpus.next();
        Text text{.tid = {.block = row / rows_in_a_block,
                          .offset = static_cast<std::uint16_t>(1 + row % rows_in_a_block)},
                  .length = static_cast<std::uint32_t>(document.words.size()),
                  .counts = {}};
        for (const std::uint32_t word : document.words)
            ++text.counts[bench::ZipfCorpus::spell(word)];
        tenants[document.tenant].push_back(std::move(text));
    }
    return tenants;
}

ByteBuffer new_buffer() { return ByteBuffer(std::pmr::get_default_resource()); }

double best_nanoseconds(std::size_t operations, const std::function<void()> &body) {
    double best = 1e300;
    for (int round = 0; round < 7; ++round) {
        const std::clock_t start = std::clock();
        body();
        const auto clocks = static_cast<double>(std::clock() - start);
        best = std::min(best, clocks / CLOCKS_PER_SEC * 1e9 / static_cast<double>(operations));
    }
    return best;
}

// --- the log --------------------------------------------------------------------------------

ByteBuffer log_of(std::span<const Text> texts) {
    ByteBuffer log = new_buffer();
    for (const Text &text : texts) {
        std::vector<TermCount> terms;
        for (const auto &[term, count] : text.counts)
            terms.push_back({term, count});
        append_record(log, {.tid = text.tid, .length = text.length, .fingerprint = 0}, terms, false,
                      max_record_bytes);
    }
    return log;
}

// --- segments -------------------------------------------------------------------------------

struct Segment {
    std::vector<ByteBuffer> dictionaries;
    ByteBuffer separators = new_buffer();
    ByteBuffer blocks = new_buffer();
    ByteBuffer lengths = new_buffer();
    ByteBuffer rows = new_buffer();

    std::size_t dictionary_bytes() const {
        std::size_t bytes = separators.size();
        for (const ByteBuffer &dictionary : dictionaries)
            bytes += dictionary.size();
        return bytes;
    }
    std::size_t bytes() const {
        return dictionary_bytes() + blocks.size() + lengths.size() + rows.size();
    }
};

using Lists = std::map<std::string, std::vector<Posting>>;

Lists invert(std::span<const Text> texts) {
    Lists lists;
    for (std::uint32_t ordinal = 0; ordinal < texts.size(); ++ordinal)
        for (const auto &[term, count] : texts[ordinal].counts)
            lists[term].push_back({ordinal, count});
    return lists;
}

std::uint64_t append_blocks(ByteBuffer &buffer, std::span<const Posting> postings,
                            std::span<const Text> texts) {
    const std::uint64_t address = buffer.size();
    for (; !postings.empty();
         postings = postings.subspan(std::min<std::size_t>(block_postings, postings.size()))) {
        const auto block = postings.first(std::min<std::size_t>(block_postings, postings.size()));
        std::vector<std::uint32_t> lengths;
        for (const Posting &posting : block)
            lengths.push_back(texts[posting.ordinal].length);
        append_block(buffer, block, lengths);
    }
    return address;
}

void write_dictionaries(Segment &segment, const Lists &lists, std::span<const Text> texts) {
    SymbolCounts symbols{};
    for (const auto &[term, postings] : lists)
        count_symbols(term, symbols);
    const PrefixEncoder code(symbols);
    DictionaryWriter writer(code, static_cast<std::uint32_t>(texts.size()), page_bytes,
                            std::pmr::get_default_resource());
    std::vector<std::string> separators;
    std::string last;
    for (const auto &[term, postings] : lists) {
        const bool is_long = postings.size() >= block_postings;
        const std::uint64_t address = is_long ? append_blocks(segment.blocks, postings, texts) : 0;
        const auto count = static_cast<std::uint32_t>(postings.size());
        while (!(is_long ? writer.add(term, count, address) : writer.add(term, postings))) {
            writer.finish(segment.dictionaries.emplace_back(new_buffer()));
            separators.emplace_back(separator(last, term));
        }
        last = term;
    }
    writer.finish(segment.dictionaries.emplace_back(new_buffer()));
    const std::vector<std::string_view> views(separators.begin(), separators.end());
    append_separators(segment.separators, views);
}

void write_tables(Segment &segment, std::span<const Text> texts) {
    std::vector<Row> rows;
    std::vector<std::uint32_t> lengths;
    for (const Text &text : texts) {
        rows.push_back({text.tid, 0});
        lengths.push_back(text.length);
    }
    for (std::span<const Row> rest = rows; !rest.empty();)
        rest = rest.subspan(append_rows(segment.rows, rest, page_bytes));
    for (std::span<const std::uint32_t> rest = lengths; !rest.empty();) {
        const auto part = rest.first(std::min<std::size_t>(7000, rest.size()));
        append_lengths(segment.lengths, part);
        rest = rest.subspan(part.size());
    }
}

Segment seal(std::span<const Text> texts) {
    Segment segment;
    write_dictionaries(segment, invert(texts), texts);
    write_tables(segment, texts);
    return segment;
}

// --- sizes ----------------------------------------------------------------------------------

struct Sizes {
    double documents = 0, dictionary = 0, blocks = 0, lengths = 0, rows = 0, pages = 0;

    void add(const Segment &segment, std::size_t texts) {
        documents += static_cast<double>(texts);
        dictionary += static_cast<double>(segment.dictionary_bytes());
        blocks += static_cast<double>(segment.blocks.size());
        lengths += static_cast<double>(segment.lengths.size());
        rows += static_cast<double>(segment.rows.size());
        pages += static_cast<double>((segment.bytes() + page_bytes - 1) / page_bytes);
    }

    void print(const char *name) const {
        const auto each = [this](double bytes) { return bytes / documents; };
        std::printf("| %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n", name,
                    each(dictionary + blocks + lengths + rows), each(dictionary), each(blocks),
                    each(lengths), each(rows), each(pages * 8192));
    }
};

void print_sizes(const std::vector<Texts> &tenants) {
    std::printf("| bytes a document | all | dictionary | blocks | lengths | rows | on whole pages "
                "|\n|---|---|---|---|---|---|---|\n");
    double log_bytes = 0;
    Sizes whole;
    for (const Texts &texts : tenants) {
        log_bytes += static_cast<double>(log_of(texts).size());
        if (!texts.empty())
            whole.add(seal(texts), texts.size());
    }
    std::printf("| log | %.1f | | | | | |\n", log_bytes / whole.documents);
    for (const std::size_t size : {50U, 110U, 256U, 1000U, 4000U, 16000U}) {
        Sizes sizes;
        for (const Texts &texts : tenants)
            for (std::size_t at = 0; at + size <= texts.size(); at += size)
                sizes.add(seal(std::span(texts).subspan(at, size)), size);
        if (sizes.documents > 0)
            sizes.print(("segments of " + std::to_string(size)).c_str());
    }
    whole.print("one segment a tenant");
}

// --- times ----------------------------------------------------------------------------------

std::vector<std::vector<std::string>> queries(std::span<const Text> texts, std::size_t terms) {
    bench::Random random(3);
    std::vector<std::vector<std::string>> queries(50);
    for (auto &query : queries) {
        while (query.size() < terms) {
            const Text &text = texts[random.below(static_cast<std::uint32_t>(texts.size()))];
            const auto step = random.below(static_cast<std::uint32_t>(text.counts.size()));
            query.push_back(std::next(text.counts.begin(), step)->first);
        }
        std::sort(query.begin(), query.end());
        query.erase(std::unique(query.begin(), query.end()), query.end());
    }
    return queries;
}

void time_matching(std::span<const Text> texts) {
    const ByteBuffer log = log_of(texts);
    for (const std::size_t terms : {1U, 3U, 6U}) {
        const auto asked = queries(texts, terms);
        const double time = best_nanoseconds(asked.size() * texts.size(), [&] {
            for (const auto &query : asked) {
                const std::vector<std::string_view> views(query.begin(), query.end());
                const TermSet set(views, std::pmr::get_default_resource());
                std::vector<Match> matches(views.size());
                RecordReader reader(log);
                while (const auto record = reader.next())
                    match(*record, set, matches);
            }
        });
        std::printf("match %zu terms against a record: %.0f ns\n", terms, time);
    }
}

void time_finding(std::span<const Text> texts) {
    const Segment segment = seal(texts);
    const auto asked = queries(texts, 6);
    std::size_t terms = 0;
    for (const auto &query : asked)
        terms += query.size();
    const double time = best_nanoseconds(100 * terms, [&] {
        PostingBuffer postings;
        for (int round = 0; round < 100; ++round) {
            for (const auto &query : asked) {
                for (const std::string &term : query) {
                    const std::size_t page = Separators(segment.separators).find(term);
                    const Dictionary dictionary(segment.dictionaries[page]);
                    DictionaryCursor cursor(dictionary);
                    if (cursor.find(term) && cursor.is_short())
                        cursor.read(postings);
                }
            }
        }
    });
    std::printf("find a term and read its short list in a segment of %zu (%zu dictionaries): "
                "%.0f ns\n",
                texts.size(), segment.dictionaries.size(), time);
}

void time_decoding(std::span<const Text> texts) {
    const Segment segment = seal(texts);
    std::size_t postings = 0;
    const auto all_blocks = [&] {
        PostingBuffer buffer;
        postings = 0;
        for (Bytes rest = segment.blocks; !rest.empty();) {
            const PostingBlock block(rest, static_cast<std::uint32_t>(texts.size()));
            block.decode(buffer);
            postings += buffer.size;
            rest = rest.subspan(block.size());
        }
    };
    all_blocks();
    const double time = best_nanoseconds(20 * postings, [&] {
        for (int round = 0; round < 20; ++round)
            all_blocks();
    });
    std::printf("decode a posting of a block: %.2f ns, %.2f bytes\n", time,
                static_cast<double>(segment.blocks.size()) / static_cast<double>(postings));
}

} // namespace

int main(int arguments, char **argument) {
    const auto documents =
        static_cast<std::uint32_t>(arguments > 1 ? std::atol(argument[1]) : 100000);
    const std::vector<Texts> all = tenants(documents, std::max(1U, documents / 500));
    print_sizes(all);
    const std::span<const Text> largest = *std::max_element(
        all.begin(), all.end(), [](const Texts &a, const Texts &b) { return a.size() < b.size(); });
    time_matching(largest.first(std::min<std::size_t>(1000, largest.size())));
    for (const std::size_t size : {110U, 1000U, 10000U})
        time_finding(largest.first(std::min(size, largest.size())));
    time_decoding(largest);
    return 0;
}
