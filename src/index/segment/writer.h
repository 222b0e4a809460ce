// Writes a segment: documents and their terms in, parts out.
#pragma once

#include "index/codec/rows.h"
#include "index/segment/catalogue.h"
#include "index/segment/inverter.h"

namespace memory::segment {

struct StoredDocument {
    codec::Row row;
    std::uint32_t length;
};

// Where the catalogue of a segment begins, and how long it is. It may cross pages: it goes on at
// the start of the page filled next.
struct Root {
    Address catalogue;
    std::uint32_t bytes = 0;
};

// `documents`: 1 to most_documents of them, tids ascending strictly; the place is the ordinal.
// `terms` is gone through twice.
Root write_segment(std::span<const StoredDocument> documents, TermSource &terms, PartSink &sink,
                   std::pmr::memory_resource *memory);

} // namespace memory::segment
