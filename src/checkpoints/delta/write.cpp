// Finds in the base what the target repeats: windows of the base are put into a table by their
// hashes, and every position of the target that no copy covers is looked up in it.
#include "checkpoints/delta/format.h"

#include <array>

namespace memory::delta {

namespace {

// What is looked up; what is enough where the copy before goes on, and what a copy from elsewhere
// must have: a shorter one saves little, and makes reading dearer.
constexpr std::size_t window = 16;
constexpr std::size_t least_going_on = 8;
constexpr std::size_t least_elsewhere = 32;

// Where what follows a replacement is looked for first: so far behind its beginning in the target,
// and in the base at most so far from where it would be, had the replacement the same length.
constexpr std::array<std::size_t, 4> replaced{16, 32, 64, 128};
constexpr std::size_t farthest_shift = 32;

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

// Bytes of the target that the base has.
struct Copy {
    std::size_t at;
    std::size_t from;
    std::size_t size;
};

class Writer {
  public:
    Writer(Bytes base, Bytes target, ByteBuffer &to, text::Interruption &interruption)
        : base_(base), target_(target), to_(to), pause_(interruption) {}

    void write();

  private:
    // What is the same around these places, in the target from what is written on.
    Copy extended(std::size_t at, std::size_t from);
    // The next copy if it is found at `at`.
    std::optional<Copy> find(std::size_t at);
    bool goes_on(std::size_t at, std::size_t from) const;
    std::optional<Copy> behind_replacement();
    // Where the base has the window at `at`, near `from`: the nearest place.
    std::optional<std::size_t> shifted(std::size_t at, std::size_t from) const;
    std::optional<Copy> elsewhere(std::size_t at);
    void copy(const Copy &copy);
    void insert_until(std::size_t at);
    // Where the base goes on for `at` as the last copy did before it was interrupted.
    std::size_t expected(std::size_t at) const { return base_next_ + (at - copied_to_); }

    Bytes base_;
    Bytes target_;
    codec::ByteWriter to_;
    text::Pause pause_;
    std::optional<Windows> windows_;
    std::size_t written_ = 0;   // of the target
    std::size_t copied_to_ = 0; // where the last copy ends in the target
    std::size_t base_next_ = 0; // and in the base
};

Copy Writer::extended(std::size_t at, std::size_t from) {
    const std::size_t before =
        same_before(base_.data() + from, target_.data() + at, std::min(from, at - written_));
    const std::size_t after =
        same_after(base_.data() + from, target_.data() + at,
                   std::min(base_.size() - from, target_.size() - at), pause_);
    return {at - before, from - before, before + after};
}

bool Writer::goes_on(std::size_t at, std::size_t from) const {
    return from + least_going_on <= base_.size() &&
           word(base_.data() + from) == word(target_.data() + at);
}

std::optional<std::size_t> Writer::shifted(std::size_t at, std::size_t from) const {
    const std::size_t last = base_.size() - window;
    for (std::size_t shift = 0; shift <= farthest_shift; ++shift)
        for (const std::size_t place : {from + shift, from - shift}) // below 0: behind the last one
            if (place <= last && same_window(base_.data() + place, target_.data() + at))
                return place;
    return std::nullopt;
}

std::optional<Copy> Writer::behind_replacement() {
    if (base_.size() < window)
        return std::nullopt;
    for (const std::size_t further : replaced) {
        const std::size_t at = copied_to_ + further;
        if (at + window > target_.size())
            break;
        if (const auto from = shifted(at, base_next_ + further))
            return extended(at, *from);
    }
    return std::nullopt;
}

std::optional<Copy> Writer::elsewhere(std::size_t at) {
    if (!windows_)
        windows_.emplace(base_, std::pmr::get_default_resource(), pause_);
    const auto from = windows_->find(target_.data() + at);
    if (!from)
        return std::nullopt;
    const Copy copy = extended(at, *from);
    return copy.size >= least_elsewhere ? std::optional(copy) : std::nullopt;
}

std::optional<Copy> Writer::find(std::size_t at) {
    if (goes_on(at, expected(at)))
        return extended(at, expected(at));
    if (at == copied_to_)
        if (const std::optional<Copy> copy = behind_replacement())
            return copy;
    return elsewhere(at);
}

void Writer::insert_until(std::size_t at) {
    if (at == written_)
        return;
    to_.varint(static_cast<std::uint32_t>((at - written_) << 1));
    to_.bytes(target_.subspan(written_, at - written_));
    written_ = at;
}

void Writer::copy(const Copy &copy) {
    insert_until(copy.at);
    to_.varint(static_cast<std::uint32_t>(copy.size << 1 | 1));
    to_.varint(zigzag(static_cast<std::int64_t>(copy.from) -
                      static_cast<std::int64_t>(expected(copy.at))));
    written_ = copied_to_ = copy.at + copy.size;
    base_next_ = copy.from + copy.size;
}

void Writer::write() {
    to_.fixed(format);
    to_.varint(static_cast<std::uint32_t>(base_.size()));
    to_.varint(static_cast<std::uint32_t>(target_.size()));
    if (target_.size() >= least_going_on && goes_on(0, 0))
        copy(extended(0, 0));
    for (std::size_t at = written_; at + window <= target_.size();) {
        if (const std::optional<Copy> found = find(at)) {
            copy(*found);
            at = written_;
        } else {
            ++at;
            pause_.step();
        }
    }
    insert_until(target_.size());
}

} // namespace

void write(Bytes base, Bytes target, ByteBuffer &to, text::Interruption &interruption) {
    assert(base.size() <= max_size && target.size() <= max_size);
    Writer(base, target, to, interruption).write();
}

} // namespace memory::delta
