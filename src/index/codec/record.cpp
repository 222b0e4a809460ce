// Writes and reads front-coded entries, and matches sorted targets against them without putting a
// term together.
#include "index/codec/record.h"

#include <algorithm>
#include <cassert>

namespace memory::codec {

namespace {

constexpr std::uint16_t dead_bit = 0x8000;
constexpr std::uint32_t most_shared = 7;  // what the entry's first byte holds, or says is more
constexpr std::uint32_t most_suffix = 15; // likewise, less one

// An entry whose first byte says all but the suffix: a count of 1, and nothing overflows.
bool is_short(std::uint8_t byte) {
    return byte < most_shared << 4 && (byte & most_suffix) != most_suffix;
}

// An entry without its suffix and count.
struct Entry {
    std::uint32_t shared;
    std::uint32_t suffix; // bytes, >= 1
    bool repeated;        // a count follows the suffix
};

Entry read_entry(ByteReader &reader) {
    const auto byte = reader.fixed<std::uint8_t>();
    Entry entry{.shared = (byte >> 4) & most_shared,
                .suffix = byte & most_suffix,
                .repeated = byte >= 0x80};
    if (entry.shared == most_shared)
        entry.shared += std::min<std::uint32_t>(reader.varint(), max_term_bytes);
    if (entry.suffix == most_suffix)
        entry.suffix += std::min<std::uint32_t>(reader.varint(), max_term_bytes);
    ++entry.suffix;
    return entry;
}

std::uint32_t read_count(ByteReader &reader, const Entry &entry) {
    if (!entry.repeated)
        return 1;
    const std::uint32_t more = reader.varint();
    if (more > UINT32_MAX - 2)
        throw Corrupt("a term count of more than 32 bits");
    return more + 2;
}

void write_entry(ByteWriter &writer, std::string_view before, const TermCount &term) {
    const auto shared = static_cast<std::uint32_t>(common_prefix(before, term.term));
    const auto suffix = static_cast<std::uint32_t>(term.term.size()) - shared - 1;
    writer.fixed(static_cast<std::uint8_t>((term.count > 1 ? 0x80U : 0U) |
                                           (std::min(shared, most_shared) << 4) |
                                           std::min(suffix, most_suffix)));
    if (shared >= most_shared)
        writer.varint(shared - most_shared);
    if (suffix >= most_suffix)
        writer.varint(suffix - most_suffix);
    writer.bytes(as_bytes(term.term.substr(shared)));
    if (term.count > 1)
        writer.varint(term.count - 2);
}

std::size_t entry_size(std::string_view before, const TermCount &term) {
    const auto shared = static_cast<std::uint32_t>(common_prefix(before, term.term));
    const auto suffix = static_cast<std::uint32_t>(term.term.size()) - shared;
    return 1 + (shared >= most_shared ? varint_size(shared - most_shared) : 0) +
           (suffix > most_suffix ? varint_size(suffix - most_suffix - 1) : 0) + suffix +
           (term.count > 1 ? varint_size(term.count - 2) : 0);
}

// Follows the targets of a query through the entries of a record, none of which is put together:
// what an entry shares with the one before it says where it stands (docs/codecs.md).
class Matcher {
  public:
    explicit Matcher(std::span<const TermSet::Target> targets) : targets_(targets) { settle(0); }

    bool done() const { return current_ == targets_.size(); }

    // Whether an entry is below the target already by what it shares with the one before it, or by
    // the first byte in which it differs. Nearly all are, and then there is nothing to do.
    bool passes_by(std::uint32_t shared, std::uint8_t first) const {
        return shared > common_ || (shared == common_ && first < next_byte_);
    }

    // The target being looked for. Not done.
    std::uint32_t current() const { return static_cast<std::uint32_t>(current_); }

    // Leaves the targets below the entry behind; whether the entry is the one then looked for.
    bool meet(std::uint32_t shared, std::string_view suffix) {
        if (shared > common_)
            return false;
        bool open = shared == common_; // else the entry exceeds the target at byte `shared`
        std::size_t same = shared;
        for (;;) {
            if (open) {
                const std::string_view wanted = targets_[current_].term.substr(same);
                const std::string_view given = suffix.substr(same - shared);
                const std::size_t more = common_prefix(wanted, given);
                same += more;
                const bool ends = more == given.size();
                if (ends || (more < wanted.size() && below(given[more], wanted[more]))) {
                    settle(same);
                    return ends && more == wanted.size();
                }
            }
            const std::size_t next_shares = targets_[current_].shared_with_next;
            if (++current_ == targets_.size())
                return false;
            if (next_shares < same) {
                settle(next_shares);
                return false;
            }
            open = next_shares == same;
        }
    }

    // On to the next target after one was met.
    void pass() {
        const std::size_t shared = targets_[current_++].shared_with_next;
        settle(shared);
    }

  private:
    void settle(std::size_t common) {
        common_ = common;
        if (!done()) {
            const std::string_view target = targets_[current_].term;
            next_byte_ = common < target.size() ? static_cast<std::uint8_t>(target[common]) : 0;
        }
    }

    static bool below(char a, char b) {
        return static_cast<unsigned char>(a) < static_cast<unsigned char>(b);
    }

    std::span<const TermSet::Target> targets_;
    std::size_t current_ = 0;
    std::size_t common_ = 0; // bytes that the target shares with the last entry, which is below it
    std::uint8_t next_byte_ = 0; // of the target behind those; 0 if there is none
};

} // namespace

std::size_t append_record(ByteBuffer &buffer, const Document &document,
                          std::span<const TermCount> terms, bool continued, std::size_t limit) {
    assert(limit <= max_record_bytes && document.tid.offset > 0 && document.length < 1U << 31);
    const std::uint32_t length = document.length * 2 + (continued ? 1 : 0);
    const std::size_t head = 6 + varint_size(document.tid.block) +
                             varint_size(document.tid.offset) + varint_size(length);
    std::size_t size = head;
    std::uint32_t taken = 0;
    for (std::string_view before; taken < terms.size(); before = terms[taken++].term) {
        const std::size_t grown = size + entry_size(before, terms[taken]);
        if (grown + varint_size(taken + 1) > limit)
            break;
        size = grown;
    }
    assert(taken > 0 || terms.empty());

    ByteWriter writer(buffer);
    writer.fixed(static_cast<std::uint16_t>(size + varint_size(taken)));
    writer.fixed(document.fingerprint);
    writer.varint(document.tid.block);
    writer.varint(document.tid.offset);
    writer.varint(length);
    writer.varint(taken);
    std::string_view before;
    for (const TermCount &term : terms.first(taken)) {
        write_entry(writer, before, term);
        before = term.term;
    }
    return taken;
}

std::optional<Record> RecordReader::next() {
    if (at_ == records_.size())
        return std::nullopt;
    const Bytes rest = records_.subspan(at_);
    const auto size_and_mark = ByteReader(rest).fixed<std::uint16_t>();
    const std::size_t size = size_and_mark & max_record_bytes;
    if (size < sizeof size_and_mark || size > rest.size())
        throw Corrupt("a record of impossible size");
    ByteReader reader(rest.first(size));
    reader.skip(sizeof size_and_mark);
    Record record{};
    record.position = at_;
    record.dead = (size_and_mark & dead_bit) != 0;
    record.document.fingerprint = reader.fixed<std::uint32_t>();
    record.document.tid.block = reader.varint();
    const std::uint32_t offset = reader.varint();
    if (record.document.tid.block == no_block || offset == 0 || offset > UINT16_MAX)
        throw Corrupt("a record with an impossible tid");
    record.document.tid.offset = static_cast<std::uint16_t>(offset);
    const std::uint32_t length = reader.varint();
    record.document.length = length / 2;
    record.continued = length % 2 != 0;
    record.terms = reader.varint();
    record.entries = reader.rest();
    at_ += size;
    return record;
}

void mark_dead(std::uint8_t *record) {
    store(record, static_cast<std::uint16_t>(load<std::uint16_t>(record) | dead_bit));
}

std::optional<TermCount> RecordTerms::next() {
    if (left_ == 0)
        return std::nullopt;
    --left_;
    const Entry entry = read_entry(reader_);
    if (entry.shared > size_ || entry.shared + entry.suffix > max_term_bytes)
        throw Corrupt("a term of impossible size");
    const Bytes suffix = reader_.bytes(entry.suffix);
    std::copy(suffix.begin(), suffix.end(), term_.begin() + entry.shared);
    size_ = entry.shared + entry.suffix;
    return TermCount{.term = {term_.data(), size_}, .count = read_count(reader_, entry)};
}

std::size_t match(const Record &record, const TermSet &terms, std::span<Match> matches) {
    const Bytes entries = record.entries;
    Matcher matcher(terms.targets());
    std::size_t at = 0;
    std::size_t found = 0;
    for (std::uint32_t left = record.terms; left > 0 && !matcher.done(); --left) {
        const std::uint8_t byte = at < entries.size() ? entries[at] : UINT8_MAX;
        const std::size_t next = at + 2 + (byte & most_suffix);
        if (is_short(byte) && next <= entries.size() &&
            matcher.passes_by(byte >> 4, entries[at + 1])) {
            at = next;
            continue;
        }
        ByteReader reader(entries.subspan(at));
        const Entry entry = read_entry(reader);
        const Bytes suffix = reader.bytes(entry.suffix);
        const std::uint32_t count = read_count(reader, entry);
        at = entries.size() - reader.remaining();
        if (matcher.meet(entry.shared, as_text(suffix))) {
            matches[found++] = {.target = matcher.current(), .count = count};
            matcher.pass();
        }
    }
    return found;
}

} // namespace memory::codec
