// What CREATE INDEX … WITH (…) can say: dictionary, k1, b.
#pragma once

#include "pg/backend.h"

namespace memory::index {

struct Options {
    std::int32_t varlena_header;
    double k1;
    double b;
    int dictionary; // where in this struct the dictionary's name is; 0: not given

    const char *dictionary_name() const noexcept {
        return dictionary == 0 ? nullptr : reinterpret_cast<const char *>(this) + dictionary;
    }
};

// Declares them. Called once, when the library is loaded.
void define_options();

// The access method's amoptions.
bytea *parse_options(Datum options, bool validate);

// Those of an index; the defaults where nothing was given.
Options options_of(Relation index);
// The dictionary that an index was made with; InvalidOid when each script has its own default.
Oid dictionary_of(Relation index);

} // namespace memory::index
