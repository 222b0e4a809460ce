// What codes of vectors cost: nanoseconds of CPU time, each the best of several rounds. Prints the
// table of docs/codes.md.
#include "index/codec/code_search.h"

#include "unit/vector_support.h"

#include <cstdio>
#include <ctime>
#include <functional>

namespace {

using namespace memory::codec;
using vector_test::random_vector;

constexpr std::size_t rows = 10000;
constexpr std::size_t wanted = 10;
constexpr std::size_t held = 1024;
constexpr std::uint32_t a_page = 80; // about as many records as a page has

double best_nanoseconds(std::size_t operations, const std::function<void()> &body) {
    double best = 1e300;
    for (int round = 0; round < 15; ++round) {
        const std::clock_t start = std::clock();
        body();
        const auto clocks = static_cast<double>(std::clock() - start);
        best = std::min(best, clocks / CLOCKS_PER_SEC * 1e9 / static_cast<double>(operations));
    }
    return best;
}

struct Coded {
    CodeForm form;
    std::vector<std::uint8_t> bytes;

    Bytes operator[](std::size_t row) const {
        return Bytes(bytes).subspan(row * form.bytes(), form.bytes());
    }
};

double encoding(const std::vector<float> &vector, CodeForm form) {
    VectorEncoder encoder(form, std::pmr::get_default_resource());
    std::vector<std::uint8_t> code(form.bytes());
    return best_nanoseconds(200, [&] {
        for (int n = 0; n < 200; ++n)
            encoder.encode(vector, code);
    });
}

double beginning(const std::vector<float> &vector, CodeForm form) {
    return best_nanoseconds(200, [&] {
        for (int n = 0; n < 200; ++n)
            CodeQuery(vector, form, std::pmr::get_default_resource());
    });
}

// Estimates of all rows, and the search over them until its first row.
double searching(const std::vector<float> &vector, const Coded &codes, const Kernel &kernel) {
    const CodeQuery query(vector, codes.form, std::pmr::get_default_resource(), kernel.differences);
    std::vector<Estimate> estimates(a_page);
    return best_nanoseconds(rows, [&] {
        CodeSearch search(wanted, -1, std::pmr::get_default_resource(), usual_certainty, held);
        for (std::uint32_t row = 0; row < rows; row += a_page) {
            query.estimate(codes[row].data(), codes.form.bytes(), estimates);
            for (std::uint32_t n = 0; n < a_page; ++n)
                search.add({row + n, 1}, estimates[n]);
        }
        search.next();
    });
}

void measure(CodeForm form) {
    std::mt19937 random(5);
    const std::vector<float> vector = random_vector(random, form.dimensions);
    Coded codes{form, std::vector<std::uint8_t>(rows * form.bytes())};
    VectorEncoder encoder(form, std::pmr::get_default_resource());
    for (std::size_t row = 0; row < rows; ++row)
        encoder.encode(random_vector(random, form.dimensions),
                       std::span(codes.bytes).subspan(row * form.bytes(), form.bytes()));
    std::printf("| %zu | %u | %.1f | %.1f |", form.dimensions, form.bits,
                encoding(vector, form) / 1000, beginning(vector, form) / 1000);
    for (const Kernel &kernel : kernels())
        std::printf(" %.1f |", searching(vector, codes, kernel));
    std::printf("\n");
}

} // namespace

int main() {
    std::printf("| dimensions | bits | encode, us | begin a query, us |");
    for (const Kernel &kernel : kernels())
        std::printf(" a row by %s, ns |", kernel.name);
    std::printf("\n|---|---|---|---|");
    for (std::size_t n = 0; n < kernels().size(); ++n)
        std::printf("---|");
    std::printf("\n");
    for (const std::size_t dimensions : {128U, 384U, 512U, 768U, 1536U})
        measure(CodeForm::of(dimensions));
}
