// From the last delta to the first: what an operation inserts is put in its place at once, what it
// copies becomes a piece that the delta below has to bring.
#include "checkpoints/delta/format.h"

namespace memory::delta {

namespace {

using codec::Corrupt;

// Bytes of the target that come from the version at hand.
struct Piece {
    std::uint32_t to;
    std::uint32_t from;
    std::uint32_t size;
};
using Pieces = std::pmr::vector<Piece>;

struct Operation {
    std::uint32_t begin; // in the delta's target
    std::uint32_t size;
    std::uint32_t from;           // in its base, of a copy
    const std::uint8_t *inserted; // null: a copy
};
using Operations = std::pmr::vector<Operation>;

// Leaves the operations of `delta` in `operations`, checked.
void read(const Delta &delta, Operations &operations, text::Pause &pause) {
    operations.clear();
    codec::ByteReader reader(delta.operations());
    std::size_t made = 0;
    std::int64_t expected = 0; // where a copy begins if it goes on
    while (made < delta.target_size()) {
        const std::uint32_t head = reader.varint();
        const std::size_t size = head >> 1;
        if (size == 0 || size > delta.target_size() - made)
            throw Corrupt("an operation of a delta has no size, or too large a one");
        Operation operation{static_cast<std::uint32_t>(made), static_cast<std::uint32_t>(size), 0,
                            nullptr};
        if ((head & 1) != 0) {
            const std::int64_t from = expected + unzigzag(reader.varint());
            if (from < 0 || from + static_cast<std::int64_t>(size) >
                                static_cast<std::int64_t>(delta.base_size()))
                throw Corrupt("a delta copies from outside its base");
            operation.from = static_cast<std::uint32_t>(from);
            expected = from;
        } else {
            operation.inserted = reader.bytes(size).data();
        }
        operations.push_back(operation);
        made += size;
        expected += static_cast<std::int64_t>(size);
        pause.step();
    }
    if (reader.remaining() > 0)
        throw Corrupt("something follows the last operation of a delta");
}

class Restoring {
  public:
    Restoring(std::span<std::uint8_t> to, std::pmr::memory_resource *memory,
              text::Interruption &interruption)
        : to_(to), pieces_(memory), below_(memory), operations_(memory), pause_(interruption) {
        if (!to.empty())
            pieces_.push_back({0, 0, static_cast<std::uint32_t>(to.size())});
    }

    void take(const Delta &delta);
    void finish(Bytes keyframe);

  private:
    // The operation that byte `at` comes from; mostly the one after the last that was asked for.
    std::size_t operation_at(std::uint32_t at, std::size_t guess) const;
    void bring(const Piece &piece, const Operation &operation);
    void put(std::uint32_t to, const std::uint8_t *bytes, std::size_t size);

    std::span<std::uint8_t> to_;
    Pieces pieces_; // in the order of `to`
    Pieces below_;
    Operations operations_;
    text::Pause pause_;
};

std::size_t Restoring::operation_at(std::uint32_t at, std::size_t guess) const {
    const auto has = [&](std::size_t i) {
        return i < operations_.size() && at >= operations_[i].begin &&
               at - operations_[i].begin < operations_[i].size;
    };
    for (const std::size_t i : {guess, guess + 1})
        if (has(i))
            return i;
    const auto behind = std::upper_bound(
        operations_.begin(), operations_.end(), at,
        [](std::uint32_t value, const Operation &operation) { return value < operation.begin; });
    return static_cast<std::size_t>(behind - operations_.begin()) - 1;
}

void Restoring::put(std::uint32_t to, const std::uint8_t *bytes, std::size_t size) {
    for (std::size_t done = 0; done < size;) {
        const std::size_t part = std::min(size - done, part_size);
        std::memcpy(to_.data() + to + done, bytes + done, part);
        pause_.step(part);
        done += part;
    }
}

// `piece` lies within the operation.
void Restoring::bring(const Piece &piece, const Operation &operation) {
    const std::uint32_t skipped = piece.from - operation.begin;
    if (operation.inserted != nullptr) {
        put(piece.to, operation.inserted + skipped, piece.size);
        return;
    }
    const std::uint32_t from = operation.from + skipped;
    if (!below_.empty()) {
        Piece &last = below_.back();
        if (last.to + last.size == piece.to && last.from + last.size == from) {
            last.size += piece.size;
            return;
        }
    }
    below_.push_back({piece.to, from, piece.size});
}

void Restoring::take(const Delta &delta) {
    read(delta, operations_, pause_);
    below_.clear();
    std::size_t at = 0;
    for (Piece rest : pieces_) {
        pause_.step();
        while (rest.size > 0) {
            at = operation_at(rest.from, at);
            const Operation &operation = operations_[at];
            const std::uint32_t size =
                std::min(rest.size, operation.begin + operation.size - rest.from);
            bring({rest.to, rest.from, size}, operation);
            rest = {rest.to + size, rest.from + size, rest.size - size};
        }
    }
    pieces_.swap(below_);
}

void Restoring::finish(Bytes keyframe) {
    for (const Piece &piece : pieces_)
        put(piece.to, keyframe.data() + piece.from, piece.size);
}

} // namespace

Delta::Delta(Bytes written) {
    codec::ByteReader reader(written);
    if (reader.fixed<std::uint8_t>() != format)
        throw Corrupt("a delta is of an unknown format");
    base_size_ = reader.varint();
    target_size_ = reader.varint();
    if (base_size_ > max_size || target_size_ > max_size)
        throw Corrupt("a delta is between versions that are too long");
    operations_ = reader.rest();
}

void restore(Bytes keyframe, std::span<const Delta> deltas, std::span<std::uint8_t> to,
             std::pmr::memory_resource *memory, text::Interruption &interruption) {
    std::size_t size = keyframe.size();
    for (const Delta &delta : deltas) {
        if (delta.base_size() != size)
            throw Corrupt("a delta is against a version of another size");
        size = delta.target_size();
    }
    if (to.size() != size)
        throw Corrupt("the last delta makes a version of another size");
    Restoring restoring(to, memory, interruption);
    for (std::size_t i = deltas.size(); i > 0; --i)
        restoring.take(deltas[i - 1]);
    restoring.finish(keyframe);
}

} // namespace memory::delta
