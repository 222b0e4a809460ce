// Any bytes are refused or read as lengths and rows within their bounds; what is written is read
// back.
#include "index/codec/lengths.h"
#include "index/codec/rows.h"

#include "fuzz/codec_fuzz.h"

namespace {

using namespace codec_fuzz;

std::vector<Row> all_rows(const Rows &table) {
    std::vector<Row> rows;
    RowGroup group;
    for (std::size_t i = 0; i < table.groups(); ++i) {
        table.read(i, group);
        rows.insert(rows.end(), group.rows.begin(),
                    group.rows.begin() + static_cast<std::ptrdiff_t>(group.size));
    }
    return rows;
}

void read_anything(Bytes bytes) {
    try {
        const Lengths lengths(bytes);
        require(lengths.count_alive() <= lengths.size(), "no more are alive than there are");
        for (std::uint32_t i = 0; i < lengths.size(); ++i) {
            lengths.alive(i);
            lengths[i];
        }
    } catch (const Corrupt &) {
    }
    try {
        for (const Row &row : all_rows(Rows(bytes)))
            require(row.tid.block != no_block && row.tid.offset != 0, "a tid is possible");
    } catch (const Corrupt &) {
    }
}

void write_and_read(FuzzedDataProvider &data) {
    std::vector<Row> rows;
    std::vector<std::uint32_t> lengths;
    Tid next{.block = 0, .offset = 1};
    while (data.remaining_bytes() > 0 && rows.size() < 1000) {
        next.block += data.ConsumeIntegral<std::uint8_t>() >> data.ConsumeIntegralInRange(0, 8);
        rows.push_back({next, data.ConsumeIntegral<std::uint32_t>()});
        lengths.push_back(rows.back().fingerprint >> data.ConsumeIntegralInRange(0, 31));
        ++next.offset;
    }
    ByteBuffer buffer = new_buffer();
    require(append_rows(buffer, rows, UINT16_MAX) == rows.size(), "a thousand rows fit");
    const auto table = exact(buffer);
    require(all_rows(Rows(table)) == rows, "rows are read as they were written");

    ByteBuffer length_buffer = new_buffer();
    append_lengths(length_buffer, lengths);
    require(length_buffer.size() == lengths_bytes(lengths), "a table has the size that it said");
    const auto length_table = exact(length_buffer);
    const Lengths found(length_table);
    for (std::uint32_t i = 0; i < lengths.size(); ++i)
        require(found[i] == lengths[i] && found.alive(i), "a length is read as it was written");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *bytes, std::size_t size) {
    read_anything({bytes, size});
    FuzzedDataProvider data(bytes, size);
    write_and_read(data);
    return 0;
}
