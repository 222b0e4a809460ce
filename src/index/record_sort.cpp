// Sorts byteas that compare as wanted: the partition, the key, whose bytes no other key begins
// with, the tid big-endian, the record, and behind it the length of the key.
#include "index/record_sort.h"

#include "text/hash.h"

namespace memory::index {

namespace {

constexpr Oid bytea_less = 1957; // operator < (bytea, bytea), which has no symbol
constexpr std::size_t partition_bytes = 1;
constexpr std::size_t tid_bytes = 6;
static_assert(partitions <= 256);

Datum take(Tuplesortstate *state, bool *found) {
    Datum datum = 0;
    bool null = false;
#if PG_VERSION_NUM >= 160000
    *found = tuplesort_getdatum(state, true, false, &datum, &null, nullptr);
#else
    *found = tuplesort_getdatum(state, true, &datum, &null, nullptr);
#endif
    return datum;
}

} // namespace

SortedRecord::SortedRecord(codec::Bytes sorted) : whole(sorted), partition(sorted[0]) {
    const std::size_t end = sorted.size() - sizeof(std::uint16_t);
    const auto key_size = codec::load<std::uint16_t>(sorted.data() + end);
    key = codec::as_text(sorted.subspan(partition_bytes, key_size));
    const std::size_t begin = partition_bytes + key_size + tid_bytes;
    record = sorted.subspan(begin, end - begin);
}

RecordSort::RecordSort(int kilobytes)
    : state_(pg::call([kilobytes] {
          return tuplesort_begin_datum(BYTEAOID, bytea_less, InvalidOid, false, kilobytes, nullptr,
                                       TUPLESORT_NONE);
      })) {}

RecordSort::~RecordSort() {
    pg::release([this] { tuplesort_end(state_); });
}

void RecordSort::put(Key key, codec::Tid tid, codec::Bytes record) {
    const std::size_t size =
        VARHDRSZ + partition_bytes + key.size() + tid_bytes + record.size() + sizeof(uint16);
    auto *value = static_cast<varlena *>(pg::call([size] { return palloc(size); }));
    SET_VARSIZE(value, size);
    auto *at = reinterpret_cast<std::uint8_t *>(VARDATA(value));
    *at++ = static_cast<std::uint8_t>(text::quick_hash(key) % partitions);
    at = std::copy(key.begin(), key.end(), at);
    for (int shift = 24; shift >= 0; shift -= 8)
        *at++ = static_cast<std::uint8_t>(tid.block >> shift);
    *at++ = static_cast<std::uint8_t>(tid.offset >> 8);
    *at++ = static_cast<std::uint8_t>(tid.offset);
    at = std::copy(record.begin(), record.end(), at);
    codec::store(at, static_cast<std::uint16_t>(key.size()));
    pg::call([&] {
        tuplesort_putdatum(state_, PointerGetDatum(value), false);
        pfree(value);
    });
}

void RecordSort::finish() {
    pg::call([this] { tuplesort_performsort(state_); });
}

std::optional<SortedRecord> RecordSort::next() {
    bool found = false;
    const Datum datum = pg::call([&] {
#if PG_VERSION_NUM < 160000
        // Copied for us, where later versions lend what they have.
        if (last_ != 0)
            pfree(DatumGetPointer(last_));
#endif
        return last_ = take(state_, &found);
    });
    if (!found) {
        last_ = 0;
        return std::nullopt;
    }
    const auto *value = reinterpret_cast<const varlena *>(DatumGetPointer(datum));
    return SortedRecord({reinterpret_cast<const std::uint8_t *>(VARDATA_ANY(value)),
                         static_cast<std::size_t>(VARSIZE_ANY_EXHDR(value))});
}

} // namespace memory::index
