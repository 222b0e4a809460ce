// What INSERT and COPY into memory.episodes go through: the default id and the rules that settings
// make.
#include "access/scope.h"
#include "episodes/episode.h"
#include "episodes/settings.h"
#include "pg/trigger.h"
#include "pg/uuid7.h"

namespace memory::episodes {

MEMORY_FUNCTION(memory_default_id) { return pg::to_datum(pg::new_id(), CurrentMemoryContext); }

// The WHEN condition of the trigger below: it runs for every row, so it looks at sizes only.
MEMORY_FUNCTION(memory_obeys_settings) {
    const auto fits = [&arguments](int n) {
        return !arguments.has(n) || pg::text_size(arguments.datum(n)) <= max_content();
    };
    const bool anonymous = arguments.has(0) && pg::text_size(arguments.datum(0)) == 0;
    return pg::to_datum((!anonymous || access::anonymous_allowed()) && fits(1) && fits(2));
}

MEMORY_FUNCTION(memory_refuse_episode) {
    const pg::TriggerRow row(arguments, {"episodes"});
    if (row.find<pg::Text>("user_id").value_or("").empty() && !access::anonymous_allowed())
        access::refuse_anonymous();
    check_texts({{"content"}, row.find<pg::Text>("content")},
                {{"response"}, row.find<pg::Text>("response")});
    return Datum{0};
}

} // namespace memory::episodes
