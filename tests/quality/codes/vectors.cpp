// Makes the vectors that codes are measured with.
#include <cctype>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "../measure/json_lines.h"
#include "codes.h"
#include "text/hash_embedding.h"

namespace quality {

namespace {

constexpr unsigned seed = 4711;

Vectors random_vectors(std::size_t count, std::size_t dimensions) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    Vectors made{dimensions, std::vector<float>(count * dimensions)};
    for (float &value : made.values)
        value = normal(random);
    return made;
}

// A cluster for each hundred: a centre and noise of its length, which puts cosines within a cluster
// around a half.
Vectors clustered_vectors(std::size_t count, std::size_t dimensions) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    const Vectors centres = random_vectors(std::max<std::size_t>(count / 100, 1), dimensions);
    Vectors made{dimensions, {}};
    made.values.reserve(count * dimensions);
    for (std::size_t row = 0; row < count; ++row) {
        const float *centre = centres[random() % centres.size()];
        for (std::size_t at = 0; at < dimensions; ++at)
            made.values.push_back(centre[at] + normal(random));
    }
    return made;
}

// Distinct texts of the data sets, and then pairs of them.
std::vector<std::string> texts_of(const std::string &data, std::initializer_list<const char *> sets,
                                  std::size_t count) {
    std::unordered_set<std::string> seen;
    std::vector<std::string> texts;
    for (const char *set : sets)
        read_lines(data + "/" + set + ".jsonl.gz", [&](const Line &line) {
            if (texts.size() < count && !line.text.empty() && seen.insert(line.text).second)
                texts.push_back(line.text);
        });
    std::mt19937 random(seed);
    for (const std::size_t distinct = texts.size(); texts.size() < count;)
        texts.push_back(texts[random() % distinct] + " " + texts[random() % distinct]);
    return texts;
}

Vectors hash_vectors(const std::string &data, std::size_t count, std::size_t dimensions) {
    Vectors made{dimensions, std::vector<float>(count * dimensions)};
    const auto texts = texts_of(data,
                                {"friendsqa.docs", "knowme.docs", "realmem.docs", "sgd.docs",
                                 "intents.docs", "commonvoice"},
                                count);
    for (std::size_t row = 0; row < texts.size(); ++row)
        memory::text::hash_embedding(texts[row], {&made.values[row * dimensions], dimensions},
                                     std::pmr::get_default_resource());
    return made;
}

// Word2vec's vectors of 128 dimensions; rare words count for more, as in word_vectors.py.
class Words {
  public:
    static constexpr std::size_t dimensions = 128;

    explicit Words(const std::string &path) {
        std::ifstream lines(path);
        std::string word;
        double count = 0;
        while (lines >> word >> count) {
            std::vector<float> &vector = vectors_[word];
            vector.resize(dimensions);
            for (float &value : vector) {
                lines >> value;
                value *= static_cast<float>(1 / (1 + count / 5000));
            }
        }
        if (vectors_.empty())
            throw std::runtime_error("no word vectors in " + path);
    }

    // Whether the text has a known word.
    bool mean(const std::string &text, float *to) const {
        bool any = false;
        std::string word;
        for (const char byte : text + " ") {
            if (std::isalnum(static_cast<unsigned char>(byte))) {
                word += static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
                continue;
            }
            if (const auto found = vectors_.find(word); found != vectors_.end()) {
                for (std::size_t at = 0; at < dimensions; ++at)
                    to[at] += found->second[at];
                any = true;
            }
            word.clear();
        }
        return any;
    }

  private:
    std::unordered_map<std::string, std::vector<float>> vectors_;
};

Vectors word_vectors(const Sources &from, std::size_t count) {
    const Words words(from.words);
    const auto texts = texts_of(from.data,
                                {"friendsqa.docs", "knowme.docs", "realmem.docs", "sgd.docs",
                                 "intents.docs", "cranfield.docs", "cacm.docs"},
                                count + count / 10);
    Vectors made{Words::dimensions, {}};
    for (const std::string &text : texts) {
        if (made.size() == count)
            break;
        const std::size_t end = made.values.size();
        made.values.resize(end + Words::dimensions);
        if (!words.mean(text, &made.values[end]))
            made.values.resize(end);
    }
    return made;
}

Vectors vectors_of_file(const std::string &path, std::size_t count) {
    std::ifstream lines(path);
    Vectors read;
    for (std::string line; read.size() < count && std::getline(lines, line);) {
        for (char &byte : line)
            if (byte == '[' || byte == ']' || byte == ',')
                byte = ' ';
        std::istringstream numbers(line);
        const std::size_t before = read.values.size();
        for (float value = 0; numbers >> value;)
            read.values.push_back(value);
        if (read.dimensions == 0)
            read.dimensions = read.values.size();
        if (read.values.size() - before != read.dimensions || lines.eof())
            read.values.resize(before); // a line that is still being written
    }
    return read;
}

// Each at length 1, shrunk, with a number more that is the same for all: a cosine c becomes
// 8/9 + c/9, as models have them whose cosines lie in a narrow band.
Vectors squeezed(const Vectors &whole) {
    Vectors made{whole.dimensions + 1, {}};
    for (std::size_t row = 0; row < whole.size(); ++row) {
        double square = 0;
        for (std::size_t at = 0; at < whole.dimensions; ++at)
            square += static_cast<double>(whole[row][at]) * static_cast<double>(whole[row][at]);
        const double part = std::sqrt(1.0 / 9 / square);
        for (std::size_t at = 0; at < whole.dimensions; ++at)
            made.values.push_back(static_cast<float>(static_cast<double>(whole[row][at]) * part));
        made.values.push_back(static_cast<float>(std::sqrt(8.0 / 9)));
    }
    return made;
}

} // namespace

Vectors make_vectors(const std::string &kind, std::size_t count, const Sources &from) {
    constexpr std::string_view narrow = "squeezed:";
    if (kind == "random")
        return random_vectors(count, 768);
    if (kind == "clustered")
        return clustered_vectors(count, 768);
    if (kind == "words")
        return word_vectors(from, count);
    if (kind == "hash384")
        return hash_vectors(from.data, count, 384);
    if (kind == "hash768")
        return hash_vectors(from.data, count, 768);
    if (kind.starts_with(narrow))
        return squeezed(vectors_of_file(kind.substr(narrow.size()), count));
    return vectors_of_file(kind, count);
}

} // namespace quality
