// attempt() and naming().
#include "hold.h"
#include "pg/attempt.h"
#include "pg/handles.h"
#include "pg/spi.h"
#include "usage.h"

namespace door {

namespace {

void run(const std::string &sql) {
    const Live live;
    const pg::Spi spi;
    pg::run_utility(sql.c_str());
}

std::string described(const std::optional<pg::Error> &error) {
    if (!error)
        return "done";
    std::string text(unpack_sql_state(error->sqlstate()));
    text.append(" ").append(error->what());
    if (*error->detail_text() != '\0')
        text.append(" / ").append(error->detail_text());
    if (*error->hint_text() != '\0')
        text.append(" / ").append(error->hint_text());
    return text;
}

Datum as_text(const std::string &text) { return pg::to_datum(std::string_view(text)); }

std::string text_argument(const pg::Arguments &arguments, int n) {
    return std::string(arguments.text(n).value());
}

} // namespace

// (sql): attempts it, and says what became of it.
MEMORY_FUNCTION(door_attempt) {
    const std::string sql = text_argument(arguments, 0);
    return as_text(described(pg::attempt([&sql] { run(sql); })));
}

// (first, inner, last): attempts first, inner (in an attempt of its own) and last.
MEMORY_FUNCTION(door_attempt_nested) {
    const std::string first = text_argument(arguments, 0);
    const std::string middle = text_argument(arguments, 1);
    const std::string last = text_argument(arguments, 2);
    std::optional<pg::Error> inner;
    const auto outer = pg::attempt([&] {
        run(first);
        inner = pg::attempt([&] { run(middle); });
        run(last);
    });
    return as_text("inner: " + described(inner) + "; outer: " + described(outer));
}

// (what, how, table): attempts to hold and fail.
MEMORY_FUNCTION(door_attempt_holding) {
    const Hold hold = holding(arguments.text(0).value());
    const Fail fail = failure(arguments.text(1).value());
    const Oid table = DatumGetObjectId(arguments.datum(2));
    return as_text(described(pg::attempt([=] { hold(table, fail); })));
}

// (times, what, how, table): does so that often in one frame; the bytes by which memory grew.
MEMORY_FUNCTION(door_growth_by_attempts) {
    const int times = DatumGetInt32(arguments.datum(0));
    const Hold hold = holding(arguments.text(1).value());
    const Fail fail = failure(arguments.text(2).value());
    const Oid table = DatumGetObjectId(arguments.datum(3));
    Usage before{};
    for (int i = -100; i < times; ++i) {
        if (i == 0)
            before = Usage::now();
        if (!pg::attempt([=] { hold(table, fail); }))
            throw pg::Error(ERRCODE_INTERNAL_ERROR, "the attempt did not fail");
    }
    return Int64GetDatum(Usage::now().since(before));
}

// (table): an attempt while this frame holds a lock on a page.
MEMORY_FUNCTION(door_attempt_under_lock) {
    const pg::OpenRelation relation(DatumGetObjectId(arguments.datum(0)), AccessShareLock);
    const pg::PinnedPage page(relation.get(), 0, BUFFER_LOCK_EXCLUSIVE);
    return as_text(described(pg::attempt([] { failure("postgres")(); })));
}

// (place, how): fails in that way inside naming(place).
MEMORY_FUNCTION(door_fail_at) {
    const std::string place = text_argument(arguments, 0);
    const Fail fail = failure(arguments.text(1).value());
    pg::naming(place.c_str(), [fail] {
        const Live live;
        fail();
    });
    return pg::to_datum(true);
}

// (place, sql): the same with the errors of a statement.
MEMORY_FUNCTION(door_execute_at) {
    const std::string place = text_argument(arguments, 0);
    const std::string sql = text_argument(arguments, 1);
    return pg::naming(place.c_str(), [&sql] {
        run(sql);
        return pg::to_datum(true);
    });
}

// (table): naming() around an error while this frame holds a lock on a page; attempt() ends it.
MEMORY_FUNCTION(door_attempt_naming_under_lock) {
    const Oid table = DatumGetObjectId(arguments.datum(0));
    return as_text(described(pg::attempt([table] {
        const pg::OpenRelation relation(table, AccessShareLock);
        const pg::PinnedPage page(relation.get(), 0, BUFFER_LOCK_EXCLUSIVE);
        pg::naming("a place", failure("postgres"));
    })));
}

} // namespace door
