// Reads Retry-After: a number, or one of the three forms of a date that HTTP has.
#include "worker/protocol/retry_after.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

namespace memory::worker {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds longest = std::chrono::hours(24);

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<milliseconds> seconds_of(std::string_view text) {
    double seconds = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed);
    if (error != std::errc() || end != text.data() + text.size() || !(seconds >= 0))
        return std::nullopt;
    const double most = static_cast<double>(longest.count());
    return milliseconds(static_cast<milliseconds::rep>(std::min(seconds * 1000, most)));
}

// Reads the parts of a date from the left.
class DateReader {
  public:
    explicit DateReader(std::string_view text) : left_(text) {}

    bool skip_to(char mark) {
        const std::size_t at = left_.find(mark);
        if (at == std::string_view::npos)
            return false;
        left_.remove_prefix(at + 1);
        skip_blanks();
        return true;
    }
    void skip_blanks() {
        while (!left_.empty() && (left_[0] == ' ' || left_[0] == '-' || left_[0] == ':'))
            left_.remove_prefix(1);
    }
    std::optional<int> number(std::size_t most_digits) {
        int value = 0;
        const char *last = left_.data() + std::min(left_.size(), most_digits);
        const auto [end, error] = std::from_chars(left_.data(), last, value);
        if (error != std::errc() || value < 0)
            return std::nullopt;
        left_.remove_prefix(static_cast<std::size_t>(end - left_.data()));
        skip_blanks();
        return value;
    }
    // 1 to 12.
    std::optional<unsigned> month() {
        constexpr std::array<std::string_view, 12> names{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
        const auto name = std::ranges::find(names, left_.substr(0, 3));
        if (name == names.end())
            return std::nullopt;
        left_.remove_prefix(3);
        skip_blanks();
        return static_cast<unsigned>(name - names.begin()) + 1;
    }

  private:
    std::string_view left_;
};

struct Parts {
    std::optional<int> year, day, hour, minute, second;
    std::optional<unsigned> month;
};

// "06 Nov 1994 08:49:37 GMT" or "06-Nov-94 08:49:37 GMT", behind the name of the day.
Parts parts_behind_comma(DateReader reader) {
    Parts parts;
    parts.day = reader.number(2);
    parts.month = reader.month();
    parts.year = reader.number(4);
    // RFC 9110, 5.6.7: a year of two digits is of this century, as long as that is not far away.
    if (parts.year && *parts.year < 100)
        *parts.year += 2000;
    parts.hour = reader.number(2);
    parts.minute = reader.number(2);
    parts.second = reader.number(2);
    return parts;
}

// "Nov  6 08:49:37 1994", behind the name of the day.
Parts parts_of_asctime(DateReader reader) {
    Parts parts;
    parts.month = reader.month();
    parts.day = reader.number(2);
    parts.hour = reader.number(2);
    parts.minute = reader.number(2);
    parts.second = reader.number(2);
    parts.year = reader.number(4);
    return parts;
}

std::optional<std::chrono::sys_seconds> time_of(const Parts &parts) {
    if (!parts.year || !parts.month || !parts.day || !parts.hour || !parts.minute || !parts.second)
        return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(*parts.year),
                                           std::chrono::month(*parts.month),
                                           std::chrono::day(static_cast<unsigned>(*parts.day))};
    if (!date.ok() || *parts.hour > 23 || *parts.minute > 59 || *parts.second > 60)
        return std::nullopt;
    return std::chrono::sys_days(date) + std::chrono::hours(*parts.hour) +
           std::chrono::minutes(*parts.minute) + std::chrono::seconds(*parts.second);
}

std::optional<std::chrono::sys_seconds> date_of(std::string_view text) {
    DateReader reader(text);
    if (reader.skip_to(','))
        return time_of(parts_behind_comma(reader));
    if (reader.skip_to(' '))
        return time_of(parts_of_asctime(reader));
    return std::nullopt;
}

} // namespace

std::optional<milliseconds> parse_retry_after(std::string_view value,
                                              std::chrono::sys_seconds now) {
    const std::string_view text = trimmed(value);
    if (const auto seconds = seconds_of(text))
        return seconds;
    const auto date = date_of(text);
    if (!date)
        return std::nullopt;
    return std::clamp<milliseconds>(*date - now, milliseconds(0), longest);
}

} // namespace memory::worker
