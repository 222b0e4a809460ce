// The list of rooms. To add one is a line here.
#include "schema/rooms.h"

#include "access/scope.h"
#include "blocks/tables.h"
#include "checkpoints/tables.h"
#include "conversations/tables.h"
#include "episodes/tables.h"
#include "facts/tables.h"
#include "index/options.h"
#include "items/tables.h"
#include "jobs/tables.h"
#include "lifecycle/tables.h"
#include "models/tables.h"
#include "recall/settings.h"
#include "retention/tables.h"
#include "sessions/tables.h"
#include "text/settings_sql.h"

namespace memory::schema {

namespace {

// Rooms without tables.
constexpr Room text_room{"text", {}, text::define_settings};
constexpr Room access_room{"access", {}, access::define_settings};
constexpr Room recall_room{"recall", {}, recall::define_settings};
constexpr Room index_room{"index", {}, index::define_options};

constexpr const Room *all[] = {
    &text_room,   &access_room,    &models::room,      &retention::room,     &episodes::room,
    &facts::room, &sessions::room, &checkpoints::room, &conversations::room, &blocks::room,
    &items::room, &jobs::room,     &lifecycle::room,   &recall_room,         &index_room,
};

} // namespace

std::span<const Room *const> rooms() noexcept { return all; }

} // namespace memory::schema
