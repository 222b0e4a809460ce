// Compares what the codes say with brute force.
#include "codes.h"

#include <algorithm>
#include <cstdio>
#include <random>

#include "index/codec/code_search.h"
#include "rank/cosine.h"

namespace quality {

namespace {

using memory::codec::CodeForm;
using memory::codec::CodeQuery;
using memory::codec::CodeSearch;
using memory::codec::Estimate;
using memory::codec::VectorEncoder;
using memory::rank::Cosine;

constexpr std::size_t wanted = 10;
constexpr std::size_t queries = 100;

struct Hit {
    double score;
    std::uint32_t row;
    // The best first, as CodeSearch reads them.
    bool operator<(const Hit &other) const {
        return score != other.score ? score > other.score : row < other.row;
    }
};

std::span<const float> row_of(const Vectors &vectors, std::size_t row) {
    return {vectors[row], vectors.dimensions};
}

struct Query {
    std::vector<float> vector;
    std::vector<double> cosines; // with all rows
    double tenth = 0;            // the least of the ten nearest
};

// Takes vectors out of `vectors` to ask with.
std::vector<Query> take_queries(Vectors &vectors) {
    std::mt19937 random(17);
    std::vector<Query> taken(queries);
    for (Query &query : taken) {
        const std::size_t last = vectors.size() - 1;
        float *there = &vectors.values[random() % vectors.size() * vectors.dimensions];
        query.vector.assign(there, there + vectors.dimensions);
        std::copy_n(vectors[last], vectors.dimensions, there);
        vectors.values.resize(last * vectors.dimensions);
    }
    for (Query &query : taken) {
        const Cosine cosine(query.vector);
        query.cosines.resize(vectors.size());
        for (std::size_t row = 0; row < vectors.size(); ++row)
            query.cosines[row] = cosine.with(row_of(vectors, row));
        std::vector<double> best = query.cosines;
        std::nth_element(best.begin(), best.begin() + wanted - 1, best.end(), std::greater<>());
        query.tenth = best[wanted - 1];
    }
    return taken;
}

struct Codes {
    CodeForm form;
    std::vector<std::uint8_t> bytes;

    Codes(const Vectors &vectors, unsigned bits)
        : form{vectors.dimensions, bits}, bytes(vectors.size() * form.bytes()) {
        VectorEncoder encoder(form, std::pmr::get_default_resource());
        for (std::size_t row = 0; row < vectors.size(); ++row)
            encoder.encode(row_of(vectors, row), {&bytes[row * form.bytes()], form.bytes()});
    }
};

// How many of the ten nearest are among the first `depth` of `order`; of rows that are as near as
// the tenth, any will do.
double found(std::span<const Hit> order, const Query &query, std::size_t depth) {
    std::size_t count = 0;
    for (const Hit &hit : order.first(std::min(depth, order.size())))
        count += query.cosines[hit.row] >= query.tenth;
    return static_cast<double>(std::min(count, wanted)) / wanted;
}

struct Result {
    double among[3] = {};
    double by_rule = 0;
    double read = 0;
    std::size_t most_read = 0;
};

void ask(const Codes &codes, const Query &query, double certainty, Result &result) {
    const CodeQuery code(query.vector, codes.form, std::pmr::get_default_resource());
    std::vector<Hit> order(query.cosines.size());
    CodeSearch search(wanted, -1, std::pmr::get_default_resource(), certainty);
    const std::size_t size = codes.form.bytes();
    for (std::uint32_t row = 0; row < order.size(); ++row) {
        const Estimate estimate = code.estimate({&codes.bytes[row * size], size});
        order[row] = {estimate.cosine, row};
        search.add({row, 1}, estimate);
    }
    while (const auto row = search.next())
        search.keep(query.cosines[row->block]);
    std::sort(order.begin(), order.end());
    std::size_t depth = 0;
    for (const std::size_t rows : {100, 200, 1000})
        result.among[depth++] += found(order, query, rows) / queries;
    result.by_rule += found(order, query, search.read()) / queries;
    result.read += static_cast<double>(search.read()) / queries;
    result.most_read = std::max(result.most_read, search.read());
}

} // namespace

void measure_codes(const std::string &kind, Vectors vectors, double certainty) {
    const std::vector<Query> asked = take_queries(vectors);
    for (const unsigned bits : {1U, 2U, 4U}) {
        const Codes codes(vectors, bits);
        Result result;
        for (const Query &query : asked)
            ask(codes, query, certainty, result);
        std::printf("%s\t%zu\t%zu\t%u\t%.4f\t%.4f\t%.4f\t%.4f\t%.0f\t%zu\n", kind.c_str(),
                    vectors.dimensions, vectors.size(), bits, result.among[0], result.among[1],
                    result.among[2], result.by_rule, result.read, result.most_read);
        std::fflush(stdout);
    }
}

} // namespace quality
