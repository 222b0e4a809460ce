// A vector of floats in a few bits a dimension, by which its cosine with another is estimated,
// without a bias and with a known deviation. Arithmetic and format: docs/codes.md.
#pragma once

#include "index/codec/bytes.h"
#include "index/codec/differences.h"
#include "index/codec/rotation.h"

#include <optional>

namespace memory::codec {

// By which rules vectors are coded. Another number where the same vector gets another code.
inline constexpr std::uint64_t code_rules = rotation_seed + 1;

inline constexpr std::size_t max_code_dimensions = 16000;
inline constexpr unsigned max_code_bits = 4;

// How vectors of `dimensions`, 1 to max_code_dimensions, are coded.
struct CodeForm {
    std::size_t dimensions;
    unsigned bits; // a dimension, 1 to max_code_bits

    // 4 bits up to 256 dimensions, 2 up to 1,024, then 1.
    static CodeForm of(std::size_t dimensions);

    std::size_t plane_bytes() const { return (dimensions + 7) / 8; }
    // Of a code: scale f32, deviation f32, planes.
    std::size_t bytes() const { return 2 * sizeof(float) + bits * plane_bytes(); }
};

// Codes vectors of one form. Keeps its memory for the next one.
class VectorEncoder {
  public:
    VectorEncoder(CodeForm form, std::pmr::memory_resource *memory);

    // Writes form.bytes() bytes to `code`. False, and nothing is written, when the vector has no
    // direction: its length is 0 or not finite. `vector` has form.dimensions elements.
    bool encode(std::span<const float> vector, std::span<std::uint8_t> code);

  private:
    CodeForm form_;
    std::pmr::vector<float> rotated_;
};

// Throws Corrupt when `code` cannot be one of `form`.
void check_code(Bytes code, CodeForm form);

struct Estimate {
    double cosine;    // within [-1, 1]
    double deviation; // of an estimate of a cosine of 0; smaller for larger ones: see reach()
};

// A vector whose cosine with coded ones is asked for.
class CodeQuery {
  public:
    // `vector` has form.dimensions elements.
    CodeQuery(std::span<const float> vector, CodeForm form, std::pmr::memory_resource *memory,
              Differences differences = kernels().front().differences);

    // Whether it has one; without, there is no estimate.
    bool has_direction() const { return step_ > 0; }

    // Of codes of this form that are `step` bytes apart, one for each of `estimates`, of which the
    // first begins at `first`. Throws Corrupt when one is none of this form.
    void estimate(const std::uint8_t *first, std::size_t step, std::span<Estimate> estimates) const;
    Estimate estimate(Bytes code) const;

  private:
    void quantise(std::span<const float> unit);

    CodeForm form_;
    unsigned planes_;
    std::pmr::vector<std::uint8_t> bits_;
    Differences differences_;
    double step_ = 0;     // between the levels of the quantised query
    double residual_ = 0; // length of what quantising leaves out
};

// The least estimate of a row whose cosine may be above `cosine`, but for a deviation of more than
// `certainty` times the one given.
double reach(double cosine, double deviation, double certainty);

} // namespace memory::codec
