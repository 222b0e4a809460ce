// How an SQL function of a room is written: its arguments by name, as the SQL declares them.
//
//     MEMORY_CALL(memory_revise, "id uuid, content text, response text, user_id text") {
//         const pg_uuid_t id = call.uuid("id").required();
//         …
//         return call.result(true);
//     }
//
// tests/door/sql/signatures.sql compares the names and types with the catalog. What needs the
// tables goes on with access/call.h. Functions that belong to operators, indexes and triggers are
// written with MEMORY_FUNCTION (function.h).
#pragma once

#include "pg/named.h"
#include "pg/rows.h"

namespace memory::pg {

// The arguments of one call by their fields (named.h), and the ways in which it ends. Texts live as
// long as the call's memory context.
class CallSource {
  public:
    explicit CallSource(FunctionCallInfo call) noexcept
        : arguments_(call), memory_(CurrentMemoryContext) {}

    const Arguments &arguments() const noexcept { return arguments_; }
    bool returns_set() const noexcept { return arguments_.raw()->flinfo->fn_retset; }

    // What the function returns, in the memory context of the call.
    template <class Value>
    Datum result(const Value &value) {
        const SwitchedContext switched(memory_);
        return result_of(Values{value});
    }
    // A copy that outlives what it was made in.
    Datum result(Document value);
    Datum null() noexcept { return arguments_.null_result(); }
    // For functions that return nothing, and for sets, whose rows are where they belong.
    Datum nothing() noexcept { return Datum{0}; }
    // A row of the type that the function is declared to return.
    Datum row(const Values &values);

  protected:
    Given<std::string_view> text_at(const Field &field) const;
    Given<pg_uuid_t> uuid_at(const Field &field) const;
    Given<std::int64_t> bigint_at(const Field &field) const;
    Given<double> real_at(const Field &field) const;
    Given<bool> boolean_at(const Field &field) const;
    Given<Oid> role_at(const Field &field) const;
    Given<Instant> instant_at(const Field &field) const;
    Given<Interval> interval_at(const Field &field) const;
    Given<Document> json_at(const Field &field) const;
    Given<const Vector *> vector_at(const Field &field) const;
    Given<std::span<const Vector *const>> vectors_at(const Field &field) const;
    Given<std::span<const std::string_view>> texts_at(const Field &field) const;
    Given<std::span<const std::string_view>> list_at(const Field &field) const;
    Given<std::span<const std::string_view>> texts_there_at(const Field &field) const;
    Given<std::span<const Document>> jsons_at(const Field &field) const;
    Given<std::span<const pg_uuid_t>> uuids_at(const Field &field) const;
    Given<std::span<const std::int64_t>> bigints_at(const Field &field) const;
    Given<std::span<const std::optional<Bytes>>> byteas_at(const Field &field) const;

  private:
    template <class Value, class Read>
    Given<Value> given(const Field &field, Read read) const;
    Datum result_of(const Values &value);

    Arguments arguments_;
    MemoryContext memory_;
};

template <const Signature &signature>
using Call = Named<signature, CallSource>;

// A function and what it says of its arguments, in the list of all (memory_signatures()).
struct ListedFunction {
    const char *symbol;
    const Signature *signature;
};

} // namespace memory::pg

#define MEMORY_CALL(symbol, signature)                                                             \
    static constexpr memory::pg::Signature symbol##_signature(signature);                          \
    static constinit const memory::pg::ListedFunction symbol##_listed{#symbol,                     \
                                                                      &symbol##_signature};        \
    [[gnu::used,                                                                                   \
      gnu::section("memory_functions")]] static constinit const memory::pg::ListedFunction         \
        *symbol##_entry = &symbol##_listed;                                                        \
    static Datum symbol##_body(memory::pg::Call<symbol##_signature> &call);                        \
    _Pragma("GCC visibility push(default)") extern "C" { PG_FUNCTION_INFO_V1(symbol); }            \
    Datum symbol(FunctionCallInfo fcinfo) {                                                        \
        return memory::pg::entry([fcinfo] {                                                        \
            memory::pg::Call<symbol##_signature> call(fcinfo);                                     \
            return symbol##_body(call);                                                            \
        });                                                                                        \
    }                                                                                              \
    _Pragma("GCC visibility pop") static Datum symbol##_body(                                      \
        [[maybe_unused]] memory::pg::Call<symbol##_signature> &call)
