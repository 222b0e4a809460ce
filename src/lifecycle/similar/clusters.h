// Groups of texts that are nearly the same, in a time that grows with their number and not with its
// square.
//
// Texts whose words are the same are one text. Others are compared where their signatures meet:
// a text is the set of the groups of three letters in its words, and two of its sets meet in a band
// of `rows` minima of random orders (MinHash) with the probability J^rows, J being what the sets
// share of what both have; in one of `bands` bands with 1 − (1 − J^rows)^bands. An edit in a word
// changes three groups at most; nine letters with one edit (J = .4) are found with .93, twenty
// (J = .7) with 1 − 5·10⁻⁸. In a band of many texts each is compared with its next `window` by
// length. So a text is compared with at most bands · window others.
//
// The random orders are always the same, and so is the answer.
#pragma once

#include "lifecycle/similar/texts.h"

namespace memory::similar {

inline constexpr int bands = 40;
inline constexpr int rows = 3;
inline constexpr std::size_t window = 32;

struct Member {
    Number text;
    double similarity; // to the cluster's first
};

// All of them are similar to the first, and not necessarily to each other.
struct Cluster {
    Number first;
    std::pmr::vector<Member> others; // by their numbers
};

// Texts with a similarity of `threshold` or more, those without words apart. In a cluster the text
// with the least number is the first, and clusters are in the order of their first: a text belongs
// to the first one that it is similar to.
std::pmr::vector<Cluster>
clusters_of(const Texts &texts, double threshold, std::pmr::memory_resource *memory,
            text::Interruption &interruption = text::Interruption::none());

} // namespace memory::similar
