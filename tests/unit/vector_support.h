// Random vectors.
#pragma once

#include <cmath>
#include <random>
#include <vector>

namespace vector_test {

// Whose elements are what `draw()` gives.
template <class Draw>
std::vector<float> drawn_vector(std::size_t dimensions, Draw &&draw) {
    std::vector<float> vector(dimensions);
    for (float &element : vector)
        element = draw();
    return vector;
}

// In any direction, all equally likely.
inline std::vector<float> random_vector(std::mt19937 &random, std::size_t dimensions) {
    std::normal_distribution<float> normal;
    return drawn_vector(dimensions, [&] { return normal(random); });
}

// Of elements of very different sizes.
inline std::vector<float> uneven_vector(std::mt19937 &random, std::size_t dimensions) {
    std::uniform_real_distribution<float> mantissa(-1, 1);
    std::uniform_int_distribution<int> exponent(-20, 20);
    return drawn_vector(dimensions, [&] { return std::ldexp(mantissa(random), exponent(random)); });
}

} // namespace vector_test
