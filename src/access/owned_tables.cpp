// See owned_tables.h.
#include "access/owned_tables.h"

namespace memory::access {

Oid tables_owner() {
    static constinit pg::Statement find(
        "SELECT relowner FROM pg_catalog.pg_class "
        "WHERE oid OPERATOR(pg_catalog.=) 'memory.episodes'::pg_catalog.regclass");
    return DatumGetObjectId(*find.run({}, pg::Access::read).value(0, 0));
}

void add(std::pmr::string &script, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts)
        script += part;
    script += ";\n";
}

} // namespace memory::access
