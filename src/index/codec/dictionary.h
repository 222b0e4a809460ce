// A sorted run of terms, each with its postings, or with where they are. Format: docs/codecs.md.
//
// Terms are distinct and ascend in byte order. A list of fewer than block_postings postings is in
// the dictionary, a longer one is in blocks elsewhere.
#pragma once

#include "index/codec/postings.h"
#include "index/codec/prefix_code.h"

#include <string_view>

namespace memory::codec {

inline constexpr std::size_t longest_term = 255;
inline constexpr unsigned address_bits = 48;
inline constexpr std::size_t least_dictionary_bytes = 4096;

// Counts the symbols of a term, for the code that the dictionaries of a segment share.
void count_symbols(std::string_view term, SymbolCounts &counts);

// Writes the dictionaries of a segment, one after the other.
class DictionaryWriter {
  public:
    // `code` knows every byte of every term; it must outlive the writer, as must `memory`.
    // No dictionary takes more than `capacity` bytes: least_dictionary_bytes to 65,535.
    DictionaryWriter(const PrefixEncoder &code, std::uint32_t documents, std::size_t capacity,
                     std::pmr::memory_resource *memory);

    DictionaryWriter(const DictionaryWriter &) = delete;
    DictionaryWriter &operator=(const DictionaryWriter &) = delete;

    // Adds a term above all before it, with fewer than block_postings postings. False, and nothing
    // done, if there is no room: finish the dictionary, and add the term to the next.
    bool add(std::string_view term, std::span<const Posting> postings);

    // Adds a term whose block_postings or more postings are at `address`, below 2^address_bits.
    bool add(std::string_view term, std::uint32_t postings, std::uint64_t address);

    bool empty() const { return terms_ == 0; }

    // Appends the dictionary, which is not empty, to `buffer`, and starts the next.
    void finish(ByteBuffer &buffer);

  private:
    bool begin_entry(std::string_view term, std::uint32_t postings, std::size_t list_bits);
    std::size_t term_bits(std::string_view suffix) const;

    const PrefixEncoder &code_;
    std::uint32_t documents_;
    std::size_t capacity_;
    ByteBuffer stored_code_;
    ByteBuffer blocks_;
    BitWriter bits_;                         // into blocks_
    std::pmr::vector<std::uint16_t> starts_; // of the blocks, in blocks_
    std::size_t terms_ = 0;
    std::array<char, longest_term> last_;
    std::size_t last_size_ = 0;
};

// A dictionary in the bytes of its page, which must outlive it. Those bytes are all that reading
// it needs: every dictionary has a copy of the segment's code.
class Dictionary {
  public:
    explicit Dictionary(Bytes bytes) : Dictionary(bytes, ByteReader(bytes)) {}

    std::uint32_t documents() const { return documents_; } // in the segment
    std::size_t terms() const { return terms_; }

  private:
    friend class DictionaryCursor;

    Dictionary(Bytes bytes, ByteReader &&reader);

    std::size_t blocks() const;
    BitReader block(std::size_t index) const;

    Bytes bytes_;
    std::uint32_t documents_;
    std::size_t terms_;
    PrefixDecoder code_;
    Bytes starts_;
};

// Goes through a dictionary's terms. Starts before the first one. The dictionary must outlive it.
class DictionaryCursor {
  public:
    explicit DictionaryCursor(const Dictionary &dictionary);

    // To the next term; false if there is none, and then there is no term.
    bool next();

    // To the first term not below `target`; false if there is none.
    bool seek(std::string_view target);

    // To the first term not below `target` of those behind the one at which it stands; false if
    // there is none. Quicker than seek() where that is near.
    bool advance(std::string_view target);

    // To `target`; false if it is not there.
    bool find(std::string_view target) { return seek(target) && term() == target; }

    // The term at which the cursor stands, until it moves.
    std::string_view term() const { return {term_.data(), size_}; }

    // How many postings it has: block_postings or more are elsewhere, fewer are here.
    std::uint32_t postings() const { return postings_; }
    bool is_short() const { return postings_ < block_postings; }

    // The postings of a term with a short list.
    void read(PostingBuffer &postings) const;

    // Where the postings of a term with a long list are.
    std::uint64_t address() const;

  private:
    void enter(std::size_t block);
    void read_term(std::size_t shared);
    bool begins_above(std::size_t block, std::string_view target);

    const Dictionary &dictionary_;
    BitReader reader_;      // behind the entry's head, at its list
    std::size_t index_ = 0; // of the next entry
    std::uint32_t postings_ = 0;
    std::size_t size_ = 0;
    std::array<char, longest_term> term_;

    // The first term of a block that it does not stand in.
    std::size_t ahead_ = SIZE_MAX;
    std::size_t ahead_size_ = 0;
    std::array<char, longest_term> ahead_term_;
};

} // namespace memory::codec
