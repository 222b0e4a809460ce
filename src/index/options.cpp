// Declares the reloptions, checks the dictionary when the index is made, and finds it when it is
// used.
#include "index/options.h"

#include "pg/call.h"
#include "pg/entry.h"

extern "C" {
#include "access/reloptions.h"
#include "utils/regproc.h"
#include "utils/varlena.h"
}

namespace memory::index {

namespace {

constexpr double default_k1 = 0.9;
constexpr double default_b = 0.4;

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
    add_real_reloption(kind, "k1", "How much repetitions of a word count (BM25's k1)", default_k1,
                       0, 10, AccessExclusiveLock);
    add_real_reloption(kind, "b", "How much a document's length counts (BM25's b)", default_b, 0, 1,
                       AccessExclusiveLock);
    add_string_reloption(kind, "dictionary",
                         "The text search dictionary for the script it is made for", nullptr,
                         check_dictionary, AccessExclusiveLock);
}

bytea *parse_options(Datum options, bool validate) {
    const relopt_parse_elt elements[] = {
        option("k1", RELOPT_TYPE_REAL, offsetof(Options, k1)),
        option("b", RELOPT_TYPE_REAL, offsetof(Options, b)),
        option("dictionary", RELOPT_TYPE_STRING, offsetof(Options, dictionary)),
    };
    return pg::entry([=] {
        return static_cast<bytea *>(pg::call([=] {
            return build_reloptions(options, validate, kind, sizeof(Options), elements,
                                    lengthof(elements));
        }));
    });
}

Options options_of(Relation index) {
    const auto *given = reinterpret_cast<const Options *>(index->rd_options);
    return given != nullptr ? Options{0, given->k1, given->b, 0}
                            : Options{0, default_k1, default_b, 0};
}

Oid dictionary_of(Relation index) {
    const auto *given = reinterpret_cast<const Options *>(index->rd_options);
    const char *name = given != nullptr ? given->dictionary_name() : nullptr;
    return name != nullptr ? dictionary_named(name) : InvalidOid;
}

} // namespace memory::index
