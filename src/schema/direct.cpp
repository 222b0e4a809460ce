// Texts of statements with other names of tables, each prepared once in a backend.
#include "schema/direct.h"

#include "pg/watch.h"
#include "schema/engine.h"
#include "schema/partitions.h"
#include "schema/relations.h"
#include "schema/rooms.h"

extern "C" {
#include "access/xact.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/rls.h"
}

#include <compare>
#include <map>
#include <set>
#include <unordered_map>

namespace memory::schema {

namespace {

// A table of users where a text names it, and the text behind the name.
struct Name {
    const char *table;
    std::string_view text;
};

// A text in pieces.
struct Pieces {
    explicit Pieces(std::pmr::memory_resource *memory) : names(memory) {}

    std::string_view begin;
    std::pmr::vector<Name> names;
};

constexpr std::string_view our_schema = "memory.";

bool is_of_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

// Behind a cast stands the type of the table's rows.
bool is_name_of_table(std::string_view before) {
    return before.empty() || (!is_of_word(before.back()) && !before.ends_with("::"));
}

// Null: there is no such table of users.
const char *table_of_users(std::string_view name) {
    const char *found = nullptr;
    each_table([&](const Table &table) {
        if (of_users(table) && name == table.name)
            found = table.name;
    });
    return found;
}

Pieces in_pieces(std::string_view sql, std::pmr::memory_resource *memory) {
    Pieces pieces(memory);
    std::size_t from = 0;
    std::string_view *last = &pieces.begin;
    for (auto at = sql.find(our_schema); at != sql.npos; at = sql.find(our_schema, at + 1)) {
        const std::size_t begin = at + our_schema.size();
        std::size_t end = begin;
        while (end < sql.size() && is_of_word(sql[end]))
            ++end;
        const char *const table = table_of_users(sql.substr(begin, end - begin));
        if (table == nullptr || !is_name_of_table(sql.substr(0, at)))
            continue;
        *last = sql.substr(from, at - from);
        from = end;
        last = &pieces.names.emplace_back(Name{table, {}}).text;
    }
    *last = sql.substr(from);
    return pieces;
}

// What a backend keeps: the pieces of each statement, and the statements that were made of them.
class Kept {
  public:
    explicit Kept(MemoryContext context)
        : memory_(context), pieces_(&memory_), once_(&memory_), for_each_values_(&memory_) {}

    const Pieces &pieces_of(const pg::Statement &statement) {
        const auto found = pieces_.find(&statement);
        if (found != pieces_.end()) [[likely]]
            return found->second;
        return pieces_.try_emplace(&statement, in_pieces(statement.sql(), &memory_)).first->second;
    }

    pg::Statement &statement(const std::pmr::string &sql, pg::Statement::Planned planned) {
        auto &all = planned == pg::Statement::once ? once_ : for_each_values_;
        const auto [made, is_new] = all.try_emplace(sql, sql.c_str(), planned);
        if (is_new) // the text that stays
            made->second = pg::Statement(made->first.c_str(), planned);
        return made->second;
    }

  private:
    pg::ContextResource memory_;
    std::pmr::unordered_map<const pg::Statement *, Pieces> pieces_;
    std::pmr::unordered_map<std::pmr::string, pg::Statement> once_;
    std::pmr::unordered_map<std::pmr::string, pg::Statement> for_each_values_;
};

Kept &kept() {
    static constinit Kept *all = nullptr;
    if (all == nullptr)
        all = pg::make_in<Kept>(TopMemoryContext, TopMemoryContext);
    return *all;
}

struct User {
    std::string_view name_space;
    std::string_view name;
};

// A table by its name.
struct Found {
    Oid table;
    bool in_partitions;
};

// What decides whether a statement may name a partition.
struct Case {
    const pg::Statement *statement;
    Oid partition; // of the table that it names first
    Oid role;
    bool row_security; // the setting

    auto operator<=>(const Case &) const = default;
};

// What has been decided: to look at tables, rights and names in each call would take longer than
// the rest of what is done here. Forgotten when one of the relations changes, or a role does.
class Decided {
  public:
    explicit Decided(MemoryContext context)
        : memory_(context), tables_(&memory_), made_(&memory_), relations_(&memory_) {}

    std::uint64_t changes() const noexcept { return changes_; }
    void changed(Oid relation) noexcept {
        ++changes_;
        if (OidIsValid(relation) && !relations_.contains(relation))
            return;
        tables_.clear();
        made_.clear();
        relations_.clear();
    }

    // An error when there is no such table. `name` is a literal.
    Found table(const char *name) {
        const auto known = tables_.find(name);
        if (known != tables_.end()) [[likely]]
            return known->second;
        const std::uint64_t before = changes_;
        const Oid id = require_table(name);
        const Found found{id, is_in_partitions(id)};
        if (changes_ == before) {
            relations_.insert(id);
            tables_.emplace(name, found);
        }
        return found;
    }

    // Null: not decided.
    pg::Statement *find(const Case &of) const {
        const auto known = made_.find(of);
        return known == made_.end() ? nullptr : known->second;
    }
    void add(const Case &of, pg::Statement &made, std::span<const Oid> relations) {
        relations_.insert(relations.begin(), relations.end());
        made_.emplace(of, &made);
    }

  private:
    pg::ContextResource memory_;
    std::pmr::map<const char *, Found> tables_;
    std::pmr::map<Case, pg::Statement *> made_;
    std::pmr::set<Oid> relations_; // that both rest on
    std::uint64_t changes_ = 0;
};

Decided &decided() { return pg::Remembered<Decided, AUTHOID, AUTHMEMROLEMEM>::get(); }

AclMode rights_to(Does does) {
    return does == Does::read    ? ACL_SELECT
           : does == Does::write ? ACL_SELECT | ACL_INSERT | ACL_UPDATE
                                 : ACL_SELECT | ACL_DELETE;
}

// Locks the tables of a statement as it does itself where it names them, until the transaction
// ends: what would have a say comes after that, or was there before, and PostgreSQL has told of it.
void lock_tables_of(const Pieces &pieces, Does does) {
    const LOCKMODE mode =
        does == Does::read || XactReadOnly ? AccessShareLock : RowExclusiveLock; // as on a standby
    std::uint64_t changes;
    do {
        changes = decided().changes();
        for (const Name &name : pieces.names) {
            const Oid table = decided().table(name.table).table;
            pg::call([=] { LockRelationOid(table, mode); });
        }
    } while (decided().changes() != changes);
}

// Whether the caller may do so with all rows.
bool is_open_to_caller(Oid relation, Does does) {
    const AclMode rights = rights_to(does);
    return pg::call([=] {
        return pg_class_aclmask(relation, GetUserId(), rights, ACLMASK_ALL) == rights &&
               check_enable_rls(relation, InvalidOid, true) != RLS_ENABLED;
    });
}

// Whether what happens to a statement is in the hands of the table that it names: of its rules, and
// of triggers that are fired once for the statement. Those for each row a partition has, too.
bool has_statement_hooks(Oid relation, Does does) {
    const pg::OpenRelation open(relation, AccessShareLock);
    const TriggerDesc *const on = open.get()->trigdesc;
    if (open.get()->rd_rules != nullptr || on == nullptr)
        return open.get()->rd_rules != nullptr;
    return does == Does::erase
               ? on->trig_delete_before_statement || on->trig_delete_after_statement
               : on->trig_insert_before_statement || on->trig_insert_after_statement ||
                     on->trig_update_before_statement || on->trig_update_after_statement;
}

bool may_be_direct(const Place &place, Does does) {
    const std::array both{place.table(), place.relation()};
    return std::all_of(both.begin(), both.end(), [does](Oid relation) {
        return is_open_to_caller(relation, does) &&
               (does == Does::read || !has_statement_hooks(relation, does));
    });
}

// With its schema, as SQL has it; empty where it is not in ours.
std::string_view name_of(Oid partition) {
    const Oid ours = memory_schema();
    return pg::call([=]() -> const char * {
        if (get_rel_namespace(partition) != ours)
            return "";
        return quote_qualified_identifier("memory", get_rel_name(partition));
    });
}

// The statement for a user of this partition, and the relations that this rests on.
pg::Statement &decide(pg::Statement &statement, const Pieces &pieces, Does does, const User &user,
                      std::pmr::vector<Oid> &relations) {
    std::pmr::string sql(pieces.begin, relations.get_allocator());
    bool direct = true;
    for (const Name &name : pieces.names) {
        const Place place = Place::of_user(name.table, user.name_space, user.name);
        relations.insert(relations.end(), {place.table(), place.relation()});
        const std::string_view partition =
            may_be_direct(place, does) ? name_of(place.relation()) : std::string_view();
        direct = direct && !partition.empty();
        sql.append(partition).append(name.text);
    }
    return kept().statement(direct ? sql : std::pmr::string(statement.sql(), sql.get_allocator()),
                            statement.planned() == pg::Statement::for_each_values
                                ? pg::Statement::for_each_values
                                : pg::Statement::once);
}

} // namespace

pg::Statement &direct(pg::Statement &statement, Does does, std::string_view name_space,
                      std::string_view user) {
    const Pieces &pieces = kept().pieces_of(statement);
    if (pieces.names.empty())
        return statement;
    const char *const first = pieces.names.front().table;
    if (!decided().table(first).in_partitions || has_engine()) [[likely]]
        return statement;
    lock_tables_of(pieces, does);
    const Oid table = decided().table(first).table;
    const Oid partition = partition_of(table, name_space, user);
    const Case of{&statement, partition, GetUserId(), row_security};
    if (pg::Statement *const known = decided().find(of)) [[likely]]
        return *known;
    const std::uint64_t changes = decided().changes();
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<Oid> relations(&memory);
    pg::Statement &made = decide(statement, pieces, does, {name_space, user}, relations);
    const bool for_all_of_it =
        std::all_of(pieces.names.begin(), pieces.names.end(), [&](const Name &name) {
            return have_same_bounds(table, require_table(name.table));
        });
    if (for_all_of_it && decided().changes() == changes)
        decided().add(of, made, relations);
    return made;
}

} // namespace memory::schema
