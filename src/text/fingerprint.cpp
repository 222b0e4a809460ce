// Describes versions and dictionaries in words, and hashes the description.
#include "text/fingerprint.h"

#include <charconv>
#include <string_view>

#include <unicode/uchar.h>
#include <unicode/uversion.h>

#include "text/term.h"

namespace memory::text {

namespace {

void append_number(std::pmr::string &to, unsigned number) {
    char digits[10];
    const std::to_chars_result end = std::to_chars(std::begin(digits), std::end(digits), number);
    to.append(digits, end.ptr);
}

} // namespace

void describe(const Dictionaries &dictionaries, std::pmr::string &to) {
    UVersionInfo icu;
    UVersionInfo unicode;
    u_getVersion(icu);
    u_getUnicodeVersion(unicode);
    to.append("rules ");
    append_number(to, rules_version);
    to.append(", ICU ");
    append_number(to, icu[0]);
    to.append(", Unicode ");
    append_number(to, unicode[0]);
    to.push_back('.');
    append_number(to, unicode[1]);
    for (std::size_t i = 0; i < script_count; ++i) {
        const auto script = static_cast<Script>(i);
        if (const Dictionary *dictionary = dictionaries.of(script)) {
            to.append(", ").append(name(script)).append(" ");
            to.append(dictionary->identity());
        }
    }
}

std::uint64_t fingerprint(const Dictionaries &dictionaries, std::pmr::memory_resource *memory) {
    std::pmr::string description(memory);
    describe(dictionaries, description);
    return hash_bytes(description);
}

} // namespace memory::text
