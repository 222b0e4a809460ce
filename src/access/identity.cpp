// Checks the form of an identity expression, then evaluates it once under a watch on what is read.
// PostgreSQL accepts more in a policy than works there: an aggregate is one of no rows, a set is
// one of many, what is volatile is asked as often as the plan likes, and a function that reads a
// protected table asks the policy that asks it.
#include "access/identity.h"

#include "pg/attempt.h"
#include "pg/entry.h"
#include "pg/memory.h"
#include "pg/spi.h"

extern "C" {
#include "executor/executor.h"
#include "nodes/parsenodes.h"
#include "optimizer/optimizer.h"
#include "parser/analyze.h"
#include "tcop/tcopprot.h"
}

namespace memory::access {

namespace {

// Notes while it lives whether a statement, of this backend and however deep inside functions,
// reads one of these tables.
class ReadWatch {
  public:
    explicit ReadWatch(std::span<const Oid> tables)
        : tables_(tables), outer_(watching), previous_(ExecutorCheckPerms_hook) {
        watching = this;
        ExecutorCheckPerms_hook = look;
    }
    ~ReadWatch() {
        ExecutorCheckPerms_hook = previous_;
        watching = outer_;
    }
    ReadWatch(const ReadWatch &) = delete;
    ReadWatch &operator=(const ReadWatch &) = delete;

    // The first of them; InvalidOid when none was read.
    Oid read() const noexcept { return read_; }

  private:
    void note(const List *range_table) noexcept {
        const ListCell *cell;
        foreach (cell, range_table) {
            const auto *entry = lfirst_node(RangeTblEntry, cell);
            if (entry->rtekind == RTE_RELATION && !OidIsValid(read_) &&
                std::find(tables_.begin(), tables_.end(), entry->relid) != tables_.end())
                read_ = entry->relid;
        }
    }

#if PG_VERSION_NUM >= 160000
    static bool look(List *range_table, List *permissions, bool complain) {
        return pg::entry([=] {
            watching->note(range_table);
            const auto previous = watching->previous_;
            return previous == nullptr ||
                   pg::call([=] { return previous(range_table, permissions, complain); });
        });
    }
#else
    static bool look(List *range_table, bool complain) {
        return pg::entry([=] {
            watching->note(range_table);
            const auto previous = watching->previous_;
            return previous == nullptr || pg::call([=] { return previous(range_table, complain); });
        });
    }
#endif

    static constinit ReadWatch *watching;

    std::span<const Oid> tables_;
    ReadWatch *outer_;
    ExecutorCheckPerms_hook_type previous_;
    Oid read_ = InvalidOid;
};

constinit ReadWatch *ReadWatch::watching = nullptr;

// What the query for an expression has that a policy's must not; nullptr when there is nothing.
// Inside call().
const char *fault_of(const char *sql) {
    List *statements = pg_parse_query(sql);
    if (list_length(statements) != 1)
        return "be more than one expression";
    const Query *query =
        parse_analyze_fixedparams(linitial_node(RawStmt, statements), sql, nullptr, 0, nullptr);
    if (query->commandType != CMD_SELECT || list_length(query->targetList) != 1 ||
        query->jointree->fromlist != nullptr || query->setOperations != nullptr)
        return "be more than one expression";
    if (query->hasAggs)
        return "contain an aggregate function";
    if (query->hasWindowFuncs)
        return "contain a window function";
    if (query->hasTargetSRFs)
        return "return a set";
    if (contain_volatile_functions(reinterpret_cast<Node *>(query->targetList)))
        return "be volatile";
    return nullptr;
}

constexpr const char *what_it_is = "It is an SQL expression that yields the caller's user id "
                                   "without naming a column, as current_user::text does.";

void check_form(const char *sql) {
    const char *fault = nullptr;
    if (const auto error = pg::attempt([&] { fault = pg::call([sql] { return fault_of(sql); }); }))
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "identity is not an SQL expression: %s",
                        error->what())
            .hint("%s", what_it_is);
    if (fault != nullptr)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "identity must not %s", fault)
            .hint("It is one value, the same throughout a statement. Functions that it calls are "
                  "declared STABLE.");
}

void check_value(const char *sql, std::span<const Oid> tables) {
    const ReadWatch watch(tables);
    const auto error = pg::attempt([sql] { pg::run_once(sql, pg::SnapshotOf::caller, {}); });
    if (OidIsValid(watch.read()))
        throw pg::Error(ERRCODE_INVALID_OBJECT_DEFINITION,
                        "identity must not read memory.%s, which it is to protect",
                        pg::call([&watch] { return get_rel_name(watch.read()); }))
            .hint("It may read a setting, or a table of your own.");
    if (error)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "identity cannot be evaluated: %s",
                        error->what())
            .hint("Without a user it must be NULL. current_setting('...', true) is NULL where the "
                  "setting is missing.");
}

} // namespace

void check_identity(std::string_view identity, std::span<const Oid> tables) {
    if (identity.find_first_not_of(" \t\r\n") == identity.npos)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "identity must not be empty")
            .hint("%s", what_it_is);
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::string sql("SELECT (", &memory);
    sql += identity;
    sql += "\n)::pg_catalog.text";
    check_form(sql.c_str());
    check_value(sql.c_str(), tables);
}

} // namespace memory::access
