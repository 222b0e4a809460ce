// See rows.h.
#include "pg/rows.h"

#include "pg/memory.h"

extern "C" {
#include "executor/tstoreReceiver.h"
#include "utils/tuplestore.h"
}

namespace memory::pg {

namespace {

// How a library meets rows of a shape that it does not know.
constexpr char other_version[] =
    "the SQL declarations of memory are of another version than its library";

bool same_columns(TupleDesc one, TupleDesc other) {
    if (one->natts != other->natts)
        return false;
    for (int i = 0; i < one->natts; ++i)
        if (TupleDescAttr(one, i)->atttypid != TupleDescAttr(other, i)->atttypid)
            return false;
    return true;
}

[[noreturn]] void throw_other_version() {
    throw Error(ERRCODE_DATATYPE_MISMATCH, other_version)
        .hint("Run ALTER EXTENSION memory UPDATE.");
}

// The row type that the function is declared to return; nullptr when it is none.
TupleDesc result_shape(const Arguments &arguments) {
    return call([&]() -> TupleDesc {
        TupleDesc shape;
        return get_call_result_type(arguments.raw(), nullptr, &shape) == TYPEFUNC_COMPOSITE
                   ? shape
                   : nullptr;
    });
}

} // namespace

ResultSet::ResultSet(const Arguments &arguments)
    : result_(reinterpret_cast<ReturnSetInfo *>(arguments.raw()->resultinfo)) {
    // A bare "SETOF uuid" has no row type of its own; the executor expects a row of one column.
    const FunctionCallInfo info = arguments.raw();
    const auto flags = static_cast<bits32>(
        type_is_rowtype(call([info] { return get_func_rettype(info->flinfo->fn_oid); }))
            ? 0
            : MAT_SRF_USE_EXPECTED_DESC);
    call([info, flags] { InitMaterializedSRF(info, flags); });
}

void ResultSet::add(std::span<const Datum> values, std::span<const bool> nulls) {
    call([=, this] {
        tuplestore_putvalues(result_->setResult, result_->setDesc,
                             const_cast<Datum *>(values.data()), const_cast<bool *>(nulls.data()));
    });
}

void ResultSet::add_from(Statement &statement, std::span<const Parameter> parameters,
                         Access access) {
    DestReceiver *receiver = call([this] {
        DestReceiver *made = CreateTuplestoreDestReceiver();
        SetTuplestoreDestReceiverParams(made, result_->setResult, CurrentMemoryContext, false,
                                        result_->setDesc, other_version);
        return made;
    });
    statement.run_into(receiver, parameters, access);
}

void ResultSet::add(std::optional<Datum> value) {
    const Datum datum = value.value_or(Datum{0});
    const bool null = !value;
    add({&datum, 1}, {&null, 1});
}

Datum composite_datum(const Arguments &arguments, std::span<const Datum> values,
                      std::span<const bool> nulls) {
    const TupleDesc shape = result_shape(arguments);
    if (shape == nullptr || static_cast<std::size_t>(shape->natts) != values.size())
        throw_other_version();
    return call([&] {
        return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(shape),
                                                 const_cast<Datum *>(values.data()),
                                                 const_cast<bool *>(nulls.data())));
    });
}

Datum row_datum(const Arguments &arguments, const Rows &rows, std::uint64_t row,
                MemoryContext context) {
    const SwitchedContext switched(context);
    const TupleDesc shape = result_shape(arguments);
    if (shape == nullptr || !same_columns(shape, rows.shape()))
        throw_other_version();
    return call([&] {
        const auto columns = static_cast<std::size_t>(shape->natts);
        auto *values = static_cast<Datum *>(palloc(columns * sizeof(Datum)));
        auto *nulls = static_cast<bool *>(palloc(columns * sizeof(bool)));
        heap_deform_tuple(rows.tuple(row), rows.shape(), values, nulls);
        return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(shape), values, nulls));
    });
}

} // namespace memory::pg
