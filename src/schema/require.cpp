// Comparing a room's tables with their descriptions, once until one of them changes.
#include "schema/require.h"

#include "pg/error.h"
#include "pg/handles.h"
#include "pg/spi.h"
#include "pg/watch.h"
#include "schema/columns.h"
#include "schema/relations.h"

extern "C" {
#include "catalog/pg_namespace.h"
#include "commands/trigger.h"
}

namespace memory::schema {

namespace {

// Rooms that were found whole, and the tables that this rests on: a change of one of them, by
// whomever and also by this transaction's end, makes all rooms be compared again.
class Known {
  public:
    constexpr Known() = default;

    bool whole(const Room &room) const noexcept {
        const Room *const *const end = rooms_.data() + room_count_;
        return std::find<const Room *const *>(rooms_.data(), end, &room) != end;
    }
    // How often something has changed.
    std::uint64_t changes() const noexcept { return changes_; }

    // Without room for it the room is compared at every call.
    void add(const Room &room) noexcept {
        if (room_count_ < rooms_.size() && !overflowed_)
            rooms_[room_count_++] = &room;
    }
    void rests_on(Oid table) noexcept {
        if (table_count_ == tables_.size())
            overflowed_ = true;
        else
            tables_[table_count_++] = table;
    }
    void changed(Oid table) noexcept {
        const Oid *const end = tables_.data() + table_count_;
        if (OidIsValid(table) && std::find<const Oid *>(tables_.data(), end, table) == end)
            return;
        room_count_ = table_count_ = 0;
        overflowed_ = false;
        ++changes_;
    }

  private:
    std::array<const Room *, 32> rooms_{};
    std::array<Oid, 128> tables_{};
    std::size_t room_count_ = 0;
    std::size_t table_count_ = 0;
    std::uint64_t changes_ = 0;
    bool overflowed_ = false;
};

constinit Known known;

void note_change(Oid table) noexcept { known.changed(table); }

template <class... Values>
Lack lack(const char *format, Values... values) {
    std::array<char, 256> text;
    std::snprintf(text.data(), text.size(), format, values...);
    return text;
}

Lack lack_of(const TupleDesc shape, const Table &table, const Column &column) {
    for (int at = 0; at < shape->natts; ++at) {
        const FormData_pg_attribute &found = *TupleDescAttr(shape, at);
        if (found.attisdropped || std::strcmp(NameStr(found.attname), column.name) != 0)
            continue;
        if (column.default_call != nullptr && !found.atthasdef)
            return lack("column memory.%s.%s has no default", table.name, column.name);
        return std::nullopt;
    }
    return lack("column memory.%s.%s is missing", table.name, column.name);
}

bool has_trigger(const TriggerDesc *triggers, const char *name) {
    for (int at = 0; triggers != nullptr && at < triggers->numtriggers; ++at)
        if (std::strcmp(triggers->triggers[at].tgname, name) == 0)
            return true;
    return false;
}

Lack lack_of(const Table &table) {
    const Oid id = table_named(table.name);
    if (!OidIsValid(id))
        return lack("table memory.%s is missing", table.name);
    known.rests_on(id);
    const pg::OpenRelation open(id, AccessShareLock);
    return lack_of(open.get(), table);
}

Lack lack_of(const Room &room) {
    for (const Table &table : room.tables)
        if (const Lack found = lack_of(table))
            return found;
    return std::nullopt;
}

bool caller_owns_schema() {
    const Oid schema = memory_schema();
    return pg::call([=] {
        HeapTuple row = SearchSysCache1(NAMESPACEOID, ObjectIdGetDatum(schema));
        if (!HeapTupleIsValid(row))
            return false;
        const Oid owner = reinterpret_cast<Form_pg_namespace>(GETSTRUCT(row))->nspowner;
        ReleaseSysCache(row);
        return owner == GetUserId();
    });
}

} // namespace

Lack lack_of(Relation open, const Table &table) {
    Lack found;
    each_column(table, [&](const Column &column) {
        if (!found)
            found = lack_of(RelationGetDescr(open), table, column);
    });
    for (const Part &trigger : table.triggers)
        if (!found && !has_trigger(open->trigdesc, trigger.name))
            found = lack("trigger %s of table memory.%s is missing", trigger.name, table.name);
    return found;
}

bool some_exist() {
    bool found = false;
    each_table([&](const Table &table) { found = found || OidIsValid(table_named(table.name)); });
    return found;
}

void require(Need need, const Room &room) {
    if (known.whole(room)) [[likely]]
        return;
    pg::watch_relations<note_change>();
    const std::uint64_t changes = known.changes();
    const Lack found = lack_of(room);
    if (!found) {
        if (known.changes() == changes)
            known.add(room);
        return;
    }
    const bool none = !some_exist();
    if (none && need == Need::to_write && caller_owns_schema())
        return make_whole();
    pg::Error error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                    none ? "the tables of memory have not been created in this database"
                         : "the tables of memory are older than the library, or were changed");
    if (!none)
        error.detail("%s", found->data());
    throw error.hint("Run SELECT memory.init(); as the owner of schema memory.");
}

void require_all(Need need) {
    for (const Room *room : rooms())
        require(need, *room);
}

} // namespace memory::schema
