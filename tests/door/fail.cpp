// See fail.h.
#include "fail.h"

#include "pg/memory.h"
#include "pg/spi.h"

#include <new>
#include <stdexcept>

extern "C" {
#include "access/relation.h"
}

namespace door {

namespace {

struct NotAnException {
    int value;
};

struct DerivedError : pg::Error {
    DerivedError() : Error(ERRCODE_CHECK_VIOLATION, "an error derived from ours") {
        detail("its detail");
    }
};

void postgres_error() {
    pg::call([] {
        ereport(ERROR, (errcode(ERRCODE_DIVISION_BY_ZERO), errmsg("PostgreSQL failed"),
                        errdetail("its detail"), errhint("its hint")));
    });
}

// What the door is there to prevent: nothing between the error and PostgreSQL's handler is unwound.
void jump() { ereport(ERROR, (errmsg("PostgreSQL jumped"))); }

void catalog_error() {
    pg::call([] { relation_close(relation_open(InvalidOid, AccessShareLock), AccessShareLock); });
}

void sql_error() {
    const pg::Spi spi;
    const Live live;
    pg::run_utility("SELECT 1 / 0");
}

void our_error() {
    throw pg::Error(ERRCODE_DATA_EXCEPTION, "%s failed", "C++")
        .detail("detail %d", 1)
        .hint("hint %d", 2);
}

// Three-byte characters: 511 bytes end inside one.
std::string long_text() {
    std::string text;
    for (int i = 0; i < 400; ++i)
        text += "語";
    return text;
}

void long_error() {
    const std::string text = long_text();
    throw pg::Error(ERRCODE_DATA_EXCEPTION, "%s", text.c_str())
        .detail("%s", text.c_str())
        .hint("%s", text.c_str());
}

void exhausted_context() {
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<char> bytes(&memory);
    bytes.resize(std::size_t{1} << 60);
}

void impossible_vector() {
    std::vector<char> bytes;
    bytes.reserve(bytes.max_size() + 1);
}

constexpr struct {
    std::string_view name;
    Fail fail;
} failures[] = {
    {"nothing", [] {}},
    {"postgres", postgres_error},
    {"catalog", catalog_error},
    {"jump", jump},
    {"sql", sql_error},
    {"error", our_error},
    {"derived error", [] { throw DerivedError(); }},
    {"long error", long_error},
    {"bad_alloc", [] { throw std::bad_alloc(); }},
    {"exhausted context", exhausted_context},
    {"length_error", [] { throw std::length_error("too long"); }},
    {"impossible vector", impossible_vector},
    {"invalid_argument", [] { throw std::invalid_argument("not a number"); }},
    {"runtime_error", [] { throw std::runtime_error("it ran and failed"); }},
    {"long runtime_error", [] { throw std::runtime_error(long_text()); }},
    {"empty optional", [] { static_cast<void>(std::optional<Live>().value()); }},
    {"int", [] { throw 42; }},
    {"text", [] { throw "a string literal"; }},
    {"struct", [] { throw NotAnException{1}; }},
};

} // namespace

Fail failure(std::string_view name) {
    for (const auto &known : failures)
        if (known.name == name)
            return known.fail;
    const pg::Quoted unknown(name);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "no such failure: %.*s", unknown.length,
                    unknown.text);
}

MEMORY_FUNCTION(door_fail) {
    const Live live;
    failure(arguments.text(0).value())();
    return pg::to_datum(true);
}

MEMORY_FUNCTION(door_live_objects) { return pg::to_datum(Live::count()); }

MEMORY_FUNCTION(door_error_in_flight) { return pg::to_datum(pg::error_in_flight()); }

} // namespace door
