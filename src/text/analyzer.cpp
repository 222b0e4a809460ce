// Checks the size of a text and starts the walk over it.
#include "text/analyzer.h"

#include <limits>

#include "text/error.h"

namespace memory::text {

Analyzer::Analyzer(const Dictionaries &dictionaries, std::pmr::memory_resource *memory,
                   Options options, Interruption &interruption)
    : pause_(interruption),
      lexicon_(dictionaries, options.cache_slots, pause_, options.shortcuts, memory),
      complex_(memory), shortcuts_(options.shortcuts) {}

void Analyzer::analyze(std::string_view text, TokenSink &sink, BadBytes bad_bytes) {
    if (text.size() > std::numeric_limits<std::uint32_t>::max())
        throw TextTooLong();
    Scanner(text, lexicon_, complex_, sink, pause_, shortcuts_).run(bad_bytes);
}

} // namespace memory::text
