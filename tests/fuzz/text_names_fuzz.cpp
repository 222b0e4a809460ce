// Normal forms of any bytes: a form is its own form, and nothing that separates is left in it.
#include <cstddef>
#include <cstdlib>
#include <memory_resource>

#include "text/names.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    std::pmr::memory_resource *memory = std::pmr::new_delete_resource();
    const std::pmr::string name = memory::text::normal_name(text, memory);
    const std::pmr::string predicate = memory::text::normal_predicate(text, memory);
    if (memory::text::normal_name(name, memory) != name ||
        memory::text::normal_predicate(predicate, memory) != predicate ||
        name.find("  ") != name.npos || predicate.find("__") != predicate.npos ||
        predicate.find(' ') != predicate.npos)
        std::abort();
    return 0;
}
