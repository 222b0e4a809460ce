// Fingerprints a text, and cuts its terms into records that fit the pages they go to.
#include "index/document.h"

namespace memory::index {

static_assert(codec::max_term_bytes >= text::max_stored_term_bytes);
static_assert(codec::max_record_bytes >= longest_record);

std::uint32_t text_fingerprint(std::string_view contents) noexcept {
    std::uint64_t hash = 0x9e3779b97f4a7c15U ^ contents.size();
    const auto mix = [&hash](std::uint64_t word) {
        hash = (hash ^ word) * 0xff51afd7ed558ccdU;
        hash ^= hash >> 32;
    };
    std::uint64_t word = 0;
    std::size_t at = 0;
    for (; at + sizeof word <= contents.size(); at += sizeof word) {
        std::memcpy(&word, contents.data() + at, sizeof word);
        mix(word);
    }
    word = 0;
    std::memcpy(&word, contents.data() + at, contents.size() - at);
    mix(word);
    const auto fingerprint = static_cast<std::uint32_t>(hash);
    return fingerprint == no_text ? 1 : fingerprint;
}

std::span<const codec::Bytes> RecordWriter::write(const codec::Document &document,
                                                  std::span<const text::TermCount> terms) {
    bytes_.clear();
    ends_.clear();
    records_.clear();
    std::pmr::vector<codec::TermCount> rest(terms.size(), bytes_.get_allocator().resource());
    std::transform(terms.begin(), terms.end(), rest.begin(), [](const text::TermCount &term) {
        return codec::TermCount{term.term, term.count};
    });
    std::span<const codec::TermCount> left(rest);
    do {
        const std::size_t taken =
            codec::append_record(bytes_, document, left, !ends_.empty(), longest_record);
        left = left.subspan(taken);
        ends_.push_back(bytes_.size());
    } while (!left.empty());
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
        records_.push_back(codec::Bytes(bytes_).subspan(begin, end - begin));
        begin = end;
    }
    return records_;
}

codec::Record read_record(codec::Bytes bytes) {
    codec::RecordReader reader(bytes);
    const std::optional<codec::Record> record = reader.next();
    if (!record || reader.next())
        throw codec::Corrupt("not one record");
    return *record;
}

} // namespace memory::index
