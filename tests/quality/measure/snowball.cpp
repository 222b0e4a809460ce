#include "snowball.h"

#include <cstdlib>
#include <fstream>
#include <libstemmer.h>
#include <stdexcept>

namespace quality {

using memory::text::Lexemes;
using memory::text::Script;
using memory::text::Verdict;

namespace {

std::unordered_set<std::string> read_stop_words(const std::string &language) {
    const char *directory = std::getenv("TSEARCH_DATA");
    std::ifstream file(
        std::string(directory ? directory : "/usr/share/postgresql/15/tsearch_data") + "/" +
        language + ".stop");
    std::unordered_set<std::string> words;
    for (std::string word; std::getline(file, word);)
        if (const std::size_t end = word.find_last_not_of(" \t\r"); end != std::string::npos)
            words.insert(word.substr(0, end + 1));
    return words;
}

} // namespace

void Snowball::Delete::operator()(sb_stemmer *stemmer) const { sb_stemmer_delete(stemmer); }

Snowball::Snowball(std::string_view language)
    : identity_(language), stemmer_(sb_stemmer_new(identity_.c_str(), "UTF_8")),
      stop_words_(read_stop_words(identity_)) {
    if (!stemmer_)
        throw std::runtime_error("libstemmer has no " + identity_);
}

Verdict Snowball::look_up(std::string_view word, Lexemes &lexemes) {
    if (stop_words_.contains(std::string(word)))
        return Verdict::stop_word;
    const auto *stem =
        sb_stemmer_stem(stemmer_.get(), reinterpret_cast<const sb_symbol *>(word.data()),
                        static_cast<int>(word.size()));
    const auto length = static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()));
    // PostgreSQL, too, keeps a word of which nothing would be left.
    lexemes.add(length == 0 ? word
                            : std::string_view(reinterpret_cast<const char *>(stem), length));
    return Verdict::lexemes;
}

DefaultDictionaries::DefaultDictionaries() {
    for (std::size_t i = 0; i < memory::text::script_count; ++i)
        if (const auto language = memory::text::default_language(static_cast<Script>(i));
            !language.empty())
            replace(language);
}

void DefaultDictionaries::replace(std::string_view language) {
    owned_.push_back(std::make_unique<Snowball>(language));
    all_.serve(memory::text::scripts_of_language(language), owned_.back().get());
}

} // namespace quality
