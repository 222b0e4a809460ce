#include "moving/markdown/layout.h"

#include <algorithm>
#include <cstddef>

namespace memory::markdown {

namespace {

constexpr std::string_view before_christ = " BC";

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Years have four digits or more; those before the first one end in " BC".
bool is_day(std::string_view text) {
    if (text.ends_with(before_christ))
        text.remove_suffix(before_christ.size());
    constexpr std::string_view shape = "dd-dd";
    const std::size_t year = std::min(text.find('-'), text.size());
    if (year < 4 || text.size() != year + 1 + shape.size())
        return false;
    for (std::size_t at = 0; at < year; ++at)
        if (!is_digit(text[at]))
            return false;
    for (std::size_t at = 0; at < shape.size(); ++at)
        if (shape[at] == 'd' ? !is_digit(text[year + 1 + at]) : text[year + 1 + at] != '-')
            return false;
    return true;
}

} // namespace

std::pmr::string path_of_day(std::string_view day, std::pmr::memory_resource *memory) {
    std::pmr::string path(day_folder, memory);
    return path.append(day).append(extension);
}

Moment::Moment(std::string_view iso, std::pmr::memory_resource *memory) : day(memory) {
    const std::size_t end = std::min(iso.find('T'), iso.size());
    day.assign(iso.substr(0, end));
    if (iso.ends_with(before_christ))
        day.append(before_christ);
    minute = iso.substr(std::min(end + 1, iso.size())).substr(0, 5);
    is_minute = iso.substr(std::min(end + 6, iso.size())).starts_with(":00+");
}

std::pmr::string iso_time(std::string_view day, std::string_view time,
                          std::pmr::memory_resource *memory) {
    const bool early = day.ends_with(before_christ);
    std::pmr::string iso(day, memory);
    if (early)
        iso.erase(day.size() - before_christ.size());
    iso.append("T").append(time.empty() ? "00:00" : time);
    if (time.size() <= 5)
        iso.append(":00");
    iso.append("+00:00");
    return early ? iso.append(before_christ) : iso;
}

File file_at(std::string_view path) {
    if (path == soul_path)
        return File::soul;
    if (path == notes_path)
        return File::notes;
    if (path.size() > day_folder.size() + extension.size() && path.starts_with(day_folder) &&
        path.ends_with(extension) && is_day(day_of(path)))
        return File::day;
    return path.find('/') != path.npos ? File::block : File::none;
}

} // namespace memory::markdown
