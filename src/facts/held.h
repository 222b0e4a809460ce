// What was held at an earlier time, searched by words: by the index of what is held now, and by
// what has changed since.
#pragma once

#include "facts/ranking.h"

namespace memory::facts {

struct FoundText {
    pg_uuid_t id;
    TimestampTz valid_from;
    double score;
};

// Facts that were held at request.known_at, match request.query, and are valid at request.valid_at:
// at least the best `wanted`, and all that score as the last of these; in no order. They score as
// if what was held then were all there is. Needs a live Spi.
std::pmr::vector<FoundText> held_texts(const Request &request, std::size_t wanted,
                                       std::pmr::memory_resource *memory);

} // namespace memory::facts
