// Records of codes: what is written is read, in as many bytes as are promised, and what no writer
// wrote is refused.
#include "index/codec/code_record.h"

#include "unit/vector_support.h"

#include <array>
#include <gtest/gtest.h>

namespace {

using namespace memory::codec;

ByteBuffer new_buffer() { return ByteBuffer(std::pmr::get_default_resource()); }

void append(ByteBuffer &buffer, const Tid &tid, const std::vector<float> &vector) {
    VectorEncoder encoder(CodeForm::of(vector.size()), std::pmr::get_default_resource());
    ASSERT_TRUE(encoder.encode(vector, append_code_record(buffer, tid, vector.size())));
}

void expect_refused(Bytes bytes) {
    CodeRecordReader reader(bytes);
    EXPECT_THROW(while (reader.next()){}, Corrupt);
}

TEST(CodeRecord, TakesTheBitsOfItsCodeAndSixteenBytes) {
    for (const std::size_t dimensions : {1U, 100U, 384U, 768U, 1024U, 1536U, 16000U}) {
        const CodeForm form = CodeForm::of(dimensions);
        EXPECT_EQ(code_record_size(dimensions), form.bits * form.plane_bytes() + 16) << dimensions;
    }
    EXPECT_EQ(code_record_size(768), 208U);
    EXPECT_EQ(code_record_size(0), 8U);
}

TEST(CodeRecord, IsReadAsItWasWritten) {
    std::mt19937 random(11);
    ByteBuffer buffer = new_buffer();
    const std::vector<std::pair<Tid, std::size_t>> rows = {
        {{0, 1}, 768}, {{7, 300}, 0}, {{UINT32_MAX - 1, 1}, 16000}, {{1, UINT16_MAX}, 3}};
    for (const auto &[tid, dimensions] : rows)
        if (dimensions > 0)
            append(buffer, tid, vector_test::random_vector(random, dimensions));
        else
            EXPECT_TRUE(append_code_record(buffer, tid, 0).empty());
    CodeRecordReader reader(buffer);
    std::size_t bytes = 0;
    for (const auto &[tid, dimensions] : rows) {
        const std::optional<CodeRecord> record = reader.next();
        ASSERT_TRUE(record);
        EXPECT_EQ(record->tid, tid);
        EXPECT_EQ(record->dimensions, dimensions);
        EXPECT_EQ(record->whole.data(), buffer.data() + bytes);
        bytes += record->whole.size();
        if (dimensions > 0)
            check_code(record->code, CodeForm::of(dimensions));
    }
    EXPECT_FALSE(reader.next());
    EXPECT_EQ(bytes, buffer.size());
}

TEST(CodeRecord, RefusesWhatNoWriterWrote) {
    std::mt19937 random(12);
    ByteBuffer buffer = new_buffer();
    append(buffer, {5, 6}, vector_test::random_vector(random, 40));
    for (std::size_t size = 1; size < buffer.size(); ++size)
        expect_refused(Bytes(buffer).first(size));
    for (const std::uint16_t dimensions : std::to_array<std::uint16_t>({16001, 16384, 65535})) {
        ByteBuffer damaged = buffer;
        store(damaged.data(), dimensions);
        expect_refused(damaged);
    }
    ByteBuffer without_offset = buffer;
    store(without_offset.data() + 2, std::uint16_t{0});
    expect_refused(without_offset);
    ByteBuffer without_block = buffer;
    store(without_block.data() + 4, UINT32_MAX);
    expect_refused(without_block);
}

} // namespace
