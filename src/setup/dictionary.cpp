// memory.set_dictionary(): sets the option of every recall index of the rooms, and builds it anew.
#include "setup/dictionary.h"

#include "access/owned_tables.h"
#include "index/options.h"
#include "models/columns.h"
#include "pg/error.h"
#include "pg/function.h"
#include "pg/handles.h"
#include "pg/local_settings.h"
#include "pg/spi.h"
#include "schema/make.h"
#include "schema/partitions.h"
#include "schema/relations.h"
#include "schema/require.h"
#include "schema/rooms.h"

extern "C" {
#include "catalog/pg_ts_dict.h"
#include "utils/builtins.h"
#include "utils/syscache.h"
}

namespace memory::setup {

namespace {

struct TextIndex {
    const char *table;
    const schema::Part *part;
    Oid id;
};

bool is_of_texts(const schema::Part &index) {
    const std::string_view definition = index.definition;
    return definition.starts_with("USING recall") && definition != models::codes_of_vectors;
}

// Calls visit(TextIndex) for every recall index of texts that there is of the rooms.
template <class Visit>
void each_text_index(Visit &&visit) {
    schema::each_table([&](const schema::Table &table) {
        for (const schema::Part &index : table.indexes) {
            if (!is_of_texts(index) || !OidIsValid(schema::table_named(table.name)))
                continue;
            if (const Oid id = schema::index_named(index.name, table.name); OidIsValid(id))
                visit(TextIndex{table.name, &index, id});
        }
    });
}

// All parts have one.
Oid dictionary_of(const TextIndex &index) {
    Oid found = InvalidOid;
    schema::each_part_of_index(index.id, [&found](Oid part) {
        found = index::dictionary_of(pg::OpenRelation(part, AccessShareLock).get());
    });
    return found;
}

// With its schema: an index looks its dictionary up by the search_path of the session.
const char *quoted_name(Oid dictionary) {
    const char *name = pg::call([dictionary]() -> const char * {
        HeapTuple row = SearchSysCache1(TSDICTOID, ObjectIdGetDatum(dictionary));
        if (!HeapTupleIsValid(row))
            return nullptr;
        const auto *found = reinterpret_cast<Form_pg_ts_dict>(GETSTRUCT(row));
        const char *quoted = quote_qualified_identifier(get_namespace_name(found->dictnamespace),
                                                        NameStr(found->dictname));
        ReleaseSysCache(row);
        return quote_literal_cstr(quoted);
    });
    if (name == nullptr)
        throw pg::Error(ERRCODE_UNDEFINED_OBJECT, "there is no dictionary with oid %u", dictionary)
            .hint("\\dFd lists the text search dictionaries.");
    return name;
}

// The table is locked before its index, and wholly: a session that reads it and then writes would
// otherwise wait for this one, which waits for that.
void rebuild(const TextIndex &index, const char *option) {
    pg::run_utility(pg::call(
        [&] { return psprintf("LOCK TABLE memory.%s IN ACCESS EXCLUSIVE MODE", index.table); }));
    schema::each_part_of_index(index.id, [option](Oid part) {
        pg::run_utility(pg::call([=] {
            const char *name = quote_identifier(get_rel_name(part));
            return psprintf("ALTER INDEX memory.%s %s;"
                            "REINDEX INDEX memory.%s;",
                            name, option, name);
        }));
    });
}

const char *option_for(Oid dictionary) {
    if (!OidIsValid(dictionary))
        return "RESET (dictionary)";
    const char *name = quoted_name(dictionary);
    return pg::call([name] { return psprintf("SET (dictionary = %s)", name); });
}

// Runs no name through the caller's search_path.
class AsOwner {
  public:
    AsOwner() : owner_(access::ownership()) { settings_.set("search_path", "pg_catalog, pg_temp"); }

  private:
    pg::LocalSettings settings_;
    access::InOwnersPlace owner_;
};

void check_may_set() {
    const access::Ownership tables = access::ownership();
    if (!tables.acts_as_owner && !tables.is_admin)
        throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE,
                        "permission denied to set the dictionary of the memory tables")
            .hint("Only their owner and roles with 'admin' access may.");
}

} // namespace

KeptDictionary::KeptDictionary() {
    each_text_index([this](const TextIndex &index) {
        if (!dictionary_)
            dictionary_ = dictionary_of(index);
        there_.at(count_++) = index.part;
    });
}

void KeptDictionary::give_to_new_indexes() const {
    if (!dictionary_ || !OidIsValid(*dictionary_))
        return;
    each_text_index([this](const TextIndex &index) {
        const auto *end = there_.begin() + count_;
        if (std::find(there_.begin(), end, index.part) == end)
            rebuild(index, option_for(*dictionary_));
    });
}

MEMORY_FUNCTION(memory_set_dictionary) {
    schema::require_all(schema::Need::to_write);
    const pg::Spi spi;
    check_may_set();
    const Oid wanted = arguments.has(0) ? DatumGetObjectId(arguments.datum(0)) : InvalidOid;
    if (arguments.has(0))
        quoted_name(wanted); // or an error, before any lock
    schema::lock_tables();
    const AsOwner as_owner;
    each_text_index([wanted](const TextIndex &index) {
        if (dictionary_of(index) != wanted)
            rebuild(index, option_for(wanted));
    });
    return Datum{0};
}

} // namespace memory::setup
