// Cleans what servers say of themselves.
#include "worker/protocol/message.h"

#include "context/prompt/characters.h"

namespace memory::worker {

namespace {

std::string without(std::string_view text, std::string_view secret) {
    std::string result;
    while (!secret.empty()) {
        const std::size_t at = text.find(secret);
        if (at == std::string_view::npos)
            break;
        result += text.substr(0, at);
        result += "***";
        text.remove_prefix(at + secret.size());
    }
    return result += text;
}

} // namespace

std::string quotable(std::string_view given, std::string_view secret, std::size_t most) {
    const std::string text = without(given, secret);
    std::string result;
    std::size_t count = 0;
    bool was_blank = true; // at the beginning, and behind another
    for (std::size_t at = 0; at < text.size() && count < most;) {
        const prompt::Character next = prompt::character_at(text, at);
        const bool is_blank = next.point <= ' ' || prompt::is_left_out(next.point);
        if (is_blank && !was_blank)
            result += ' ';
        else if (!is_blank)
            result += next.well_formed ? text.substr(at, next.end - at) : "?";
        count += is_blank && was_blank ? 0 : 1;
        was_blank = is_blank;
        at = next.end;
    }
    while (result.ends_with(' '))
        result.pop_back();
    return result;
}

} // namespace memory::worker
