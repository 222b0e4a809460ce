// memory.remember: one episode.
#include "episodes/remember.h"
#include "episodes/episode.h"
#include "episodes/tables.h"

namespace memory::episodes {

MEMORY_CALL(memory_remember, remember_arguments) {
    Episode episode = read_episode(call);
    if (!episode.session_id)
        episode.session_id = access::session_setting();
    const access::Writing writing(call, room);
    episode.tenant = writing.tenant();
    return call.result(store(episode));
}

} // namespace memory::episodes
