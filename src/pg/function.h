// How an SQL function is written in C++:
//
//     MEMORY_FUNCTION(memory_name) {          // the C symbol; `arguments` is in scope
//         return pg::to_datum(arguments.text(0).value_or("world"));
//     }
#pragma once

#include "pg/datum.h"
#include "pg/entry.h"
#include "pg/error.h"

namespace memory::pg {

// The arguments of one call, by position. Texts live as long as the call's memory context.
class Arguments {
  public:
    explicit Arguments(FunctionCallInfo call) noexcept : call_(call) {}

    bool has(int n) const noexcept { return n < call_->nargs && !call_->args[n].isnull; }
    Datum datum(int n) const noexcept { return call_->args[n].value; }
    std::optional<Datum> optional(int n) const noexcept {
        return has(n) ? std::optional<Datum>(datum(n)) : std::nullopt;
    }
    std::optional<std::string_view> text(int n) const {
        return has(n) ? std::optional<std::string_view>(text_view(datum(n))) : std::nullopt;
    }
    // The type that the caller's expression has; InvalidOid when PostgreSQL does not know.
    Oid type(int n) const {
        return pg::call([this, n] { return get_fn_expr_argtype(call_->flinfo, n); });
    }

    Datum null_result() noexcept {
        call_->isnull = true;
        return Datum{0};
    }

    FunctionCallInfo raw() const noexcept { return call_; }

  private:
    FunctionCallInfo call_;
};

} // namespace memory::pg

// PostgreSQL 15 does not export what PG_FUNCTION_INFO_V1 declares when the default is hidden.
#define MEMORY_FUNCTION(name)                                                                      \
    static Datum name##_body(memory::pg::Arguments &arguments);                                    \
    _Pragma("GCC visibility push(default)") extern "C" { PG_FUNCTION_INFO_V1(name); }              \
    Datum name(FunctionCallInfo fcinfo) {                                                          \
        return memory::pg::entry([fcinfo] {                                                        \
            memory::pg::Arguments arguments(fcinfo);                                               \
            return name##_body(arguments);                                                         \
        });                                                                                        \
    }                                                                                              \
    _Pragma("GCC visibility pop") static Datum name##_body(                                        \
        [[maybe_unused]] memory::pg::Arguments &arguments)
