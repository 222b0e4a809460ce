// Whether a statement binds the tenant: for each table with columns namespace and user_id that it
// reads or writes, that the first equals $1 and the second $2 whatever else is true. So conditions
// count that stand alone or behind AND, above the table or in the join that may leave it out; and
// columns that equal a bound column of another table.
//
// Runs inside one call(): everything here is plain and lives in the current memory context.
#include "fail.h"
#include "pg/rows.h"

extern "C" {
#include "catalog/pg_namespace.h"
#include "catalog/pg_operator.h"
#include "nodes/nodeFuncs.h"
#include "parser/analyze.h"
#include "parser/parsetree.h"
#include "tcop/tcopprot.h"
}

namespace door {

namespace {

constexpr int name_space = 1; // what the columns must equal: $1
constexpr int user = 2;       // $2

struct Column {
    Index table;
    AttrNumber number;
    int parameter;
};

// One SELECT, INSERT, UPDATE or DELETE, within what it is written in.
struct Level {
    Query *query;
    const Level *outer;
    Column *bound; // those that are known to equal a parameter
    int count;
};

// A use of a table, and what of its tenant is bound.
struct Use {
    Oid table;
    bool has[3];
    bool bound[3];
};

struct Uses {
    Use *uses;
    int count;
};

void study(Query *query, const Level *outer, Uses *found);

const Level *up(const Level *level, Index levels) {
    while (levels-- > 0 && level != nullptr)
        level = level->outer;
    return level;
}

int parameter_of(Node *expression, const Level *level);

// The column of a query in FROM or WITH. Of a UNION it is bound when it is in every part.
int parameter_of_output(Query *query, const Level *outer, AttrNumber column);

void bind_all(Level *level);

int parameter_of_part(Node *part, const Level *level, AttrNumber column) {
    if (IsA(part, SetOperationStmt)) {
        const auto *both = reinterpret_cast<SetOperationStmt *>(part);
        const int left = parameter_of_part(both->larg, level, column);
        return left == parameter_of_part(both->rarg, level, column) ? left : 0;
    }
    RangeTblEntry *entry =
        rt_fetch(reinterpret_cast<RangeTblRef *>(part)->rtindex, level->query->rtable);
    return parameter_of_output(entry->subquery, level, column);
}

int parameter_of_output(Query *query, const Level *outer, AttrNumber column) {
    Level level{query, outer, nullptr, 0};
    bind_all(&level);
    if (query->setOperations != nullptr)
        return parameter_of_part(query->setOperations, &level, column);
    List *outputs = query->returningList != NIL ? query->returningList : query->targetList;
    TargetEntry *output = get_tle_by_resno(outputs, column);
    return output == nullptr ? 0 : parameter_of(reinterpret_cast<Node *>(output->expr), &level);
}

int parameter_of_cte(RangeTblEntry *entry, const Level *level, AttrNumber column) {
    const Level *defined = up(level, entry->ctelevelsup);
    if (defined == nullptr || entry->self_reference)
        return 0;
    ListCell *cell;
    foreach (cell, defined->query->cteList) {
        const auto *cte = static_cast<CommonTableExpr *>(lfirst(cell));
        if (std::strcmp(cte->ctename, entry->ctename) == 0)
            return parameter_of_output(castNode(Query, cte->ctequery), defined, column);
    }
    return 0;
}

int parameter_of_values(RangeTblEntry *entry, const Level *level, AttrNumber column) {
    int parameter = -1;
    ListCell *row;
    foreach (row, entry->values_lists) {
        auto *value = static_cast<Node *>(list_nth(static_cast<List *>(lfirst(row)), column - 1));
        const int found = parameter_of(value, level);
        if (parameter != -1 && parameter != found)
            return 0;
        parameter = found;
    }
    return std::max(parameter, 0);
}

int parameter_of_variable(const Var *variable, const Level *here) {
    const Level *level = up(here, variable->varlevelsup);
    if (level == nullptr)
        return 0;
    const auto table = static_cast<Index>(variable->varno);
    for (int i = 0; i < level->count; ++i)
        if (level->bound[i].table == table && level->bound[i].number == variable->varattno)
            return level->bound[i].parameter;
    RangeTblEntry *entry = rt_fetch(table, level->query->rtable);
    switch (entry->rtekind) {
    case RTE_JOIN:
        return parameter_of(
            static_cast<Node *>(list_nth(entry->joinaliasvars, variable->varattno - 1)), level);
    case RTE_SUBQUERY:
        return parameter_of_output(entry->subquery, level, variable->varattno);
    case RTE_CTE:
        return parameter_of_cte(entry, level, variable->varattno);
    case RTE_VALUES:
        return parameter_of_values(entry, level, variable->varattno);
#if PG_VERSION_NUM >= 180000
    case RTE_GROUP:
        return parameter_of(
            static_cast<Node *>(list_nth(entry->groupexprs, variable->varattno - 1)), level);
#endif
    default:
        return 0;
    }
}

Node *stripped(Node *expression) {
    for (;;)
        if (expression != nullptr && IsA(expression, RelabelType))
            expression = reinterpret_cast<Node *>(reinterpret_cast<RelabelType *>(expression)->arg);
        else if (expression != nullptr && IsA(expression, CollateExpr))
            expression = reinterpret_cast<Node *>(reinterpret_cast<CollateExpr *>(expression)->arg);
        else
            return expression;
}

// Which of $1 and $2 an expression is; 0: neither for sure.
int parameter_of(Node *expression, const Level *level) {
    expression = stripped(expression);
    if (expression == nullptr)
        return 0;
    if (IsA(expression, Param)) {
        const auto *parameter = reinterpret_cast<Param *>(expression);
        return parameter->paramkind == PARAM_EXTERN ? parameter->paramid : 0;
    }
    return IsA(expression, Var) ? parameter_of_variable(reinterpret_cast<Var *>(expression), level)
                                : 0;
}

bool is_equality(const OpExpr *operation) {
    HeapTuple row = SearchSysCache1(OPEROID, ObjectIdGetDatum(operation->opno));
    const auto known = reinterpret_cast<Form_pg_operator>(GETSTRUCT(row));
    const bool equality = std::strcmp(NameStr(known->oprname), "=") == 0 &&
                          known->oprnamespace == PG_CATALOG_NAMESPACE;
    ReleaseSysCache(row);
    return equality && list_length(operation->args) == 2;
}

// `side` equals `other`. Returns whether that is news.
bool bind(Level *level, Node *side, Node *other, Bitmapset *tables) {
    side = stripped(side);
    if (side == nullptr || !IsA(side, Var))
        return false;
    const auto *variable = reinterpret_cast<Var *>(side);
    if (variable->varlevelsup != 0 || !bms_is_member(static_cast<int>(variable->varno), tables) ||
        parameter_of(side, level) != 0)
        return false;
    const int parameter = parameter_of(other, level);
    if (parameter == 0)
        return false;
    constexpr int most = 100;
    if (level->bound == nullptr)
        level->bound = static_cast<Column *>(palloc(most * sizeof(Column)));
    if (level->count == most)
        elog(ERROR, "more columns than this test can remember");
    level->bound[level->count++] = {static_cast<Index>(variable->varno), variable->varattno,
                                    parameter};
    return true;
}

// What `condition` says of these tables.
bool bind_by(Level *level, Node *condition, Bitmapset *tables) {
    if (condition == nullptr)
        return false;
    bool news = false;
    if (IsA(condition, List)) {
        ListCell *cell;
        foreach (cell, reinterpret_cast<List *>(condition))
            news |= bind_by(level, static_cast<Node *>(lfirst(cell)), tables);
    } else if (is_andclause(condition)) {
        news |= bind_by(
            level, reinterpret_cast<Node *>(reinterpret_cast<BoolExpr *>(condition)->args), tables);
    } else if (IsA(condition, OpExpr) && is_equality(reinterpret_cast<OpExpr *>(condition))) {
        List *sides = reinterpret_cast<OpExpr *>(condition)->args;
        news |= bind(level, static_cast<Node *>(linitial(sides)),
                     static_cast<Node *>(lsecond(sides)), tables);
        news |= bind(level, static_cast<Node *>(lsecond(sides)),
                     static_cast<Node *>(linitial(sides)), tables);
    }
    return news;
}

// Goes through FROM and WHERE. `tables` receives those that `node` is made of.
bool bind_in(Level *level, Node *node, Bitmapset **tables) {
    *tables = nullptr;
    if (IsA(node, RangeTblRef)) {
        *tables = bms_make_singleton(reinterpret_cast<RangeTblRef *>(node)->rtindex);
        return false;
    }
    bool news = false;
    if (IsA(node, FromExpr)) {
        const auto *from = reinterpret_cast<FromExpr *>(node);
        ListCell *cell;
        foreach (cell, from->fromlist) {
            Bitmapset *part;
            news |= bind_in(level, static_cast<Node *>(lfirst(cell)), &part);
            *tables = bms_union(*tables, part);
        }
        return bind_by(level, from->quals, *tables) || news;
    }
    const auto *join = castNode(JoinExpr, node);
    Bitmapset *left;
    Bitmapset *right;
    news |= bind_in(level, join->larg, &left);
    news |= bind_in(level, join->rarg, &right);
    *tables = bms_union(left, right);
    // What an outer join keeps is not held to its condition.
    Bitmapset *held = nullptr;
    if (join->jointype == JOIN_INNER || join->jointype == JOIN_RIGHT)
        held = bms_union(held, left);
    if (join->jointype == JOIN_INNER || join->jointype == JOIN_LEFT)
        held = bms_union(held, right);
    return bind_by(level, join->quals, held) || news;
}

void bind_all(Level *level) {
    Bitmapset *tables;
    if (level->query->jointree == nullptr)
        return;
    while (bind_in(level, reinterpret_cast<Node *>(level->query->jointree), &tables)) {
    }
}

AttrNumber column_of(Oid table, int parameter) {
    return get_attnum(table, parameter == name_space ? "namespace" : "user_id");
}

void add(Uses *found, const Level *level, Index table, bool inserted) {
    const RangeTblEntry *entry = rt_fetch(table, level->query->rtable);
    Use use{entry->relid, {}, {}};
    for (const int parameter : {name_space, user}) {
        const AttrNumber column = column_of(use.table, parameter);
        use.has[parameter] = column != InvalidAttrNumber;
        if (!use.has[parameter])
            continue;
        if (inserted) {
            TargetEntry *given = get_tle_by_resno(level->query->targetList, column);
            use.bound[parameter] =
                given != nullptr &&
                parameter_of(reinterpret_cast<Node *>(given->expr), level) == parameter;
        } else {
            for (int i = 0; i < level->count; ++i)
                use.bound[parameter] |= level->bound[i].table == table &&
                                        level->bound[i].number == column &&
                                        level->bound[i].parameter == parameter;
        }
    }
    constexpr int most = 50;
    if (found->count == most)
        elog(ERROR, "more tables than this test can remember");
    found->uses[found->count++] = use;
}

// Before 16 a walker is declared without its parameters, which is something else in C++.
#if PG_VERSION_NUM >= 160000
using Walker = tree_walker_callback;
#else
using Walker = bool (*)();
#endif
bool walk(Node *node, void *context);
Walker walker() { return reinterpret_cast<Walker>(reinterpret_cast<void *>(walk)); }

struct Walk {
    const Level *level;
    Uses *found;
};

// Queries within expressions.
bool walk(Node *node, void *context) {
    if (node == nullptr)
        return false;
    const auto *given = static_cast<Walk *>(context);
    if (IsA(node, Query)) {
        study(reinterpret_cast<Query *>(node), given->level, given->found);
        return false;
    }
    return expression_tree_walker(node, walker(), context);
}

void study(Query *query, const Level *outer, Uses *found) {
    Level level{query, outer, nullptr, 0};
    bind_all(&level);
    Index number = 0;
    ListCell *cell;
    foreach (cell, query->rtable) {
        const auto *entry = static_cast<RangeTblEntry *>(lfirst(cell));
        ++number;
        const bool excluded = query->onConflict != nullptr &&
                              number == static_cast<Index>(query->onConflict->exclRelIndex);
        const bool inserted =
            query->commandType == CMD_INSERT && number == static_cast<Index>(query->resultRelation);
        if (entry->rtekind == RTE_RELATION && !excluded)
            add(found, &level, number, inserted);
    }
    Walk within{&level, found};
    query_tree_walker(query, walker(), &within, 0);
}

Uses uses_of(const char *sql) {
    constexpr int most = 50;
    Uses found{static_cast<Use *>(palloc(most * sizeof(Use))), 0};
    List *parsed = pg_parse_query(sql);
    if (list_length(parsed) != 1)
        elog(ERROR, "not one statement");
    Oid *types = nullptr;
    int count = 0;
    Query *query =
        parse_analyze_varparams(linitial_node(RawStmt, parsed), sql, &types, &count, nullptr);
    study(query, nullptr, &found);
    return found;
}

std::string_view said(const Use &use) {
    const bool all =
        use.bound[name_space] >= use.has[name_space] && use.bound[user] >= use.has[user];
    if (!use.has[name_space])
        return "no tenant";
    if (all)
        return use.has[user] ? "tenant" : "namespace";
    return use.bound[name_space] ? "namespace only" : use.bound[user] ? "user only" : "nothing";
}

} // namespace

// (sql): for each use of a table, (table, what of its tenant the statement binds).
MEMORY_FUNCTION(door_binding) {
    pg::ResultSet result(arguments);
    const std::string sql(arguments.text(0).value());
    const Uses found = pg::call([text = sql.c_str()] { return uses_of(text); });
    for (const Use &use : std::span(found.uses, static_cast<std::size_t>(found.count))) {
        const char *name = pg::call([&use] { return get_rel_name(use.table); });
        result.add({std::string_view(name), said(use)});
    }
    return Datum{0};
}

} // namespace door
