// What CREATE INDEX … WITH (…) can say: dictionary; k1 and b, each a number or auto.
#pragma once

#include "pg/backend.h"
#include "rank/bm25.h"

namespace memory::index {

// As PostgreSQL keeps them: where in this struct the texts are; 0: not given.
struct Options {
    std::int32_t varlena_header;
    int k1;
    int b;
    int dictionary;

    const char *text(int option) const noexcept {
        return option == 0 ? nullptr : reinterpret_cast<const char *>(this) + option;
    }
};

// Declares them. Called once, when the library is loaded.
void define_options();

// The access method's amoptions.
bytea *parse_options(Datum options, bool validate);

// BM25's of an index; the defaults where nothing was given.
rank::Bm25Parameters parameters_of(Relation index);
// The dictionary that an index was made with; InvalidOid when each script has its own default.
Oid dictionary_of(Relation index);

} // namespace memory::index
