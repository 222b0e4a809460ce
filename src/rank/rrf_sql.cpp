// memory.rrf: the aggregate around ReciprocalRankSum.
#include "pg/function.h"
#include "rank/fusion.h"

namespace memory::rank {

namespace {

static_assert(std::is_trivially_copyable_v<ReciprocalRankSum>, "a worker sends it as bytes");

// Lives as long as the aggregate's group does. Only the aggregate's functions come here: their
// first argument is of type internal, which no SQL can make.
ReciprocalRankSum *new_sum(const pg::Arguments &arguments) {
    return pg::call([call = arguments.raw()] {
        MemoryContext memory;
        if (AggCheckCallContext(call, &memory) == 0)
            elog(ERROR, "called outside an aggregate");
        return static_cast<ReciprocalRankSum *>(
            MemoryContextAllocZero(memory, sizeof(ReciprocalRankSum)));
    });
}

// Null: no rank so far.
ReciprocalRankSum *sum_in(const pg::Arguments &arguments, int n) {
    return arguments.has(n)
               ? reinterpret_cast<ReciprocalRankSum *>(DatumGetPointer(arguments.datum(n)))
               : nullptr;
}

Datum result(pg::Arguments &arguments, ReciprocalRankSum *sum) {
    return sum == nullptr ? arguments.null_result() : PointerGetDatum(sum);
}

void check(std::int64_t rank, double weight, std::int64_t k) {
    switch (ReciprocalRankSum::check(rank, weight, k)) {
    case ReciprocalRankSum::Refusal::none:
        return;
    case ReciprocalRankSum::Refusal::rank_below_one:
        throw pg::Error(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE, "rank must be 1 or more, but is %lld",
                        static_cast<long long>(rank))
            .hint("The best row of a list has rank 1; of a row that a list does not have it is "
                  "NULL.");
    case ReciprocalRankSum::Refusal::weight_not_finite:
        throw pg::Error(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE, "weight must be finite, but is %g",
                        weight)
            .hint("A list that is to count for nothing has weight 0.");
    case ReciprocalRankSum::Refusal::k_negative:
        throw pg::Error(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE, "k must not be negative, but is %lld",
                        static_cast<long long>(k))
            .hint("The usual k is 60.");
    }
}

} // namespace

// (state, rank [, weight [, k]]). A row in which one of them is NULL says nothing of a rank.
MEMORY_FUNCTION(memory_rrf_add) {
    ReciprocalRankSum *sum = sum_in(arguments, 0);
    const int given = arguments.raw()->nargs;
    for (int n = 1; n < given; ++n)
        if (!arguments.has(n))
            return result(arguments, sum);
    const std::int64_t rank = DatumGetInt64(arguments.datum(1));
    const double weight = given > 2 ? DatumGetFloat8(arguments.datum(2)) : 1;
    const std::int64_t k = given > 3 ? DatumGetInt64(arguments.datum(3)) : 60;
    check(rank, weight, k);
    if (sum == nullptr)
        sum = new_sum(arguments);
    sum->add(rank, weight, k);
    return PointerGetDatum(sum);
}

MEMORY_FUNCTION(memory_rrf_combine) {
    ReciprocalRankSum *sum = sum_in(arguments, 0);
    const ReciprocalRankSum *other = sum_in(arguments, 1);
    if (other == nullptr)
        return result(arguments, sum);
    if (sum == nullptr)
        sum = new_sum(arguments); // `other` may live shorter than the group
    sum->merge(*other);
    return PointerGetDatum(sum);
}

// Between a worker and its leader, which are of one build.
MEMORY_FUNCTION(memory_rrf_serialize) {
    const ReciprocalRankSum *sum = sum_in(arguments, 0);
    return pg::to_datum(std::string_view(reinterpret_cast<const char *>(sum), sizeof *sum));
}

MEMORY_FUNCTION(memory_rrf_deserialize) {
    const std::string_view bytes = *arguments.text(0);
    ReciprocalRankSum sum;
    if (bytes.size() != sizeof sum)
        throw pg::Error(ERRCODE_DATA_CORRUPTED, "a state of memory.rrf is %zu bytes, not %zu",
                        sizeof sum, bytes.size());
    std::memcpy(&sum, bytes.data(), sizeof sum);
    ReciprocalRankSum *copy = new_sum(arguments);
    *copy = sum;
    return PointerGetDatum(copy);
}

MEMORY_FUNCTION(memory_rrf_value) { return Float8GetDatum(sum_in(arguments, 0)->value()); }

} // namespace memory::rank
