// memory_internal.episode_text(): what an episode is recalled by.
#include "pg/function.h"

#include <string>

namespace memory::episodes {

MEMORY_FUNCTION(memory_episode_text) {
    if (!arguments.has(1) || pg::text_size(arguments.datum(1)) == 0)
        return arguments.has(0) ? arguments.datum(0) : arguments.null_result();
    if (!arguments.has(0) || pg::text_size(arguments.datum(0)) == 0)
        return arguments.datum(1);
    const std::string_view content = *arguments.text(0);
    const std::string_view response = *arguments.text(1);
    return pg::call([&] {
        const std::size_t size = content.size() + 1 + response.size();
        auto *joined = static_cast<varlena *>(palloc(VARHDRSZ + size));
        SET_VARSIZE(joined, VARHDRSZ + size);
        char *at = VARDATA(joined);
        at = std::copy(content.begin(), content.end(), at);
        *at++ = '\n';
        std::copy(response.begin(), response.end(), at);
        return PointerGetDatum(joined);
    });
}

} // namespace memory::episodes
