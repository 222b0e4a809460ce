// Compares what the codes say with brute force.
#include "codes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "index/codec/code_search.h"
#include "rank/cosine.h"

namespace quality {

namespace {

using memory::codec::Bytes;
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

double product(const float *a, const float *b, std::size_t size) {
    double sum = 0;
    for (std::size_t at = 0; at < size; ++at)
        sum += static_cast<double>(a[at]) * static_cast<double>(b[at]);
    return sum;
}

// What a centre leaves of a vector of length 1. Without one, the vector.
struct Rest {
    std::vector<float> vector;
    double length = 1;
    double with_centre = 0; // the product of the rest with the centre

    Rest(const float *whole, const std::vector<float> &centre, std::size_t dimensions)
        : vector(whole, whole + dimensions) {
        if (centre.empty())
            return;
        for (std::size_t at = 0; at < dimensions; ++at)
            vector[at] -= centre[at];
        length = std::sqrt(product(vector.data(), vector.data(), dimensions));
        with_centre = product(vector.data(), centre.data(), dimensions);
    }
};

struct Codes {
    CodeForm form;
    std::vector<float> centre; // empty: none
    std::vector<std::uint8_t> bytes;
    std::vector<double> lengths; // of the rests
    std::vector<double> with_centre;

    Codes(const Vectors &vectors, unsigned bits, std::vector<float> of_all)
        : form{vectors.dimensions, bits}, centre(std::move(of_all)),
          bytes(vectors.size() * form.bytes()) {
        VectorEncoder encoder(form, std::pmr::get_default_resource());
        for (std::size_t row = 0; row < vectors.size(); ++row) {
            const Rest rest(vectors[row], centre, form.dimensions);
            encoder.encode(rest.vector, {&bytes[row * form.bytes()], form.bytes()});
            lengths.push_back(rest.length);
            with_centre.push_back(rest.with_centre);
        }
    }

    Bytes operator[](std::size_t row) const {
        return Bytes(bytes).subspan(row * form.bytes(), form.bytes());
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

// Reads rows in the order of the most that they may have, until none of the others may have as much
// as the tenth so far. Returns those read.
std::span<const Hit> read_by_reach(std::vector<Hit> &most, const Query &query) {
    std::sort(most.begin(), most.end());
    std::vector<double> best;
    std::size_t read = 0;
    for (; read < most.size(); ++read) {
        if (best.size() == wanted && most[read].score < best.back())
            break;
        const double cosine = query.cosines[most[read].row];
        best.insert(std::upper_bound(best.begin(), best.end(), cosine, std::greater<>()), cosine);
        best.resize(std::min(best.size(), wanted));
    }
    return std::span(most).first(read);
}

void count(std::span<const Hit> read, const Query &query, Result &result) {
    result.by_rule += found(read, query, read.size()) / queries;
    result.read += static_cast<double>(read.size()) / queries;
    result.most_read = std::max(result.most_read, read.size());
}

void ask(const Codes &codes, const Query &query, double certainty, Result &result) {
    const bool centred = !codes.centre.empty();
    const Rest rest(query.vector.data(), codes.centre, codes.form.dimensions);
    const CodeQuery code(rest.vector, codes.form, std::pmr::get_default_resource());
    double with_centre = 0;
    if (centred)
        with_centre = product(query.vector.data(), codes.centre.data(), codes.form.dimensions);
    std::vector<Hit> order(query.cosines.size());
    std::vector<Hit> most(query.cosines.size());
    CodeSearch search(wanted, -1, std::pmr::get_default_resource(), certainty);
    for (std::uint32_t row = 0; row < order.size(); ++row) {
        const Estimate estimate = code.estimate(codes[row]);
        const double lengths = codes.lengths[row] * rest.length;
        const double cosine = with_centre + codes.with_centre[row] + lengths * estimate.cosine;
        order[row] = {cosine, row};
        most[row] = {cosine + certainty * lengths * estimate.deviation, row};
        search.add({row, 1}, estimate);
    }
    std::sort(order.begin(), order.end());
    std::size_t depth = 0;
    for (const std::size_t rows : {100, 200, 1000})
        result.among[depth++] += found(order, query, rows) / queries;
    if (centred)
        return count(read_by_reach(most, query), query, result);
    while (const auto row = search.next())
        search.keep(query.cosines[row->block]);
    count(std::span<const Hit>(order).first(search.read()), query, result);
}

void make_unit(Vectors &vectors) {
    for (std::size_t row = 0; row < vectors.size(); ++row) {
        float *vector = &vectors.values[row * vectors.dimensions];
        const double square = product(vector, vector, vectors.dimensions);
        for (std::size_t at = 0; at < vectors.dimensions; ++at)
            vector[at] = static_cast<float>(static_cast<double>(vector[at]) / std::sqrt(square));
    }
}

std::vector<float> mean_of(const Vectors &vectors) {
    std::vector<double> sums(vectors.dimensions);
    for (std::size_t at = 0; at < vectors.values.size(); ++at)
        sums[at % vectors.dimensions] += static_cast<double>(vectors.values[at]);
    std::vector<float> mean;
    for (const double sum : sums)
        mean.push_back(static_cast<float>(sum / static_cast<double>(vectors.size())));
    return mean;
}

} // namespace

void measure_codes(const std::string &kind, Vectors vectors, double certainty, bool centred) {
    make_unit(vectors);
    const std::vector<Query> asked = take_queries(vectors);
    const std::vector<float> centre = centred ? mean_of(vectors) : std::vector<float>();
    for (const unsigned bits : {1U, 2U, 4U}) {
        const Codes codes(vectors, bits, centre);
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
