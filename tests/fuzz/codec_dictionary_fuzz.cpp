// Any bytes are refused or read as a dictionary within its bounds; what is written is found again.
#include "index/codec/dictionary.h"

#include "fuzz/codec_fuzz.h"
#include "index/codec/separators.h"

#include <algorithm>

namespace {

using namespace codec_fuzz;

void walk(DictionaryCursor &cursor, std::uint32_t documents) {
    PostingBuffer found;
    do {
        require(!cursor.term().empty() || cursor.postings() > 0, "the cursor stands at an entry");
        require(cursor.postings() <= documents, "a term is in no more documents than there are");
        if (!cursor.is_short()) {
            require(cursor.address() >> address_bits == 0, "an address has its bits");
            continue;
        }
        cursor.read(found);
        for (std::uint32_t i = 0; i < found.size; ++i)
            require(found.ordinals[i] < documents, "a posting is of a document that exists");
    } while (cursor.next());
}

void read_anything(Bytes bytes) {
    try {
        const Separators separators(bytes);
        require(separators.find("term") <= separators.size(), "a place among the separators");
    } catch (const Corrupt &) {
    }
    try {
        const Dictionary dictionary(bytes);
        for (const std::string_view target : {"", "a", "term", "\xFF"}) {
            DictionaryCursor cursor(dictionary);
            if (cursor.seek(target))
                walk(cursor, dictionary.documents());
        }
    } catch (const Corrupt &) {
    }
}

void write_and_find(FuzzedDataProvider &data) {
    const auto documents = data.ConsumeIntegralInRange<std::uint32_t>(block_postings, UINT32_MAX);
    const auto terms = some_terms(data, 200);
    if (terms.empty())
        return;
    SymbolCounts counts{};
    for (const auto &[term, number] : terms)
        count_symbols(term, counts);
    const PrefixEncoder code(counts);
    DictionaryWriter writer(code, documents, UINT16_MAX, std::pmr::get_default_resource());
    const auto posting_of = [&](std::uint32_t number) {
        return Posting{.ordinal = number % documents, .count = number};
    };
    for (const auto &[term, number] : terms) {
        const Posting posting = posting_of(number);
        const bool added =
            number % 5 == 0 ? writer.add(term, std::max(block_postings, number % documents), number)
                            : writer.add(term, std::span(&posting, 1));
        require(added, "two hundred terms fit");
    }
    ByteBuffer buffer = new_buffer();
    writer.finish(buffer);
    const auto bytes = exact(buffer);
    const Dictionary dictionary(bytes);
    require(dictionary.terms() == terms.size(), "a dictionary has the terms that were added");
    DictionaryCursor cursor(dictionary);
    PostingBuffer found;
    for (const auto &[term, number] : terms) {
        require(cursor.find(term), "a term that was added is found");
        if (number % 5 == 0) {
            require(cursor.address() == number, "a long list is where it was said to be");
        } else {
            cursor.read(found);
            require(found.size == 1 &&
                        (Posting{found.ordinals[0], found.counts[0]} == posting_of(number)),
                    "a posting is read as it was written");
        }
        const std::string longer = term + '\0';
        require(longer.size() > longest_term || cursor.find(longer) == terms.contains(longer),
                "what was not added is not found");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *bytes, std::size_t size) {
    read_anything({bytes, size});
    FuzzedDataProvider data(bytes, size);
    write_and_find(data);
    return 0;
}
