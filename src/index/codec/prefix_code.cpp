// Builds the tree of lengths, limits it to 15 bits, numbers the codes, and decodes by a table with
// a slow path for long codes.
#include "index/codec/prefix_code.h"

#include <algorithm>
#include <cassert>

namespace memory::codec {

namespace {

// Huffman's algorithm: the symbols' code lengths, 0 for those that do not occur. Two queues, both
// ascending: the leaves, and the trees joined so far.
class Huffman {
  public:
    explicit Huffman(const SymbolCounts &counts) {
        for (std::size_t symbol = 0; symbol < symbol_count; ++symbol)
            if (counts[symbol] > 0)
                nodes_[leaves_++] = {.weight = counts[symbol], .symbol = symbol, .parent = 0};
        assert(leaves_ >= 2);
        std::sort(nodes_.begin(), nodes_.begin() + static_cast<std::ptrdiff_t>(leaves_),
                  [](const Node &a, const Node &b) {
                      return a.weight != b.weight ? a.weight < b.weight : a.symbol < b.symbol;
                  });
        join();
    }

    unsigned longest() const { return depth_[0]; } // the lightest leaf is deepest

    template <class Visit>
    void each_leaf(Visit &&visit) const {
        for (std::size_t leaf = 0; leaf < leaves_; ++leaf)
            visit(nodes_[leaf].symbol, depth_[leaf]);
    }

  private:
    struct Node {
        std::uint64_t weight;
        std::size_t symbol;
        std::size_t parent;
    };

    void join() {
        const std::size_t nodes = 2 * leaves_ - 1;
        std::size_t leaf = 0;
        std::size_t tree = leaves_;
        for (std::size_t made = leaves_; made < nodes; ++made) {
            nodes_[made] = {.weight = 0, .symbol = 0, .parent = 0};
            for (int child = 0; child < 2; ++child) {
                const bool take_leaf =
                    leaf < leaves_ && (tree == made || nodes_[leaf].weight <= nodes_[tree].weight);
                Node &lightest = nodes_[take_leaf ? leaf++ : tree++];
                lightest.parent = made;
                nodes_[made].weight += lightest.weight;
            }
        }
        for (std::size_t node = nodes - 1; node-- > 0;)
            depth_[node] = depth_[nodes_[node].parent] + 1;
    }

    std::size_t leaves_ = 0;
    std::array<Node, 2 * symbol_count> nodes_{};
    std::array<unsigned, 2 * symbol_count> depth_{};
};

} // namespace

// Where a code gets too long, counts are flattened until it does not: that costs next to nothing,
// because only the rarest symbols have such codes.
PrefixEncoder::PrefixEncoder(const SymbolCounts &counts) {
    SymbolCounts flattened = counts;
    for (;;) {
        const Huffman tree(flattened);
        if (tree.longest() <= longest_code) {
            tree.each_leaf([this](std::size_t symbol, unsigned length) {
                codes_[symbol].length = static_cast<std::uint8_t>(length);
            });
            break;
        }
        for (std::uint64_t &count : flattened)
            count = (count + 1) / 2;
    }
    number_codes();
}

void PrefixEncoder::number_codes() {
    std::uint32_t code = 0;
    for (unsigned length = 1; length <= longest_code; ++length) {
        for (std::size_t symbol = 0; symbol < symbol_count; ++symbol) {
            if (codes_[symbol].length == length) {
                codes_[symbol].bits = static_cast<std::uint16_t>(code++);
                canonical_[symbols_++] = static_cast<std::uint16_t>(symbol);
                ++of_length_[length];
            }
        }
        code *= 2;
    }
}

void PrefixEncoder::store(ByteWriter &writer) const {
    unsigned longest = longest_code;
    while (of_length_[longest] == 0)
        --longest;
    writer.fixed(static_cast<std::uint8_t>(longest));
    for (unsigned length = 1; length <= longest; ++length)
        writer.varint(of_length_[length]);
    const auto symbols = std::span(canonical_).first(symbols_);
    const auto end = std::find(symbols.begin(), symbols.end(), end_mark);
    writer.varint(static_cast<std::uint32_t>(end - symbols.begin()));
    for (const std::uint16_t symbol : symbols)
        if (symbol != end_mark)
            writer.fixed(static_cast<std::uint8_t>(symbol));
}

PrefixDecoder::PrefixDecoder(ByteReader &reader) {
    const unsigned longest = reader.fixed<std::uint8_t>();
    if (longest == 0 || longest > longest_code)
        throw Corrupt("a prefix code of impossible length");
    std::uint64_t code = 0; // the first of its length, left-aligned in longest_code bits
    std::size_t symbols = 0;
    for (unsigned length = 1; length <= longest; ++length) {
        const std::uint32_t count = reader.varint();
        offset_[length] = symbols - static_cast<std::size_t>(code >> (longest_code - length));
        code += static_cast<std::uint64_t>(count) << (longest_code - length);
        limit_[length] = code;
        symbols += count;
    }
    end_place_ = reader.varint();
    if (code != 1U << longest_code || symbols > symbol_count || end_place_ >= symbols)
        throw Corrupt("an incomplete prefix code");
    bytes_ = reader.bytes(symbols - 1);
    fill_quick();
}

// Takes as many symbols out of one window of bits as surely lie in it.
std::size_t PrefixDecoder::read(BitReader &reader, std::span<char> room) const {
    std::size_t size = 0;
    for (;;) {
        const std::uint64_t window = reader.window();
        unsigned used = 0;
        while (used + longest_code <= max_field_bits) {
            const std::uint64_t bits = window << used >> (64 - longest_code);
            const std::size_t quick = quick_[bits >> (longest_code - quick_bits)];
            const std::size_t decoded = quick != 0 ? quick : decode_long(bits);
            used += decoded % 16;
            if (decoded / 16 == end_mark) {
                reader.skip(used);
                return size;
            }
            if (size == room.size())
                throw Corrupt("a term of impossible size");
            room[size++] = static_cast<char>(decoded / 16);
        }
        reader.skip(used);
    }
}

std::size_t PrefixDecoder::symbol_at(std::size_t place) const {
    return place == end_place_ ? end_mark : bytes_[place - (place > end_place_ ? 1 : 0)];
}

std::size_t PrefixDecoder::decode_long(std::uint64_t bits) const {
    unsigned length = 1;
    while (bits >= limit_[length])
        ++length;
    const std::size_t place = (bits >> (longest_code - length)) + offset_[length];
    return 16 * symbol_at(place) + length;
}

// Canonical codes are consecutive: so are the places in the table that begin with them.
void PrefixDecoder::fill_quick() {
    quick_.fill(0);
    for (std::size_t first = 0; first < quick_.size();) {
        const std::size_t decoded = decode_long(first << (longest_code - quick_bits));
        const std::size_t length = decoded % 16;
        if (length > quick_bits)
            break;
        const std::size_t places = quick_.size() >> length;
        std::fill_n(quick_.begin() + static_cast<std::ptrdiff_t>(first), places,
                    static_cast<std::uint16_t>(decoded));
        first += places;
    }
}

} // namespace memory::codec
