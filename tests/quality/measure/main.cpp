// What tests/quality/run asks for, as lines of tab-separated values:
//   measure retrieval DIRECTORY K1 B   set, language, documents, queries, recall, nDCG, length
//   measure dictionaries DIRECTORY     set, language, recall and nDCG: folding only, the default
//                                      dictionary, the language's own
//   measure variants DIRECTORY         name; nDCG of Cranfield, of CACM, recall and nDCG of XQuAD
//   measure identifiers COUNT          how many asked, how many first
//   measure export DIRECTORY TO        TO/NUMBER.docs and TO/NUMBER.queries for COPY; TO/NUMBER,
//   set,
//                                      language
//   measure versions                   ICU and Unicode
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>

#include "identifiers.h"
#include "retrieval.h"
#include "snowball.h"
#include "text/fingerprint.h"

namespace {

using namespace quality;
using memory::rank::Bm25Parameters;
using memory::text::Analyzer;
using memory::text::Script;

int retrieval(const char *directory, const Bm25Parameters &parameters) {
    const DefaultDictionaries dictionaries;
    Analyzer analyzer(dictionaries.all(), std::pmr::get_default_resource());
    for (const Set &set : read_sets(directory)) {
        const Quality quality = evaluate(set, analyzer, {.parameters = parameters});
        std::printf("%s\t%s\t%zu\t%zu\t%.4f\t%.4f\t%.0f\n", set.name.c_str(), set.lang.c_str(),
                    set.documents.size(), set.queries.size(), quality.recall, quality.ndcg,
                    quality.tokens);
    }
    return 0;
}

struct Language {
    const char *set;
    const char *lang;
    const char *snowball; // "" where there is no own one
    Script script;
};

constexpr Language languages[] = {
    {"xquad", "ar", "arabic", Script::arabic},    {"arcd_ar", "", "arabic", Script::arabic},
    {"xquad", "el", "greek", Script::greek},      {"xquad", "hi", "hindi", Script::devanagari},
    {"xquad", "ru", "russian", Script::cyrillic}, {"xquad", "en", "english", Script::latin},
    {"xquad", "de", "german", Script::latin},     {"xquad", "es", "spanish", Script::latin},
    {"xquad", "ro", "romanian", Script::latin},   {"xquad", "tr", "turkish", Script::latin},
    {"xquad", "vi", "", Script::latin},           {"cranfield", "", "english", Script::latin},
    {"cacm", "", "english", Script::latin},
};

void print(const Quality &quality) { std::printf("\t%.4f\t%.4f", quality.recall, quality.ndcg); }

Quality with(const DefaultDictionaries &dictionaries, const Set &set) {
    Analyzer analyzer(dictionaries.all(), std::pmr::get_default_resource());
    return evaluate(set, analyzer);
}

int dictionaries(const char *directory) {
    const std::vector<Set> sets = read_sets(directory);
    for (const Language &language : languages)
        for (const Set &set : sets) {
            if (set.name != language.set || set.lang != language.lang)
                continue;
            DefaultDictionaries plain;
            plain.remove(language.script);
            std::printf("%s\t%s\t%s", language.set, language.lang, language.snowball);
            print(with(plain, set));
            print(with(DefaultDictionaries(), set));
            DefaultDictionaries own;
            if (*language.snowball)
                own.replace(language.snowball);
            print(with(own, set));
            std::printf("\n");
        }
    return 0;
}

// Every variant on the sets that ask for many documents, and on XQuAD, averaged over its languages.
int variants(const char *directory) {
    const DefaultDictionaries dictionaries;
    Analyzer analyzer(dictionaries.all(), std::pmr::get_default_resource());
    const std::vector<Set> sets = read_sets(directory);
    for (const Variant &variant : quality::variants()) {
        double cranfield = 0;
        double cacm = 0;
        Quality xquad;
        double languages_of_xquad = 0;
        for (const Set &set : sets) {
            if (set.name != "cranfield" && set.name != "cacm" && set.name != "xquad")
                continue;
            const Quality quality = evaluate(set, analyzer, variant);
            if (set.name == "xquad") {
                languages_of_xquad += 1;
                xquad.recall += quality.recall;
                xquad.ndcg += quality.ndcg;
            } else {
                (set.name == "cacm" ? cacm : cranfield) = quality.ndcg;
            }
        }
        std::printf("%s\t%.4f\t%.4f\t%.4f\t%.4f\n", variant.name, cranfield, cacm,
                    xquad.recall / languages_of_xquad, xquad.ndcg / languages_of_xquad);
    }
    return 0;
}

int identifiers(std::size_t count) {
    const DefaultDictionaries dictionaries;
    Analyzer analyzer(dictionaries.all(), std::pmr::get_default_resource());
    const IdentifierResult result = test_identifiers(analyzer, count, 1);
    std::printf("%zu\t%zu\n", result.asked, result.first);
    for (const std::string &missed : result.missed)
        std::fprintf(stderr, "not first: %s\n", missed.c_str());
    return result.first == result.asked ? 0 : 1;
}

// A value of COPY's text format.
std::string escaped(std::string_view value) {
    std::string escaped;
    for (const char byte : value)
        switch (byte) {
        case '\\':
            escaped += "\\\\";
            break;
        case '\n':
            escaped += "\\n";
            break;
        case '\r':
            escaped += "\\r";
            break;
        case '\t':
            escaped += "\\t";
            break;
        default:
            escaped += byte;
        }
    return escaped;
}

int export_sets(const char *directory, const std::string &to) {
    std::size_t number = 0;
    for (const Set &set : read_sets(directory)) {
        const std::string name = to + "/" + std::to_string(number++);
        std::ofstream documents(name + ".docs");
        for (const Line &document : set.documents)
            documents << escaped(document.id) << '\t' << escaped(document.text) << '\n';
        std::ofstream queries(name + ".queries");
        for (const Line &query : set.queries) {
            queries << escaped(query.text) << "\t{";
            for (std::size_t i = 0; i < query.evidence.size(); ++i)
                queries << (i ? "," : "") << '"' << query.evidence[i] << '"';
            queries << "}\n";
        }
        std::printf("%s\t%s\t%s\n", name.c_str(), set.name.c_str(), set.lang.c_str());
    }
    return 0;
}

int versions() {
    std::pmr::string description;
    memory::text::describe({}, description);
    std::printf("%s\n", description.c_str());
    return 0;
}

int run(int count, char **arguments) {
    const std::string_view command = count > 1 ? arguments[1] : "";
    if (command == "retrieval" && count == 5)
        return retrieval(arguments[2], {std::atof(arguments[3]), std::atof(arguments[4])});
    if (command == "dictionaries" && count == 3)
        return dictionaries(arguments[2]);
    if (command == "variants" && count == 3)
        return variants(arguments[2]);
    if (command == "identifiers" && count == 3)
        return identifiers(std::strtoul(arguments[2], nullptr, 10));
    if (command == "export" && count == 4)
        return export_sets(arguments[2], arguments[3]);
    if (command == "versions")
        return versions();
    std::fprintf(stderr, "measure: see the head of main.cpp\n");
    return 2;
}

} // namespace

int main(int count, char **arguments) {
    try {
        return run(count, arguments);
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "measure: %s\n", failure.what());
        return 1;
    }
}
