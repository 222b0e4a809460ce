// Finds in the base what the target repeats: windows of the base are put into a table by their
// hashes, and every position of the target that no copy covers is looked up in it.
#include "checkpoints/delta/format.h"

namespace memory::delta {

namespace {

// What is looked up, and what is enough where the copy before goes on.
constexpr std::size_t window = 16;
constexpr std::size_t least_going_on = 8;

// Windows of the base that the table has, at most: with more the windows lie further apart.
constexpr std::size_t most_windows = std::size_t{1} << 20;

std::uint64_t word(const std::uint8_t *at) { return codec::load<std::uint64_t>(at); }

bool same_window(const std::uint8_t *a, const std::uint8_t *b) {
    return word(a) == word(b) && word(a + 8) == word(b + 8);
}

std::size_t same_in_part(const std::uint8_t *a, const std::uint8_t *b, std::size_t most) {
    std::size_t same = 0;
    for (; same + sizeof(std::uint64_t) <= most; same += sizeof(std::uint64_t))
        if (const std::uint64_t difference = word(a + same) ^ word(b + same))
            return same + static_cast<std::size_t>(std::countr_zero(difference)) / 8;
    while (same < most && a[same] == b[same])
        ++same;
    return same;
}

// How many bytes are the same from both on.
std::size_t same_after(const std::uint8_t *a, const std::uint8_t *b, std::size_t most,
                       text::Pause &pause) {
    std::size_t same = 0;
    while (same < most) {
        const std::size_t part = std::min(most - same, part_size);
        const std::size_t found = same_in_part(a + same, b + same, part);
        same += found;
        pause.step(found);
        if (found < part)
            break;
    }
    return same;
}

// And before both.
std::size_t same_before(const std::uint8_t *a, const std::uint8_t *b, std::size_t most) {
    std::size_t same = 0;
    while (same < most &&
           a[-1 - static_cast<std::ptrdiff_t>(same)] == b[-1 - static_cast<std::ptrdiff_t>(same)])
        ++same;
    return same;
}

// Windows of the base, one at every multiple of a distance. Of those with one hash the first stays.
class Windows {
  public:
    Windows(Bytes base, std::pmr::memory_resource *memory, text::Pause &pause)
        : base_(base), places_(memory) {
        std::size_t distance = window;
        while (base.size() / distance > most_windows)
            distance *= 2;
        const std::size_t count = base.size() / distance;
        bits_ = static_cast<unsigned>(std::bit_width(count | 1)) + 1;
        places_.resize(std::size_t{1} << bits_);
        for (std::size_t at = 0; at + window <= base.size(); at += distance) {
            std::uint32_t &place = places_[slot(base.data() + at)];
            if (place == 0)
                place = static_cast<std::uint32_t>(at + 1);
            pause.step(window);
        }
    }

    // Where the base has these bytes, if the table knows.
    std::optional<std::size_t> find(const std::uint8_t *wanted) const {
        const std::size_t place = places_[slot(wanted)];
        if (place == 0 || !same_window(base_.data() + place - 1, wanted))
            return std::nullopt;
        return place - 1;
    }

  private:
    std::size_t slot(const std::uint8_t *at) const {
        const std::uint64_t mixed =
            (word(at) ^ std::rotl(word(at + 8) * 0x9E3779B97F4A7C15U, 32)) * 0xC2B2AE3D27D4EB4FU;
        return mixed >> (64 - bits_);
    }

    Bytes base_;
    unsigned bits_ = 1;
    std::pmr::vector<std::uint32_t> places_; // + 1; 0: none
};

class Writer {
  public:
    Writer(Bytes base, Bytes target, ByteBuffer &to, text::Interruption &interruption)
        : base_(base), target_(target), to_(to), pause_(interruption) {}

    void write();

  private:
    // Whether the base goes on at `at` as the last copy did before it was interrupted.
    bool goes_on(std::size_t at, std::size_t &from) const;
    void copy(std::size_t at, std::size_t from);
    void insert_until(std::size_t at);

    Bytes base_;
    Bytes target_;
    codec::ByteWriter to_;
    text::Pause pause_;
    std::size_t written_ = 0;   // of the target
    std::size_t copied_to_ = 0; // where the last copy ends in the target
    std::size_t base_next_ = 0; // and in the base
};

bool Writer::goes_on(std::size_t at, std::size_t &from) const {
    from = base_next_ + (at - copied_to_);
    return from + least_going_on <= base_.size() &&
           word(base_.data() + from) == word(target_.data() + at);
}

void Writer::insert_until(std::size_t at) {
    if (at == written_)
        return;
    to_.varint(static_cast<std::uint32_t>((at - written_) << 1));
    to_.bytes(target_.subspan(written_, at - written_));
    written_ = at;
}

void Writer::copy(std::size_t at, std::size_t from) {
    const std::size_t before =
        same_before(base_.data() + from, target_.data() + at, std::min(from, at - written_));
    const std::size_t after =
        same_after(base_.data() + from, target_.data() + at,
                   std::min(base_.size() - from, target_.size() - at), pause_);
    insert_until(at - before);
    // Where a copy is expected: behind the last one, and as much further as was inserted since.
    const std::size_t expected = base_next_ + (written_ - copied_to_);
    to_.varint(static_cast<std::uint32_t>((before + after) << 1 | 1));
    to_.varint(
        zigzag(static_cast<std::int64_t>(from - before) - static_cast<std::int64_t>(expected)));
    written_ = copied_to_ = at + after;
    base_next_ = from + after;
}

void Writer::write() {
    to_.fixed(format);
    to_.varint(static_cast<std::uint32_t>(base_.size()));
    to_.varint(static_cast<std::uint32_t>(target_.size()));
    if (std::min(base_.size(), target_.size()) >= least_going_on &&
        word(base_.data()) == word(target_.data()))
        copy(0, 0);
    std::optional<Windows> windows;
    for (std::size_t at = written_; at + window <= target_.size();) {
        std::size_t from = 0;
        if (!goes_on(at, from)) {
            if (!windows)
                windows.emplace(base_, std::pmr::get_default_resource(), pause_);
            const auto found = windows->find(target_.data() + at);
            if (!found) {
                ++at;
                pause_.step();
                continue;
            }
            from = *found;
        }
        copy(at, from);
        at = written_;
    }
    insert_until(target_.size());
}

} // namespace

void write(Bytes base, Bytes target, ByteBuffer &to, text::Interruption &interruption) {
    assert(base.size() <= max_size && target.size() <= max_size);
    Writer(base, target, to, interruption).write();
}

} // namespace memory::delta
