// Declares the reloptions, checks the dictionary when the index is made, and finds it when it is
// used.
#include "index/options.h"

#include "pg/call.h"
#include "pg/entry.h"
#include "pg/error.h"

#include <optional>
#include <string_view>

extern "C" {
#include "access/reloptions.h"
#include "utils/guc.h"
#include "utils/regproc.h"
#include "utils/varlena.h"
}

namespace memory::index {

namespace {

constexpr double most_k1 = 10;
constexpr double most_b = 1;

constinit relopt_kind kind{};

Oid dictionary_named(const char *name) {
    return pg::call([name] {
        return get_ts_dict_oid(stringToQualifiedNameList(name
#if PG_VERSION_NUM >= 160000
                                                         ,
                                                         nullptr
#endif
                                                         ),
                               false);
    });
}

void check_dictionary(const char *name) {
    pg::entry([name] {
        if (name != nullptr)
            dictionary_named(name);
    });
}

// A number from 0 to `most`; nothing of `auto`.
std::optional<double> number_of(const char *name, const char *text, double most) {
    if (std::string_view(text) == "auto")
        return std::nullopt;
    double number = 0;
    if (!pg::call([&] { return parse_real(text, &number, 0, nullptr); }))
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "invalid value for option \"%s\": %s",
                        name, text)
            .hint("It is a number or auto.");
    if (!(number >= 0 && number <= most))
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "value %s out of bounds for option \"%s\"",
                        text, name)
            .hint("It is from 0 to %g, or auto.", most);
    return number;
}

void check_k1(const char *text) {
    pg::entry([text] {
        if (text != nullptr)
            number_of("k1", text, most_k1);
    });
}

void check_b(const char *text) {
    pg::entry([text] {
        if (text != nullptr)
            number_of("b", text, most_b);
    });
}

// PostgreSQL 18 has a field more, which is 0 for all of ours.
relopt_parse_elt option(const char *name, relopt_type type, int offset) {
    relopt_parse_elt element{};
    element.optname = name;
    element.opttype = type;
    element.offset = offset;
    return element;
}

} // namespace

void define_options() {
    kind = add_reloption_kind();
    add_string_reloption(kind, "k1", "How much repetitions of a word count (BM25's k1), or auto",
                         nullptr, check_k1, AccessExclusiveLock);
    add_string_reloption(kind, "b", "How much a document's length counts (BM25's b), or auto",
                         nullptr, check_b, AccessExclusiveLock);
    add_string_reloption(kind, "dictionary",
                         "The text search dictionary for the script it is made for", nullptr,
                         check_dictionary, AccessExclusiveLock);
}

bytea *parse_options(Datum options, bool validate) {
    const relopt_parse_elt elements[] = {
        option("k1", RELOPT_TYPE_STRING, offsetof(Options, k1)),
        option("b", RELOPT_TYPE_STRING, offsetof(Options, b)),
        option("dictionary", RELOPT_TYPE_STRING, offsetof(Options, dictionary)),
    };
    return pg::entry([=] {
        return static_cast<bytea *>(pg::call([=] {
            return build_reloptions(options, validate, kind, sizeof(Options), elements,
                                    lengthof(elements));
        }));
    });
}

rank::Bm25Parameters parameters_of(Relation index) {
    rank::Bm25Parameters parameters;
    const auto *given = reinterpret_cast<const Options *>(index->rd_options);
    const auto read = [&](const char *name, int option, double most, double &number,
                          bool &by_length) {
        if (option == 0)
            return;
        const std::optional<double> said = number_of(name, given->text(option), most);
        number = said.value_or(number);
        by_length = !said;
    };
    if (given != nullptr) {
        read("k1", given->k1, most_k1, parameters.k1, parameters.k1_by_length);
        read("b", given->b, most_b, parameters.b, parameters.b_by_length);
    }
    return parameters;
}

Oid dictionary_of(Relation index) {
    const auto *given = reinterpret_cast<const Options *>(index->rd_options);
    const char *name = given != nullptr ? given->text(given->dictionary) : nullptr;
    return name != nullptr ? dictionary_named(name) : InvalidOid;
}

} // namespace memory::index
