// Type memory_internal.stretch and its GiST operator class: the exclusion constraint of
// memory.facts.
#include "facts/algebra/stretch.h"
#include "facts/algebra/sha256.h"

#include "pg/error.h"
#include "pg/function.h"
#include "pg/memory.h"
#include "pg/random.h"

extern "C" {
#include "access/gist.h"
#include "utils/sortsupport.h"
}

#include <limits>
#include <numeric>

namespace memory::facts {

namespace {

using algebra::Instant;
using algebra::Place;
using algebra::Stretch;

static_assert(sizeof(Stretch) == 48 && alignof(Stretch) == MAXIMUM_ALIGNOF,
              "as CREATE TYPE memory_internal.stretch says");

const Stretch &stretch(Datum value) { return *reinterpret_cast<const Stretch *>(value); }

Datum to_datum(const Stretch &value) {
    auto *copy = static_cast<Stretch *>(pg::call([] { return palloc(sizeof(Stretch)); }));
    *copy = value;
    return PointerGetDatum(copy);
}

template <class Type>
Type &internal(const pg::Arguments &arguments, int n) {
    return *reinterpret_cast<Type *>(DatumGetPointer(arguments.datum(n)));
}

const Stretch &key(const GISTENTRY &entry) { return stretch(entry.key); }

Datum joined(std::span<const GISTENTRY> entries) {
    return to_datum(std::accumulate(entries.begin() + 1, entries.end(), key(entries.front()),
                                    [](const Stretch &all, const GISTENTRY &entry) {
                                        return algebra::joined(all, key(entry));
                                    }));
}

// Entries that a page has room for.
constexpr std::size_t page_room =
    (BLCKSZ - SizeOfPageHeaderData - sizeof(GISTPageOpaqueData)) /
    (MAXALIGN(sizeof(IndexTupleData) + sizeof(Stretch)) + sizeof(ItemIdData));

// What goes to one side of a split page.
struct Side {
    OffsetNumber *&numbers;
    int &count;
    Datum &whole;
};

void fill(const Side &side, std::span<const OffsetNumber> numbers, const GistEntryVector &entries) {
    side.count = static_cast<int>(numbers.size());
    side.numbers =
        static_cast<OffsetNumber *>(pg::call([numbers] { return palloc(numbers.size_bytes()); }));
    std::copy(numbers.begin(), numbers.end(), side.numbers);
    Stretch whole = key(entries.vector[numbers.front()]);
    for (const OffsetNumber number : numbers)
        whole = algebra::joined(whole, key(entries.vector[number]));
    side.whole = to_datum(whole);
}

int compare(Datum a, Datum b, SortSupport /*support*/) {
    return pg::entry([=] {
        const Place &first = stretch(a).from;
        const Place &second = stretch(b).from;
        return first < second ? -1 : int{second < first};
    });
}

} // namespace

MEMORY_FUNCTION(memory_stretch_in) {
    throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED,
                    "cannot accept a value of type memory_internal.stretch")
        .hint("memory_internal.stretch(namespace, user_id, line, valid_from, valid_until) makes "
              "one.");
}

MEMORY_FUNCTION(memory_stretch_out) {
    const Stretch &shown = stretch(arguments.datum(0));
    return pg::call([&shown] {
        const auto time = [](Instant at) {
            return DatumGetCString(DirectFunctionCall1(timestamptz_out, TimestampTzGetDatum(at)));
        };
        return CStringGetDatum(psprintf("tenant %016llx line %lld from %s until %s",
                                        static_cast<unsigned long long>(shown.from.tenant),
                                        static_cast<long long>(shown.from.line),
                                        time(shown.from.at), time(shown.until.at)));
    });
}

MEMORY_FUNCTION(memory_stretch) {
    const std::uint64_t tenant = algebra::tenant_hash(*arguments.text(0), *arguments.text(1));
    const std::int64_t line = DatumGetInt64(arguments.datum(2));
    const Stretch made{{tenant, line, DatumGetTimestampTz(arguments.datum(3))},
                       {tenant, line, DatumGetTimestampTz(arguments.datum(4))}};
    if (!(made.from < made.until))
        throw pg::Error(ERRCODE_DATA_EXCEPTION, "valid_until must be after valid_from");
    return to_datum(made);
}

// A number for a new line. Random: there is no counter to lock, to replicate or to move, and no
// number can be taken before it is given.
MEMORY_FUNCTION(memory_default_line) {
    constexpr std::uint64_t positive = std::numeric_limits<std::int64_t>::max();
    std::uint64_t number = 0;
    while (number == 0)
        number = pg::random_bits() & positive;
    return Int64GetDatum(static_cast<std::int64_t>(number));
}

MEMORY_FUNCTION(memory_overlap) {
    return pg::to_datum(overlap(stretch(arguments.datum(0)), stretch(arguments.datum(1))));
}

// Overlapping is the only strategy, and what a page holds overlaps what its entries do.
MEMORY_FUNCTION(memory_stretch_consistent) {
    internal<bool>(arguments, 4) = false; // nothing to check again
    return pg::to_datum(
        overlap(key(internal<GISTENTRY>(arguments, 0)), stretch(arguments.datum(1))));
}

MEMORY_FUNCTION(memory_stretch_union) {
    const auto &entries = internal<GistEntryVector>(arguments, 0);
    internal<int>(arguments, 1) = sizeof(Stretch);
    return joined({entries.vector, static_cast<std::size_t>(entries.n)});
}

MEMORY_FUNCTION(memory_stretch_penalty) {
    internal<float>(arguments, 2) = static_cast<float>(algebra::growth(
        key(internal<GISTENTRY>(arguments, 0)), key(internal<GISTENTRY>(arguments, 1))));
    return arguments.datum(2);
}

MEMORY_FUNCTION(memory_stretch_picksplit) {
    const auto &entries = internal<GistEntryVector>(arguments, 0);
    auto &split = internal<GIST_SPLITVEC>(arguments, 1);
    pg::ContextResource memory(CurrentMemoryContext);
    // The first entry is none; the last is the one that had no room.
    const auto newest = static_cast<OffsetNumber>(entries.n - 1);
    std::pmr::vector<OffsetNumber> numbers(newest, &memory);
    std::iota(numbers.begin(), numbers.end(), FirstOffsetNumber);
    std::sort(numbers.begin(), numbers.end(), [&](OffsetNumber a, OffsetNumber b) {
        return key(entries.vector[a]).from < key(entries.vector[b]).from;
    });
    const auto place = static_cast<std::size_t>(std::find(numbers.begin(), numbers.end(), newest) -
                                                numbers.begin());
    const std::span all(numbers);
    const std::size_t left = algebra::left_of_split(all.size(), place, page_room);
    fill({split.spl_left, split.spl_nleft, split.spl_ldatum}, all.first(left), entries);
    fill({split.spl_right, split.spl_nright, split.spl_rdatum}, all.subspan(left), entries);
    return PointerGetDatum(&split);
}

MEMORY_FUNCTION(memory_stretch_same) {
    internal<bool>(arguments, 2) = stretch(arguments.datum(0)) == stretch(arguments.datum(1));
    return arguments.datum(2);
}

MEMORY_FUNCTION(memory_stretch_sortsupport) {
    internal<SortSupportData>(arguments, 0).comparator = compare;
    return Datum{0};
}

} // namespace memory::facts
