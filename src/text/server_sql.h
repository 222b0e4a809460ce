// The room inside PostgreSQL: analyzers with the server's text search dictionaries, kept for the
// life of a backend. Only the shell includes this.
#pragma once

#include "pg/backend.h"

// PostgreSQL has a type called text, and the room has parameters of that name.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include "text/analyzer.h"
#pragma GCC diagnostic pop

namespace memory::text {

// This backend's analyzer for texts under `dictionary`, which serves its own script; InvalidOid:
// every script has its default. Valid until the next call. It takes UTF-8 (pg/encoding.h).
Analyzer &analyzer_for(Oid dictionary);

// What its terms depend on besides the texts (fingerprint.h).
std::uint64_t fingerprint_for(Oid dictionary);

} // namespace memory::text
