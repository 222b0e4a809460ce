// See record_sort.h. What is sorted are byteas that compare as wanted: the key, whose bytes no
// other key begins with, the tid big-endian, the record, and behind it the length of the key.
#include "index/record_sort.h"

namespace memory::index {

namespace {

constexpr Oid bytea_less = 1957; // operator < (bytea, bytea), which has no symbol
constexpr std::size_t tid_bytes = 6;

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

RecordSort::RecordSort()
    : state_(pg::call([] {
          return tuplesort_begin_datum(BYTEAOID, bytea_less, InvalidOid, false,
                                       maintenance_work_mem, nullptr, TUPLESORT_NONE);
      })) {}

RecordSort::~RecordSort() {
    pg::release([this] { tuplesort_end(state_); });
}

void RecordSort::put(Key key, codec::Tid tid, codec::Bytes record) {
    const std::size_t size = VARHDRSZ + key.size() + tid_bytes + record.size() + sizeof(uint16);
    auto *value = static_cast<varlena *>(pg::call([size] { return palloc(size); }));
    SET_VARSIZE(value, size);
    auto *at = reinterpret_cast<std::uint8_t *>(VARDATA(value));
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
    const codec::Bytes bytes(reinterpret_cast<const std::uint8_t *>(VARDATA_ANY(value)),
                             VARSIZE_ANY_EXHDR(value));
    const auto key_size =
        codec::load<std::uint16_t>(bytes.data() + bytes.size() - sizeof(std::uint16_t));
    const std::size_t record = std::size_t{key_size} + tid_bytes;
    return SortedRecord{codec::as_text(bytes.first(key_size)),
                        bytes.subspan(record, bytes.size() - record - sizeof(std::uint16_t))};
}

} // namespace memory::index
