// How often the ten nearest vectors are among those that codes say are near: the tables of
// docs/codes.md.
#pragma once

#include <string>
#include <vector>

namespace quality {

// Vectors, one behind the other, and how many numbers each has.
struct Vectors {
    std::size_t dimensions = 0;
    std::vector<float> values;

    std::size_t size() const { return dimensions == 0 ? 0 : values.size() / dimensions; }
    const float *operator[](std::size_t at) const { return &values[at * dimensions]; }
};

struct Sources {
    std::string data;  // the folder of the data sets
    std::string words; // a file of word vectors
};

// `count` vectors of a kind: random, clustered, words (means of word vectors), hash384, hash768;
// of texts of the data sets, the latter three. Another kind is a file of lines with JSON arrays, of
// which `count` are read, if there are so many; "squeezed:FILE" puts all cosines into a narrow
// band.
Vectors make_vectors(const std::string &kind, std::size_t count, const Sources &from);

// Holds back a hundred vectors to ask with, and prints one line for 1, 2 and 4 bits each: kind,
// dimensions, rows, bits; recall@10 by the best 100, 200 and 1000 estimates; and by the stop rule,
// with the rows that it read: the mean and the most. `centred`: the mean of the rows is taken off
// first, and the rule goes by what each row may have at most, by its own deviation.
void measure_codes(const std::string &kind, Vectors vectors, double certainty, bool centred);

} // namespace quality
