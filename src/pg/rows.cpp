// The tuplestore of a set-returning function, and the check of each row against the declared type.
#include "pg/rows.h"

#include "pg/memory.h"

extern "C" {
#include "executor/tstoreReceiver.h"
#include "utils/tuplestore.h"
}

namespace memory::pg {

namespace {

// What is said of rows that are not of the function's shape.
constexpr char other_shape[] = "a row that was found is not of the type that the function returns";

// Whether the first columns of both are of the same types.
bool begin_equally(TupleDesc row, TupleDesc shape, int columns) {
    if (row->natts < columns || shape->natts < columns)
        return false;
    for (int i = 0; i < columns; ++i)
        if (TupleDescAttr(row, i)->atttypid != TupleDescAttr(shape, i)->atttypid)
            return false;
    return true;
}

[[noreturn]] void throw_other_shape() {
    throw Error(ERRCODE_DATATYPE_MISMATCH, other_shape)
        .hint("Give the columns of the tables in schema memory their types back, if they were "
              "changed; else the library is newer than what is declared: ALTER EXTENSION memory "
              "UPDATE.");
}

using Nulls = std::array<bool, Values::most>;
Nulls nulls_of(const Values &values) {
    Nulls nulls;
    std::transform(values.nulls(), values.nulls() + values.size(), nulls.begin(),
                   [](char null) { return null == 'n'; });
    return nulls;
}

// An error when the values are no row of this shape.
Nulls check_values(TupleDesc shape, const Values &row) {
    if (static_cast<std::size_t>(shape->natts) != row.size())
        throw_other_shape();
    for (int i = 0; i < shape->natts; ++i)
        if (TupleDescAttr(shape, i)->atttypid != row.types()[static_cast<std::size_t>(i)])
            throw_other_shape();
    return nulls_of(row);
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

bool ResultSet::empty() const { return tuplestore_tuple_count(result_->setResult) == 0; }

void ResultSet::add(std::span<const Datum> values, std::span<const bool> nulls) {
    call([=, this] {
        tuplestore_putvalues(result_->setResult, result_->setDesc,
                             const_cast<Datum *>(values.data()), const_cast<bool *>(nulls.data()));
    });
}

void ResultSet::add_from(Statement &statement, SnapshotOf snapshot, const Values &parameters) {
    DestReceiver *receiver = call([this] {
        DestReceiver *made = CreateTuplestoreDestReceiver();
        SetTuplestoreDestReceiverParams(made, result_->setResult, CurrentMemoryContext, false,
                                        result_->setDesc, other_shape);
        return made;
    });
    statement.run_into(receiver, snapshot, parameters);
}

void ResultSet::add_row(const Rows &rows, std::uint64_t row, const Values &behind) {
    const HeapTuple tuple = rows.tuple(row);
    const TupleDesc shape = rows.shape();
    const int width = result_->setDesc->natts;
    const int first = width - static_cast<int>(behind.size());
    if (!begin_equally(shape, result_->setDesc, first))
        throw_other_shape();
    std::array<Datum, MaxTupleAttributeNumber> all;
    std::array<bool, MaxTupleAttributeNumber> all_nulls;
    call([&] { heap_deform_tuple(tuple, shape, all.data(), all_nulls.data()); });
    const Nulls nulls = nulls_of(behind);
    std::copy_n(behind.values().begin(), behind.size(), all.begin() + first);
    std::copy_n(nulls.begin(), behind.size(), all_nulls.begin() + first);
    add(std::span(all).first(static_cast<std::size_t>(width)),
        std::span(all_nulls).first(static_cast<std::size_t>(width)));
}

void ResultSet::add(const Values &row) {
    const Nulls nulls = check_values(result_->setDesc, row);
    add(row.values(), std::span(nulls).first(row.size()));
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
        throw_other_shape();
    return call([&] {
        return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(shape),
                                                 const_cast<Datum *>(values.data()),
                                                 const_cast<bool *>(nulls.data())));
    });
}

Datum composite_datum(const Arguments &arguments, const Values &values) {
    const TupleDesc shape = result_shape(arguments);
    if (shape == nullptr)
        throw_other_shape();
    const Nulls nulls = check_values(shape, values);
    return composite_datum(arguments, values.values(), std::span(nulls).first(values.size()));
}

} // namespace memory::pg
