// memory.remember: one episode.
#include "episodes/remember.h"
#include "episodes/logged.h"
#include "episodes/tables.h"
#include "sessions/tables.h"

namespace memory::episodes {

MEMORY_CALL(memory_remember, remember_arguments) {
    Episode episode = read_episode(call);
    if (!episode.session_id)
        episode.session_id = access::session_setting();
    schema::require(schema::Need::to_write, sessions::room);
    const access::Writing writing(call, room);
    episode.tenant = writing.tenant();
    return call.result(remember(episode));
}

} // namespace memory::episodes
