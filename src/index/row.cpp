// Writes a row's text or vector as records, in memory that is reset for every row.
#include "index/row.h"

#include "index/options.h"
#include "pg/datum.h"
#include "pg/vector.h"

namespace memory::index {

Columns::Columns(Relation index) : scope(IndexRelationGetNumberOfKeyAttributes(index) - 1) {
    for (int i = 0; i < scope; ++i)
        types[static_cast<std::size_t>(i)] = scope_type(index->rd_opcintype[i]);
}

bool CodeWriter::encode(codec::Tid tid, std::span<const float> vector) {
    if (vector.empty() || vector.size() > codec::max_code_dimensions)
        return false;
    if (vector.size() != dimensions_) {
        dimensions_ = vector.size();
        encoder_.emplace(codec::CodeForm::of(dimensions_), record_.get_allocator().resource());
    }
    record_.clear();
    return encoder_->encode(vector, codec::append_code_record(record_, tid, dimensions_));
}

std::span<const codec::Bytes> CodeWriter::write(codec::Tid tid, std::span<const float> vector) {
    if (!encode(tid, vector)) {
        record_.clear();
        codec::append_code_record(record_, tid, 0);
    }
    written_ = record_;
    return {&written_, 1};
}

RowWriter::RowWriter(Relation index, MemoryContext memory)
    : resource_(memory), columns_(index), payload_(payload_of(index)),
      analysis_(dictionary_of(index), &resource_), records_(&resource_), codes_(&resource_) {}

std::span<const codec::Bytes> RowWriter::write_text(const Datum *value, codec::Tid tid) {
    if (value == nullptr)
        return records_.write({tid, 0, no_text}, {});
    const std::string_view contents = pg::text_view(*value);
    const Analysed analysed = analysis_.document(contents);
    return records_.write({tid, analysed.length, text_fingerprint(contents)}, analysed.terms);
}

std::span<const codec::Bytes> RowWriter::write_code(const Datum *value, codec::Tid tid) {
    if (value == nullptr)
        return codes_.write(tid, {});
    const pg::Vector &vector = pg::vector_view(*value);
    const std::span<const codec::Bytes> records = codes_.write(tid, vector.elements());
    if (static_cast<const void *>(&vector) != DatumGetPointer(*value))
        pg::call([&] { pfree(const_cast<pg::Vector *>(&vector)); });
    return records;
}

std::span<const codec::Bytes> RowWriter::write(const Datum *values, const bool *nulls,
                                               const ItemPointerData &tid, ScopeKey &key) {
    for (int i = 0; i < columns_.scope; ++i) {
        if (nulls[i])
            return {};
        key.add(columns_.types[static_cast<std::size_t>(i)], values[i]);
    }
    const Datum *value = nulls[columns_.scope] ? nullptr : &values[columns_.scope];
    return payload_ == Payload::codes ? write_code(value, to_tid(tid))
                                      : write_text(value, to_tid(tid));
}

} // namespace memory::index
