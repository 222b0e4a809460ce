// See hold.h.
#include "hold.h"

#include "pg/attempt.h"
#include "pg/handles.h"
#include "pg/memory.h"
#include "pg/spi.h"

#include <map>

extern "C" {
#include "access/heapam.h"
#include "catalog/pg_authid.h"
}

namespace door {

namespace {

void containers(Oid, Fail fail) {
    const Live live;
    const std::string on_the_heap(1000, 'x');
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::map<int, std::pmr::string> texts(&memory);
    for (int i = 0; i < 10; ++i)
        texts.emplace(i, std::pmr::string(1000, 'y', &memory));
    fail();
}

void relation(Oid table, Fail fail) {
    const pg::OpenRelation relation(table, AccessShareLock);
    fail();
}

void snapshot(Oid, Fail fail) {
    const pg::HeldSnapshot snapshot(pg::call([] { return GetLatestSnapshot(); }));
    fail();
}

void fresh_snapshot(Oid, Fail fail) {
    const pg::FreshSnapshot snapshot;
    fail();
}

void hold_page(Oid table, int mode, Fail fail) {
    const pg::OpenRelation relation(table, AccessShareLock);
    const pg::PinnedPage page(relation.get(), 0, mode);
    fail();
}

void pinned_page(Oid table, Fail fail) { hold_page(table, BUFFER_LOCK_UNLOCK, fail); }
void shared_page(Oid table, Fail fail) { hold_page(table, BUFFER_LOCK_SHARE, fail); }
void locked_page(Oid table, Fail fail) { hold_page(table, BUFFER_LOCK_EXCLUSIVE, fail); }

// A slot with a row in it keeps its page pinned.
void slot(Oid table, Fail fail) {
    const pg::OpenRelation relation(table, AccessShareLock);
    const pg::Slot slot(RelationGetDescr(relation.get()), &TTSOpsBufferHeapTuple);
    HeapTupleData row{};
    ItemPointerSet(&row.t_self, 0, 1);
    pg::call([&] {
        Buffer buffer;
        if (!heap_fetch(relation.get(), GetActiveSnapshot(), &row, &buffer, false))
            elog(ERROR, "the table has no row at (0,1)");
        ExecStorePinnedBufferHeapTuple(&row, slot.get(), buffer);
    });
    fail();
}

void spi(Oid, Fail fail) {
    const pg::Spi spi;
    fail();
}

void statement(Oid, Fail fail) {
    static constinit pg::Statement numbers("SELECT pg_catalog.generate_series(1, $1)");
    const pg::Spi spi;
    const pg::Rows rows = numbers.run(pg::SnapshotOf::caller, {std::int32_t{3}});
    if (rows.size() != 3 || rows.get<pg::Int4>(2, 0) != 3)
        throw pg::Error(ERRCODE_INTERNAL_ERROR, "the statement gave the wrong rows");
    fail();
}

void temporary_context(Oid, Fail fail) {
    pg::TemporaryContext context("door");
    std::pmr::vector<int> numbers(10'000, 1, context.resource());
    fail();
}

void switched_context(Oid, Fail fail) {
    const pg::TemporaryContext context("door");
    const pg::SwitchedContext switched(context.get());
    pg::call([] { return palloc(100'000); });
    fail();
}

void acting_as(Oid, Fail fail) {
    const pg::ActingAs other(ROLE_PG_MONITOR);
    fail();
}

void everything(Oid table, Fail fail) {
    const Live live;
    pg::TemporaryContext context("door");
    std::pmr::vector<std::pmr::string> texts(100, std::pmr::string(100, 'x'), context.resource());
    const pg::OpenRelation relation(table, RowShareLock);
    const pg::HeldSnapshot held(pg::call([] { return GetLatestSnapshot(); }));
    const pg::FreshSnapshot fresh;
    const pg::Slot slot(RelationGetDescr(relation.get()), &TTSOpsBufferHeapTuple);
    const pg::Spi spi;
    const pg::SwitchedContext switched(context.get());
    const pg::PinnedPage page(relation.get(), 0, BUFFER_LOCK_EXCLUSIVE);
    const Live another;
    fail();
}

constexpr struct {
    std::string_view name;
    Hold hold;
} holdings[] = {
    {"containers", containers},
    {"relation", relation},
    {"snapshot", snapshot},
    {"fresh snapshot", fresh_snapshot},
    {"pinned page", pinned_page},
    {"shared page", shared_page},
    {"locked page", locked_page},
    {"slot", slot},
    {"spi", spi},
    {"statement", statement},
    {"temporary context", temporary_context},
    {"switched context", switched_context},
    {"acting as", acting_as},
    {"everything", everything},
};

} // namespace

Hold holding(std::string_view name) {
    for (const auto &known : holdings)
        if (known.name == name)
            return known.hold;
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "nothing of that name to hold");
}

// (what, how, table): holds, fails, and lets PostgreSQL see the failure.
MEMORY_FUNCTION(door_fail_holding) {
    const Hold hold = holding(arguments.text(0).value());
    hold(DatumGetObjectId(arguments.datum(2)), failure(arguments.text(1).value()));
    return pg::to_datum(true);
}

// (what, how, table): the failure, an exception, ends in C++; the transaction goes on and commits,
// and PostgreSQL warns of what has not been given back.
MEMORY_FUNCTION(door_outlive_holding) {
    const Hold hold = holding(arguments.text(0).value());
    const Fail fail = failure(arguments.text(1).value());
    const MemoryContext before = CurrentMemoryContext;
    try {
        hold(DatumGetObjectId(arguments.datum(2)), fail);
    } catch (const pg::Error &) {
    }
    return pg::to_datum(CurrentMemoryContext == before);
}

MEMORY_FUNCTION(door_holdings) {
    std::string names;
    for (const auto &known : holdings)
        names.append(names.empty() ? "" : ",").append(known.name);
    return pg::to_datum(std::string_view(names));
}

} // namespace door
