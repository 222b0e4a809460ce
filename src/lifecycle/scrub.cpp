// memory.scrub(): what VACUUM leaves of deleted rows in the files of our tables goes.
//
// VACUUM takes rows out of use; their bytes stay until something is written over them. Pages are
// blanked in place (blank.h). What no page can be without, an index that keeps words of deleted
// rows among those of others, is built anew: last, and only where its locks are free, so that this
// call waits for nothing while it holds them.
#include "access/owned_tables.h"
#include "index/remains.h"
#include "lifecycle/blank.h"
#include "lifecycle/separators.h"
#include "lifecycle/tables.h"
#include "pg/error.h"
#include "pg/function_call.h"
#include "pg/handles.h"
#include "pg/memory.h"
#include "schema/partitions.h"
#include "schema/relations.h"
#include "schema/require.h"

extern "C" {
#include "access/tableam.h"
#include "access/xlog.h"
#include "commands/defrem.h"
#include "miscadmin.h"
#include "storage/latch.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"
}

namespace memory::lifecycle {

namespace {

// How long locks are tried for, all together; VACUUM tries as long before it gives up truncating.
constexpr int patience_ms = 5000;
constexpr int pause_ms = 50;

constexpr std::string_view reindex = "REINDEX INDEX CONCURRENTLY ";

bool keeps_words_of_deleted(Relation btree) {
    return has_words(btree) && has_old_separators(btree);
}
bool never(Relation) { return false; }

// Indexes of which it is known what is on their pages.
struct Method {
    std::string_view name;
    Pages pages;
    bool (*needs_rebuilding)(Relation);
};
constexpr Method methods[] = {
    {"btree", Pages::standard, keeps_words_of_deleted},
    {"recall", Pages::recall, index::has_remains},
    {"gist", Pages::standard, has_words}, // its inner pages are unions of what has been there
    {"hash", Pages::standard, never},     // of hashes
    {"hnsw", Pages::standard, never},     // its VACUUM writes zeros over vectors
};

const Method *method_of(Relation index) {
    const Oid method = index->rd_rel->relam;
    const std::string_view name = pg::call([method] { return get_am_name(method); });
    const auto *found = std::find_if(std::begin(methods), std::end(methods),
                                     [name](const Method &one) { return one.name == name; });
    return found == std::end(methods) ? nullptr : found;
}

std::pmr::vector<Oid> indexes_of(Relation table, std::pmr::memory_resource *memory) {
    std::pmr::vector<Oid> indexes(memory);
    const List *list = pg::call([table] { return RelationGetIndexList(table); });
    for (int n = 0; n < list_length(list); ++n)
        indexes.push_back(list_nth_oid(list, n));
    return indexes;
}

struct OldIndex {
    Oid table;
    Oid id;
};

// The locks of a REINDEX, if they are free: nothing is held otherwise.
bool lock_to_rebuild(const OldIndex &index) {
    return pg::call([&] {
        if (!ConditionalLockRelationOid(index.table, ShareLock))
            return false;
        if (ConditionalLockRelationOid(index.id, AccessExclusiveLock))
            return true;
        UnlockRelationOid(index.table, ShareLock);
        return false;
    });
}

void pause() {
    pg::call([] {
        WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, pause_ms,
                  PG_WAIT_EXTENSION);
        ResetLatch(MyLatch);
        CHECK_FOR_INTERRUPTS();
    });
}

const char *quoted_name(Oid relation) {
    return pg::call([relation] {
        const char *name = get_rel_name(relation);
        const char *schema = get_namespace_name(get_rel_namespace(relation));
        return name == nullptr || schema == nullptr ? "?"
                                                    : quote_qualified_identifier(schema, name);
    });
}

// Commands that are left to be given.
class Advice {
  public:
    explicit Advice(std::pmr::memory_resource *memory) : commands_(memory) {}

    void add(std::string_view command, Oid relation) {
        commands_.append(commands_.empty() ? "" : " ").append(command);
        commands_.append(quoted_name(relation)).append(";");
    }
    void warn(const char *message, const char *detail, const char *then = "") const {
        if (!commands_.empty())
            pg::call([&] {
                ereport(WARNING, (errmsg("%s", message), errdetail_internal("%s", detail),
                                  errhint("%s%s", commands_.c_str(), then)));
            });
    }

  private:
    std::pmr::string commands_;
};

class Scrub {
  public:
    explicit Scrub(std::pmr::memory_resource *memory)
        : memory_(memory), old_(memory), to_vacuum_(memory), to_rebuild_(memory), unknown_(memory) {
    }

    void table(Oid id);
    void rebuild();
    void warn() const;
    std::int64_t pages() const noexcept { return pages_; }

  private:
    std::int64_t heap(Relation table);
    void index(Oid table, Oid id);
    bool rebuild(const OldIndex &index);
    void blank_index(Oid id);

    std::pmr::memory_resource *memory_;
    std::pmr::vector<OldIndex> old_;
    Advice to_vacuum_;
    Advice to_rebuild_;
    Advice unknown_;
    std::int64_t dead_rows_ = 0;
    std::int64_t pages_ = 0;
    int waited_ms_ = 0;
};

// Gives the rows that are dead and still there.
std::int64_t Scrub::heap(Relation table) {
    if (table->rd_tableam != GetHeapamTableAmRoutine())
        throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED, "%s is not of table access method heap",
                        quoted_name(RelationGetRelid(table)));
    const Blanked blanked = blank(table, Pages::heap);
    pages_ += blanked.pages;
    for (const Oid id : indexes_of(table, memory_))
        index(RelationGetRelid(table), id);
    return blanked.dead_rows;
}

void Scrub::table(Oid id) {
    const pg::OpenRelation table(id, RowExclusiveLock);
    std::int64_t dead = heap(table.get());
    if (const Oid toast = table.get()->rd_rel->reltoastrelid; OidIsValid(toast))
        dead += heap(pg::OpenRelation(toast, RowExclusiveLock).get());
    dead_rows_ += dead;
    if (dead > 0)
        to_vacuum_.add("VACUUM (INDEX_CLEANUP ON) ", id);
}

void Scrub::index(Oid table, Oid id) {
    const pg::OpenRelation index(id, RowExclusiveLock);
    const Method *method = method_of(index.get());
    if (method == nullptr)
        unknown_.add(reindex, id);
    else if (method->needs_rebuilding(index.get()))
        old_.push_back({table, id});
    else
        pages_ += blank(index.get(), method->pages).pages;
}

void Scrub::blank_index(Oid id) {
    const pg::OpenRelation index(id, NoLock);
    pages_ += blank(index.get(), method_of(index.get())->pages).pages;
}

bool Scrub::rebuild(const OldIndex &index) {
    while (!lock_to_rebuild(index)) {
        if (waited_ms_ >= patience_ms)
            return false;
        pause();
        waited_ms_ += pause_ms;
    }
    const char *name = quoted_name(index.id);
    pg::run_utility(pg::call([name] { return psprintf("REINDEX INDEX %s", name); }));
    const pg::OpenRelation anew(index.id, NoLock);
    pages_ += pg::call([&] { return RelationGetNumberOfBlocks(anew.get()); });
    // A build leaves words of living rows in holes.
    blank(anew.get(), method_of(anew.get())->pages);
    return true;
}

void Scrub::rebuild() {
    for (const OldIndex &index : old_)
        if (!rebuild(index)) {
            blank_index(index.id);
            to_rebuild_.add(reindex, index.id);
        }
}

void Scrub::warn() const {
    const char *rows = pg::call([this] {
        return psprintf("deleted rows are still there: %lld", static_cast<long long>(dead_rows_));
    });
    to_vacuum_.warn(rows,
                    "VACUUM has not removed them, or not from the indexes; it cannot remove what "
                    "an older transaction may see.",
                    " SELECT memory.scrub();");
    to_rebuild_.warn("some indexes keep words of deleted rows",
                     "They could not be locked, as their tables are in use.");
    unknown_.warn("some indexes may keep words of deleted rows",
                  "What is on their pages is known to their access methods alone.");
}

void check_may_scrub() {
    if (!access::ownership().acts_as_owner)
        throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE,
                        "permission denied for function memory.scrub")
            .hint("It is for the owner of the memory tables.");
    pg::call([] { PreventCommandDuringRecovery("memory.scrub()"); });
}

} // namespace

MEMORY_CALL(memory_scrub, "") {
    schema::require_all(schema::Need::to_read);
    const pg::Spi spi;
    check_may_scrub();
    pg::TemporaryContext memory("memory.scrub");
    Scrub scrub(memory.resource());
    schema::each_table([&](const schema::Table &table) {
        if (const Oid id = schema::table_named(table.name); OidIsValid(id))
            schema::each_part(id, [&scrub](Oid part) { scrub.table(part); });
    });
    scrub.rebuild();
    scrub.warn();
    return call.result(scrub.pages());
}

} // namespace memory::lifecycle
