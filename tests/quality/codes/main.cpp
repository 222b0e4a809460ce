// codes KIND ROWS DATA WORDS CERTAINTY [centred]: what codes.h says of vectors of that kind.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "codes.h"

int main(int count, char **arguments) {
    if (count != 6 && count != 7) {
        std::fprintf(stderr, "codes: see the head of main.cpp\n");
        return 2;
    }
    try {
        const std::size_t rows = std::strtoul(arguments[2], nullptr, 10);
        quality::measure_codes(
            arguments[1], quality::make_vectors(arguments[1], rows, {arguments[3], arguments[4]}),
            std::atof(arguments[5]), count == 7);
        return 0;
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "codes: %s\n", failure.what());
        return 1;
    }
}
