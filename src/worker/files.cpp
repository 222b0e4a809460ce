// Reads files and the environment.
#include "worker/files.h"

#include "worker/protocol/options.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace memory::worker {

std::string read_file(const char *option, const std::string &name) {
    std::ifstream in(name, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in.is_open() || in.bad())
        throw BadOption(std::string(option) + ": " + name + " cannot be read");
    return text;
}

std::string read_key(const std::string &file) {
    const char *set = std::getenv("OPENAI_API_KEY");
    std::string key = !file.empty() ? read_file("--key-file", file) : set != nullptr ? set : "";
    constexpr const char *blanks = " \t\r\n";
    key.erase(0, std::min(key.find_first_not_of(blanks), key.size()));
    key.erase(key.find_last_not_of(blanks) + 1);
    if (!std::ranges::all_of(key, [](char byte) { return byte > ' ' && byte < 0x7F; }))
        throw BadOption("the key has characters in it that no key has");
    if (key.empty() && !file.empty())
        throw BadOption("--key-file: " + file + " is empty");
    return key;
}

} // namespace memory::worker
