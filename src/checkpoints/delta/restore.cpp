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
// Differences wrap around where `at` is in front of the operation: they are larger than any size.
bool has(const Operation &operation, std::uint32_t at) {
    return at - operation.begin < operation.size;
}
bool lies_within(const Piece &piece, const Operation &operation) {
    const std::uint64_t skipped = std::uint32_t{piece.from - operation.begin};
    return skipped + piece.size <= operation.size;
}

// The operations of one delta, checked, and which of them a byte of its target comes from.
class Operations {
  public:
    explicit Operations(std::pmr::memory_resource *memory) : all_(memory), places_(memory) {}

    void read(const Delta &delta, text::Pause &pause);
    std::size_t size() const { return all_.size(); }
    // The one that byte `at` comes from; at once if that is `guess` or soon behind it.
    const Operation &at(std::uint32_t at, const Operation *guess);
    const Operation *first() const { return all_.data(); }

  private:
    static constexpr std::ptrdiff_t near = 8;

    void find_places();

    std::pmr::vector<Operation> all_;
    // Of every 2^shift_th byte of the target, about as many as there are operations; made when the
    // first is asked for.
    std::pmr::vector<std::uint32_t> places_;
    unsigned shift_ = 0;
};

void Operations::read(const Delta &delta, text::Pause &pause) {
    all_.clear();
    places_.clear();
    codec::ByteReader reader(delta.operations());
    std::size_t made = 0;
    std::int64_t expected = 0; // where a copy begins if it goes on
    while (made < delta.target_size()) {
        const std::uint32_t head = reader.varint();
        const std::size_t size = head >> 1;
        if (size == 0 || size > delta.target_size() - made)
            throw Corrupt("an operation of a delta has no size, or too large a one");
        Operation &operation = all_.emplace_back();
        operation.begin = static_cast<std::uint32_t>(made);
        operation.size = static_cast<std::uint32_t>(size);
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
        made += size;
        expected += static_cast<std::int64_t>(size);
        pause.step();
    }
    if (reader.remaining() > 0)
        throw Corrupt("something follows the last operation of a delta");
}

void Operations::find_places() {
    const std::size_t made = std::size_t{all_.back().begin} + all_.back().size;
    for (shift_ = 0; made >> shift_ > all_.size();)
        ++shift_;
    for (std::uint32_t i = 0; i < all_.size(); ++i)
        while (places_.size() << shift_ < std::size_t{all_[i].begin} + all_[i].size)
            places_.push_back(i);
}

const Operation &Operations::at(std::uint32_t at, const Operation *guess) {
    const Operation *const end = all_.data() + all_.size();
    for (const Operation *one = guess; one < end && one < guess + near; ++one)
        if (has(*one, at))
            return *one;
    if (places_.empty())
        find_places();
    const std::size_t place = at >> shift_;
    const Operation *const first = all_.data() + places_[place];
    const Operation *const last =
        place + 1 < places_.size() ? all_.data() + places_[place + 1] + 1 : end;
    return *(std::upper_bound(first, last, at,
                              [](std::uint32_t value, const Operation &operation) {
                                  return value < operation.begin;
                              }) -
             1);
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
    void bring(const Piece &piece, const Operation &operation);
    const Piece *bring_run(const Piece *piece, const Piece *end, const Operation &operation);
    void put(std::uint32_t to, const std::uint8_t *bytes, std::size_t size);

    std::span<std::uint8_t> to_;
    Pieces pieces_; // in the order of `to`
    Pieces below_;
    Operations operations_;
    text::Pause pause_;
};

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

// Brings the pieces from `piece` on that lie within a copy, up to the first that does not. Most
// pieces of a long chain come this way, so it does no more than it must: what is in one copy moves
// as one, and has nothing to be joined with, as it had not above.
const Piece *Restoring::bring_run(const Piece *piece, const Piece *end,
                                  const Operation &operation) {
    const Piece *behind = piece;
    while (behind < end && lies_within(*behind, operation))
        ++behind;
    const std::size_t first = below_.size();
    below_.insert(below_.end(), piece, behind);
    const std::uint32_t shift = operation.from - operation.begin;
    for (std::size_t i = first; i < below_.size(); ++i)
        below_[i].from += shift;
    pause_.step(below_.size() - first);
    return behind;
}

void Restoring::take(const Delta &delta) {
    operations_.read(delta, pause_);
    below_.clear();
    if (const std::size_t wanted = pieces_.size() + operations_.size(); wanted > below_.capacity())
        below_.reserve(2 * wanted);
    const Operation *operation = operations_.first();
    const Piece *const end = pieces_.data() + pieces_.size();
    for (const Piece *piece = pieces_.data(); piece < end;) {
        pause_.step();
        Piece rest = *piece++;
        while (rest.size > 0) {
            operation = &operations_.at(rest.from, operation);
            const std::uint32_t size =
                std::min(rest.size, operation->begin + operation->size - rest.from);
            bring({rest.to, rest.from, size}, *operation);
            rest = {rest.to + size, rest.from + size, rest.size - size};
        }
        if (operation->inserted == nullptr)
            piece = bring_run(piece, end, *operation);
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
