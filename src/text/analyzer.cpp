#include "text/analyzer.h"

#include <limits>

#include "text/error.h"

namespace memory::text {

Analyzer::Analyzer(const Dictionaries &dictionaries, std::pmr::memory_resource *memory,
                   Options options)
    : lexicon_(dictionaries, options.cache_slots, memory), complex_(memory),
      ascii_fast_path_(options.ascii_fast_path) {}

void Analyzer::analyze(std::string_view text, TokenSink &sink, BadBytes bad_bytes) {
    if (text.size() > std::numeric_limits<std::uint32_t>::max())
        throw TextTooLong();
    Scanner(text, lexicon_, complex_, sink, ascii_fast_path_).run(bad_bytes);
}

} // namespace memory::text
