// A double of an engine that spreads tables of users over shards (src/schema/shards.h). What it
// knows is in door.shard_of(), a function of SQL: its catalog is what a test makes up.
#include "schema/shards.h"
#include "fail.h"
#include "pg/rows.h"

namespace door {

namespace {

constinit pg::Statement find("SELECT s.suffix, s.node FROM door.shard_of($1, $2, $3) s");

bool shard_of(Oid table, const char *name_space, const char *user_id, MemoryShard *shard) {
    return pg::entry([=] {
        const pg::Spi spi;
        const pg::Rows rows = find.run(pg::SnapshotOf::caller,
                                       {pg::Parameter::of(REGCLASSOID, ObjectIdGetDatum(table)),
                                        std::string_view(name_space), std::string_view(user_id)});
        if (rows.empty())
            return false;
        const auto [suffix, node] = rows.get<pg::Text, pg::Text>(0);
        suffix.copy(shard->suffix, sizeof shard->suffix - 1);
        node.copy(shard->node, sizeof shard->node - 1);
        return true;
    });
}

} // namespace

// (is there): in this session, from now on.
MEMORY_FUNCTION(door_spread) {
    *pg::call([] { return find_rendezvous_variable(MEMORY_SHARD_OF); }) =
        DatumGetBool(arguments.datum(0)) ? reinterpret_cast<void *>(shard_of) : nullptr;
    return pg::to_datum(true);
}

} // namespace door
