// See document.h.
#include "index/document.h"

namespace memory::index {

namespace {

constexpr char has_text_flag = 1;
constexpr char first_flag = 2;

void put_varint(std::pmr::string &to, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        to.push_back(static_cast<char>(value | 0x80));
    to.push_back(static_cast<char>(value));
}

template <class T>
void put_plain(std::pmr::string &to, const T &value) {
    to.append(reinterpret_cast<const char *>(&value), sizeof value);
}

} // namespace

std::uint64_t text_fingerprint(std::string_view text) noexcept {
    std::uint64_t hash = 0x9e3779b97f4a7c15U ^ text.size();
    const auto mix = [&hash](std::uint64_t word) {
        hash = (hash ^ word) * 0xff51afd7ed558ccdU;
        hash ^= hash >> 32;
    };
    std::size_t at = 0;
    for (std::uint64_t word; at + sizeof word <= text.size(); at += sizeof word) {
        std::memcpy(&word, text.data() + at, sizeof word);
        mix(word);
    }
    std::uint64_t last = 0;
    std::memcpy(&last, text.data() + at, text.size() - at);
    mix(last);
    return hash;
}

std::span<const std::string_view> RecordWriter::write(const ItemPointerData &tid,
                                                      std::optional<std::uint64_t> fingerprint,
                                                      std::uint32_t length,
                                                      std::span<const TermCount> terms) {
    constexpr std::size_t room = longest_record - 64;
    bytes_.clear();
    records_.clear();
    std::pmr::vector<std::size_t> ends(bytes_.get_allocator().resource());
    std::size_t at = 0;
    do {
        const bool first = at == 0;
        std::size_t size = 0;
        std::size_t end = at;
        while (end < terms.size() && size + terms[end].term.size() + 6 <= room)
            size += terms[end++].term.size() + 6;
        bytes_.push_back(
            static_cast<char>((fingerprint ? has_text_flag : 0) | (first ? first_flag : 0)));
        put_plain(bytes_, tid);
        put_plain(bytes_, fingerprint.value_or(0));
        put_varint(bytes_, length);
        put_varint(bytes_, end - at);
        for (; at < end; ++at) {
            bytes_.push_back(static_cast<char>(terms[at].term.size()));
            bytes_ += terms[at].term;
            put_varint(bytes_, terms[at].count);
        }
        ends.push_back(bytes_.size());
    } while (at < terms.size());
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        records_.emplace_back(bytes_.data() + begin, end - begin);
        begin = end;
    }
    return records_;
}

RecordReader::RecordReader(std::string_view bytes) : rest_(bytes) {
    const char flags = take(1)[0];
    head_.has_text = (flags & has_text_flag) != 0;
    head_.first = (flags & first_flag) != 0;
    std::memcpy(&head_.tid, take(sizeof head_.tid).data(), sizeof head_.tid);
    std::memcpy(&head_.fingerprint, take(sizeof head_.fingerprint).data(),
                sizeof head_.fingerprint);
    head_.length = static_cast<std::uint32_t>(varint());
    terms_left_ = varint();
}

bool RecordReader::next(TermCount &term) {
    if (terms_left_ == 0)
        return false;
    --terms_left_;
    term.term = take(static_cast<unsigned char>(take(1)[0]));
    term.count = static_cast<std::uint32_t>(varint());
    return true;
}

std::string_view RecordReader::take(std::size_t size) {
    if (size > rest_.size())
        throw CorruptRecord();
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
}

std::uint64_t RecordReader::varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
        const auto byte = static_cast<unsigned char>(take(1)[0]);
        value |= std::uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80)
            return value;
    }
    throw CorruptRecord();
}

} // namespace memory::index
