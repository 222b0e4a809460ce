// Any bytes are refused or read as records within their bounds; what is written is read back, and
// matching finds exactly the terms that are there.
#include "index/codec/record.h"

#include "fuzz/codec_fuzz.h"

namespace {

using namespace codec_fuzz;

void read_anything(Bytes bytes, const TermSet &terms) {
    std::vector<Match> matches(terms.targets().size());
    try {
        RecordReader reader(bytes);
        while (const auto record = reader.next()) {
            require(record->position < bytes.size(), "a record begins within its bytes");
            require(match(*record, terms, matches) <= matches.size(), "a term matches once");
            RecordTerms all(*record);
            while (const auto term = all.next()) {
                require(!term->term.empty() && term->term.size() <= max_term_bytes &&
                            term->count > 0,
                        "a term has a size and a count within bounds");
            }
        }
    } catch (const Corrupt &) {
    }
}

void write_and_match(FuzzedDataProvider &data) {
    const auto counts = some_terms(data, 100);
    const auto wanted = some_terms(data, 20);
    std::vector<TermCount> terms;
    for (const auto &[term, count] : counts)
        terms.push_back({term, count});
    std::vector<std::string_view> targets;
    for (const auto &[term, count] : wanted)
        targets.push_back(term);
    ByteBuffer buffer = new_buffer();
    const Document document{.tid = {.block = 7, .offset = 1}, .length = 9, .fingerprint = 5};
    require(append_record(buffer, document, terms, false, max_record_bytes) == terms.size(),
            "a hundred terms fit");
    const auto bytes = exact(buffer);
    const auto record = RecordReader(bytes).next();

    RecordTerms read(*record);
    for (const TermCount &term : terms) {
        const auto found = read.next();
        require(found && found->term == term.term && found->count == term.count,
                "a term is read as it was written");
    }
    require(!read.next(), "there are no more terms than were written");

    const TermSet set(targets, std::pmr::get_default_resource());
    std::vector<Match> matches(targets.size());
    matches.resize(match(*record, set, matches));
    std::size_t at = 0;
    for (std::size_t target = 0; target < targets.size(); ++target) {
        const auto found = counts.find(std::string(targets[target]));
        if (found != counts.end()) {
            require(at < matches.size() && matches[at].target == target &&
                        matches[at].count == found->second,
                    "a term that is there matches");
            ++at;
        }
    }
    require(at == matches.size(), "a term that is not there does not match");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *bytes, std::size_t size) {
    const std::string_view terms[] = {"a", "aa", "ab", "b", "c\xFF", "z"};
    read_anything({bytes, size}, TermSet(terms, std::pmr::get_default_resource()));
    FuzzedDataProvider data(bytes, size);
    write_and_match(data);
    return 0;
}
