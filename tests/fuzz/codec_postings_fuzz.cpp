// Any bytes are refused or read as postings of documents that exist; what is written is read back.
#include "index/codec/posting_block.h"

#include "fuzz/codec_fuzz.h"

#include <algorithm>

namespace {

using namespace codec_fuzz;

std::vector<Posting> as_postings(const PostingBuffer &buffer) {
    std::vector<Posting> postings;
    for (std::uint32_t i = 0; i < buffer.size; ++i)
        postings.push_back({buffer.ordinals[i], buffer.counts[i]});
    return postings;
}

void check(const std::vector<Posting> &postings, std::uint32_t documents) {
    for (const Posting &posting : postings)
        require(posting.ordinal < documents, "a posting is of a document that exists");
}

void read_anything(Bytes bytes, std::uint32_t documents) {
    PostingBuffer found;
    try {
        while (!bytes.empty()) {
            const PostingBlock block(bytes, documents);
            require(block.size() > 0 && block.size() <= bytes.size(), "a block is in its bytes");
            block.decode(found);
            check(as_postings(found), documents);
            bytes = bytes.subspan(block.size());
        }
    } catch (const Corrupt &) {
    }
    try {
        BitReader reader(bytes);
        for (std::uint32_t count = 1; count < block_postings; ++count) {
            read_short_list(reader, count, documents, found);
            check(as_postings(found), documents);
        }
    } catch (const Corrupt &) {
    }
}

void write_and_read(FuzzedDataProvider &data, std::uint32_t documents) {
    std::vector<Posting> postings;
    std::vector<std::uint32_t> lengths;
    std::uint32_t next = 0;
    while (postings.size() < block_postings && data.remaining_bytes() > 0 && next < documents) {
        const std::uint32_t most = data.ConsumeBool() ? 3 : documents - 1 - next;
        const auto ordinal = next + data.ConsumeIntegralInRange<std::uint32_t>(
                                        0, std::min(most, documents - 1 - next));
        const std::uint32_t rare = data.ConsumeIntegral<std::uint8_t>() == 0 ? UINT32_MAX : 4;
        postings.push_back({ordinal, data.ConsumeIntegralInRange<std::uint32_t>(1, rare)});
        lengths.push_back(data.ConsumeIntegral<std::uint8_t>());
        next = ordinal + 1;
    }
    if (postings.empty())
        return;
    PostingBuffer found;
    ByteBuffer buffer = new_buffer();
    append_block(buffer, postings, lengths);
    require(buffer.size() <= max_block_bytes, "a block has a largest size");
    const auto bytes = exact(buffer);
    PostingBlock(bytes, documents).decode(found);
    require(as_postings(found) == postings, "a block is read as it was written");

    if (postings.size() < block_postings) {
        ByteBuffer bits = new_buffer();
        BitWriter writer(bits);
        append_short_list(writer, postings, documents);
        writer.finish();
        const auto list = exact(bits);
        BitReader reader(list);
        read_short_list(reader, static_cast<std::uint32_t>(postings.size()), documents, found);
        require(as_postings(found) == postings, "a short list is read as it was written");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *bytes, std::size_t size) {
    FuzzedDataProvider data(bytes, size);
    const auto documents = data.ConsumeIntegralInRange<std::uint32_t>(1, UINT32_MAX);
    read_anything({bytes, size}, documents);
    write_and_read(data, documents);
    return 0;
}
