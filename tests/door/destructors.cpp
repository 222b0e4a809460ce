// Destructors that meet an error themselves: release() in src/pg.
#include "fail.h"
#include "pg/attempt.h"
#include "pg/handles.h"

namespace door {

namespace {

constinit int calls_after = 0;

void raise(const char *message) {
    ereport(ERROR, (errcode(ERRCODE_IO_ERROR), errmsg("%s", message), errdetail("its detail")));
}

// Fails in its destructor as release() calls it.
class FailsAtTheEnd {
  public:
    explicit FailsAtTheEnd(const char *message) noexcept : message_(message) {}
    FailsAtTheEnd(const FailsAtTheEnd &) = delete;
    FailsAtTheEnd &operator=(const FailsAtTheEnd &) = delete;
    ~FailsAtTheEnd() {
        pg::release([this] { raise(message_); });
    }

  private:
    const char *message_;
};

// Its destructor throws inside release().
class ThrowsAtTheEnd {
  public:
    explicit ThrowsAtTheEnd(Fail fail) noexcept : fail_(fail) {}
    ThrowsAtTheEnd(const ThrowsAtTheEnd &) = delete;
    ThrowsAtTheEnd &operator=(const ThrowsAtTheEnd &) = delete;
    ~ThrowsAtTheEnd() {
        pg::release([this] { fail_(); });
    }

  private:
    Fail fail_;
};

void note_call() {
    pg::call([] { ++calls_after; });
}

} // namespace

// (how): fails in that way with an object whose destructor fails too.
MEMORY_FUNCTION(door_fail_then_destructor) {
    const Live live;
    const FailsAtTheEnd object("the destructor failed");
    failure(arguments.text(0).value())();
    return pg::to_datum(true);
}

// (how): release() meets that failure in a destructor; nothing else fails.
MEMORY_FUNCTION(door_fail_in_destructor) {
    const Live live;
    const ThrowsAtTheEnd object(failure(arguments.text(0).value()));
    return pg::to_datum(true);
}

// (number): that many objects, one after the other, whose destructors fail, and a call() after
// each.
MEMORY_FUNCTION(door_failing_destructors) {
    const Live live;
    calls_after = 0;
    const int number = DatumGetInt32(arguments.datum(0));
    for (int i = 0; i < number; ++i) {
        {
            const FailsAtTheEnd object(i == 0 ? "the first destructor failed"
                                              : "another one failed");
        }
        note_call();
    }
    return pg::to_datum(true);
}

// How many calls the last one of those has got to make after its first error.
MEMORY_FUNCTION(door_calls_after) { return pg::to_datum(calls_after); }

// (how): attempt() around a body that fails in that way and then in a destructor.
MEMORY_FUNCTION(door_attempt_failing_destructor) {
    const Fail fail = failure(arguments.text(0).value());
    const auto error = pg::attempt([fail] {
        const Live live;
        const FailsAtTheEnd object("the destructor failed");
        fail();
    });
    return pg::to_datum(std::string_view(error ? error->what() : "no error"));
}

// (table): an error in a destructor while an outer frame holds a locked page.
MEMORY_FUNCTION(door_destructor_fails_under_lock) {
    const pg::OpenRelation relation(DatumGetObjectId(arguments.datum(0)), AccessShareLock);
    const pg::PinnedPage page(relation.get(), 0, BUFFER_LOCK_EXCLUSIVE);
    { const FailsAtTheEnd object("the destructor failed under a lock"); }
    note_call();
    return pg::to_datum(true);
}

} // namespace door
