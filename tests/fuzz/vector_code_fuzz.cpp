// Any bytes are refused or give an estimate within bounds, the same by every kernel; what is coded
// is estimated near what it is; and any bytes are records or refused.
#include "index/codec/code_record.h"

#include "fuzz/codec_fuzz.h"

#include <cmath>

namespace {

using namespace codec_fuzz;

std::vector<float> some_vector(FuzzedDataProvider &data, std::size_t dimensions) {
    std::vector<float> vector(dimensions);
    for (float &value : vector)
        value = std::bit_cast<float>(data.ConsumeIntegral<std::uint32_t>());
    return vector;
}

void estimate_anything(const std::vector<float> &query, CodeForm form, Bytes code) {
    bool refused = false;
    std::optional<Estimate> first;
    for (const Kernel &kernel : kernels()) {
        const CodeQuery asked(query, form, std::pmr::get_default_resource(), kernel.differences);
        if (!asked.has_direction())
            return;
        try {
            const Estimate estimate = asked.estimate(code);
            require(std::abs(estimate.cosine) <= 1, "an estimate is a cosine");
            require(estimate.deviation >= 0 && std::isfinite(estimate.deviation),
                    "a deviation is a number");
            require(!first || first->cosine == estimate.cosine, "kernels agree");
            first = estimate;
        } catch (const Corrupt &) {
            refused = true;
        }
        require(refused != first.has_value(), "kernels refuse the same");
    }
}

void read_anything(Bytes bytes) {
    CodeRecordReader records(bytes);
    std::size_t read = 0;
    try {
        while (const auto record = records.next()) {
            require(record->whole.data() == bytes.data() + read, "records follow each other");
            require(record->code.size() + code_record_head == record->whole.size(),
                    "a code fills its record");
            read += record->whole.size();
        }
        require(read == bytes.size(), "records fill their bytes");
    } catch (const Corrupt &) {
        require(read < bytes.size(), "something is refused");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *bytes, std::size_t size) {
    read_anything({bytes, size});
    FuzzedDataProvider data(bytes, size);
    const CodeForm form{data.ConsumeIntegralInRange<std::size_t>(1, 700),
                        data.ConsumeIntegralInRange<unsigned>(1, max_code_bits)};
    const std::vector<float> vector = some_vector(data, form.dimensions);
    std::vector<std::uint8_t> code(form.bytes());
    VectorEncoder encoder(form, std::pmr::get_default_resource());
    if (encoder.encode(vector, code)) {
        const CodeQuery same(vector, form, std::pmr::get_default_resource());
        require(same.has_direction(), "a vector that is coded can be asked for");
        const Estimate estimate = same.estimate(code);
        require(estimate.cosine > 0, "a vector is on the side of itself");
        estimate_anything(some_vector(data, form.dimensions), form, code);
    }
    const auto anything = data.ConsumeRemainingBytes<std::uint8_t>();
    estimate_anything(std::vector<float>(form.dimensions, 1.0F), form, anything);
    for (std::size_t at = 0; at < anything.size() && at < code.size(); ++at)
        code[at] ^= anything[at];
    estimate_anything(std::vector<float>(form.dimensions, 1.0F), form, code);
    return 0;
}
