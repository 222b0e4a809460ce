// Numbers in hexadecimal digits, each of a fixed width.
#include "jobs/rules/claim.h"

namespace memory::jobs::rules {

namespace {

constexpr std::string_view digits = "0123456789abcdef";
constexpr std::size_t width = 16; // of 64 bits

void write(std::pmr::string &to, std::uint64_t number) {
    for (std::size_t n = width; n-- > 0;)
        to += digits[(number >> (4 * n)) & 15];
}

std::uint64_t half(const std::array<std::uint8_t, 16> &bytes, std::size_t from) noexcept {
    std::uint64_t number = 0;
    for (std::size_t n = from; n < from + 8; ++n)
        number = number << 8 | bytes[n];
    return number;
}

void set_half(std::array<std::uint8_t, 16> &bytes, std::size_t from,
              std::uint64_t number) noexcept {
    for (std::size_t n = 8; n-- > 0; number >>= 8)
        bytes[from + n] = static_cast<std::uint8_t>(number);
}

// Takes pieces from the front of a text; wrong once one of them was not there.
class Reader {
  public:
    explicit Reader(std::string_view text) noexcept : rest_(text) {}

    std::string_view word() noexcept {
        const std::size_t end = rest_.find('-');
        if (end == std::string_view::npos)
            return fail();
        const std::string_view word = rest_.substr(0, end);
        rest_.remove_prefix(end);
        return word;
    }
    void dash() noexcept {
        if (!rest_.starts_with('-'))
            fail();
        else
            rest_.remove_prefix(1);
    }
    std::uint64_t number() noexcept {
        if (rest_.size() < width) {
            fail();
            return 0;
        }
        std::uint64_t number = 0;
        for (const char digit : rest_.substr(0, width)) {
            const std::size_t value = digits.find(digit);
            if (value == std::string_view::npos) {
                fail();
                return 0;
            }
            number = number << 4 | value;
        }
        rest_.remove_prefix(width);
        return number;
    }
    bool is_done() const noexcept { return right_ && rest_.empty(); }

  private:
    std::string_view fail() noexcept {
        right_ = false;
        return rest_ = {};
    }

    std::string_view rest_;
    bool right_ = true;
};

} // namespace

std::pmr::string written(const Claim &claim, std::pmr::memory_resource *memory) {
    std::pmr::string text(word_of(claim.task), memory);
    text += '-';
    write(text, static_cast<std::uint64_t>(claim.due));
    text += '-';
    write(text, half(claim.target, 0));
    write(text, half(claim.target, 8));
    text += '-';
    write(text, claim.token);
    return text;
}

std::optional<Claim> read_claim(std::string_view text) noexcept {
    Reader reader(text);
    Claim claim{};
    const std::optional<Task> task = task_named(reader.word());
    reader.dash();
    claim.due = static_cast<std::int64_t>(reader.number());
    reader.dash();
    set_half(claim.target, 0, reader.number());
    set_half(claim.target, 8, reader.number());
    reader.dash();
    claim.token = reader.number();
    if (!task || !reader.is_done())
        return std::nullopt;
    claim.task = *task;
    return claim;
}

} // namespace memory::jobs::rules
