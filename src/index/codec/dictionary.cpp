// Writes entries bit by bit, sixteen to a block, and finds a term by binary search over the blocks'
// first terms.
#include "index/codec/dictionary.h"

#include <algorithm>
#include <cassert>

namespace memory::codec {

namespace {

constexpr std::size_t block_terms = 16;
constexpr unsigned shared_parameter = 1; // Rice parameter of the bytes shared with the term before
constexpr std::size_t head_bytes = sizeof(std::uint32_t) + sizeof(std::uint16_t);
constexpr std::size_t start_bytes = sizeof(std::uint16_t);

std::size_t symbol_of(char byte) { return static_cast<unsigned char>(byte); }

} // namespace

void count_symbols(std::string_view term, SymbolCounts &counts) {
    for (const char byte : term)
        ++counts[symbol_of(byte)];
    ++counts[end_mark];
}

DictionaryWriter::DictionaryWriter(const PrefixEncoder &code, std::uint32_t documents,
                                   std::size_t capacity, std::pmr::memory_resource *memory)
    : code_(code), documents_(documents), capacity_(capacity), stored_code_(memory),
      blocks_(memory), bits_(blocks_), starts_(memory) {
    assert(capacity >= least_dictionary_bytes && capacity <= UINT16_MAX);
    ByteWriter writer(stored_code_);
    code.store(writer);
}

bool DictionaryWriter::add(std::string_view term, std::span<const Posting> postings) {
    if (!begin_entry(term, static_cast<std::uint32_t>(postings.size()),
                     short_list_bits(postings, documents_)))
        return false;
    append_short_list(bits_, postings, documents_);
    return true;
}

bool DictionaryWriter::add(std::string_view term, std::uint32_t postings, std::uint64_t address) {
    assert(postings >= block_postings && address >> address_bits == 0);
    if (!begin_entry(term, postings, address_bits))
        return false;
    bits_.fixed(address, address_bits);
    return true;
}

bool DictionaryWriter::begin_entry(std::string_view term, std::uint32_t postings,
                                   std::size_t list_bits) {
    const std::string_view last(last_.data(), last_size_);
    assert(!term.empty() && term.size() <= longest_term && (empty() || last < term));
    const bool opens_block = terms_ % block_terms == 0;
    const std::size_t shared = opens_block ? 0 : common_prefix(last, term);
    const std::string_view suffix = term.substr(shared);
    const auto coded_shared = static_cast<std::uint32_t>(shared);

    const std::size_t position = opens_block ? (bits_.position() + 7) / 8 * 8 : bits_.position();
    const std::size_t entry_bits = (opens_block ? 0 : rice_bits(coded_shared, shared_parameter)) +
                                   term_bits(suffix) + gamma_bits(postings) + list_bits;
    const std::size_t size = head_bytes + stored_code_.size() +
                             start_bytes * (starts_.size() + (opens_block ? 1 : 0)) +
                             (position + entry_bits + 7) / 8;
    if (size > capacity_ || terms_ == UINT16_MAX)
        return false;

    if (opens_block) {
        bits_.finish();
        starts_.push_back(static_cast<std::uint16_t>(blocks_.size()));
    } else {
        bits_.rice(coded_shared, shared_parameter);
    }
    for (const char byte : suffix)
        code_.write(bits_, symbol_of(byte));
    code_.write(bits_, end_mark);
    bits_.gamma(postings);
    std::copy(suffix.begin(), suffix.end(), last_.begin() + shared);
    last_size_ = term.size();
    ++terms_;
    return true;
}

std::size_t DictionaryWriter::term_bits(std::string_view suffix) const {
    std::size_t bits = code_.length(end_mark);
    for (const char byte : suffix) {
        assert(code_.length(symbol_of(byte)) > 0);
        bits += code_.length(symbol_of(byte));
    }
    return bits;
}

void DictionaryWriter::finish(ByteBuffer &buffer) {
    assert(!empty());
    bits_.finish();
    const std::size_t before_blocks =
        head_bytes + stored_code_.size() + start_bytes * starts_.size();
    ByteWriter writer(buffer);
    writer.fixed(documents_);
    writer.fixed(static_cast<std::uint16_t>(terms_));
    writer.bytes(stored_code_);
    for (const std::uint16_t start : starts_)
        writer.fixed(static_cast<std::uint16_t>(before_blocks + start));
    writer.bytes(blocks_);
    blocks_.clear();
    starts_.clear();
    terms_ = 0;
    last_size_ = 0;
}

Dictionary::Dictionary(Bytes bytes, ByteReader &&reader)
    : bytes_(bytes), documents_(reader.fixed<std::uint32_t>()),
      terms_(reader.fixed<std::uint16_t>()), code_(reader),
      starts_(reader.bytes(start_bytes * blocks())) {}

std::size_t Dictionary::blocks() const { return (terms_ + block_terms - 1) / block_terms; }

BitReader Dictionary::block(std::size_t index) const {
    const auto start = load<std::uint16_t>(starts_.data() + start_bytes * index);
    if (start > bytes_.size())
        throw Corrupt("a dictionary block beyond the dictionary");
    return BitReader(bytes_, start);
}

DictionaryCursor::DictionaryCursor(const Dictionary &dictionary)
    : dictionary_(dictionary), reader_(Bytes()) {}

bool DictionaryCursor::next() {
    if (index_ == dictionary_.terms_)
        return false;
    if (index_ % block_terms == 0) {
        enter(index_ / block_terms);
        return true;
    }
    if (is_short())
        skip_short_list(reader_, postings_, dictionary_.documents_);
    else
        reader_.skip(address_bits);
    read_term(reader_.rice(shared_parameter));
    return true;
}

bool DictionaryCursor::seek(std::string_view target) {
    // The last block whose first term is not above the target; the first if there is none.
    std::size_t block = 0;
    for (std::size_t above = dictionary_.blocks(); block + 1 < above;) {
        const std::size_t middle = block + (above - block) / 2;
        enter(middle);
        (term() <= target ? block : above) = middle;
    }
    index_ = block * block_terms;
    while (next())
        if (term() >= target)
            return true;
    return false;
}

// To the last block that does not begin above the target: in steps that grow where it is far.
bool DictionaryCursor::advance(std::string_view target) {
    constexpr std::size_t few_blocks = 4;
    std::size_t block = index_ / block_terms;
    std::size_t step = 1;
    for (std::size_t taken = 0; !begins_above(block + step, target); ++taken) {
        block += step;
        step = taken < few_blocks ? 1 : 2 * step;
    }
    while ((step /= 2) > 0)
        if (!begins_above(block + step, target))
            block += step;
    index_ = std::max(index_, block * block_terms);
    while (next())
        if (term() >= target)
            return true;
    return false;
}

// Whether a block is above the target, or there is no such block.
bool DictionaryCursor::begins_above(std::size_t block, std::string_view target) {
    if (block >= dictionary_.blocks())
        return true;
    if (ahead_ != block) {
        BitReader reader = dictionary_.block(block);
        ahead_size_ = dictionary_.code_.read(reader, ahead_term_);
        ahead_ = block;
    }
    return std::string_view(ahead_term_.data(), ahead_size_) > target;
}

void DictionaryCursor::enter(std::size_t block) {
    reader_ = dictionary_.block(block);
    index_ = block * block_terms;
    read_term(0);
}

void DictionaryCursor::read_term(std::size_t shared) {
    if (shared > size_)
        throw Corrupt("a term that shares more than there is");
    size_ = shared + dictionary_.code_.read(reader_, std::span(term_).subspan(shared));
    postings_ = reader_.gamma();
    if (postings_ > dictionary_.documents_)
        throw Corrupt("a term in more documents than there are");
    ++index_;
}

void DictionaryCursor::read(PostingBuffer &postings) const {
    assert(is_short());
    BitReader list = reader_;
    read_short_list(list, postings_, dictionary_.documents_, postings);
}

std::uint64_t DictionaryCursor::address() const {
    assert(!is_short());
    BitReader list = reader_;
    return list.fixed(address_bits);
}

} // namespace memory::codec
