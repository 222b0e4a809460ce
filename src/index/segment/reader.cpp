#include "index/segment/reader.h"

#include <algorithm>

namespace memory::segment {

namespace {

// A page is closed whatever happens while it is open.
class OpenPage {
  public:
    OpenPage(PageSource &pages, std::uint32_t block) : pages_(pages), view_(pages.open(block)) {}
    ~OpenPage() { pages_.close(); }
    OpenPage(const OpenPage &) = delete;
    OpenPage &operator=(const OpenPage &) = delete;

    const PageView &operator*() const { return view_; }
    const PageView *operator->() const { return &view_; }

  private:
    PageSource &pages_;
    PageView view_;
};

} // namespace

// --- posting lists ----------------------------------------------------------------------------

void PostingList::open(const codec::DictionaryCursor &term, std::uint32_t documents) {
    documents_ = documents;
    size_ = term.postings();
    if (is_short()) {
        term.read(block_);
    } else {
        address_ = Address::unpacked(term.address());
    }
    rewind();
}

void PostingList::rewind() {
    taken_ = 0;
    at_ = 0;
    page_.clear();
    next_page_ = address_.block;
}

void PostingList::read_page(Address address) {
    const OpenPage page(*pages_, address.block);
    const Bytes rest = part_at(*page, address);
    page_.assign(rest.begin(), rest.end());
    at_ = 0;
    next_page_ = page->next;
}

// The block behind the one it stands at; there is one.
codec::PostingBlock PostingList::take_block() {
    if (at_ == page_.size()) {
        read_page(taken_ == 0 ? address_ : Address{next_page_, page_start});
    }
    const codec::PostingBlock block(Bytes(page_).subspan(at_), documents_);
    at_ += block.size();
    taken_ += block.postings();
    if (taken_ > size_) {
        throw codec::Corrupt("a posting list that is longer than it says");
    }
    return block;
}

bool PostingList::next() {
    if (taken_ == size_) {
        return false;
    }
    if (is_short()) {
        taken_ = size_;
    } else {
        take_block().decode(block_);
    }
    return true;
}

bool PostingList::seek(std::uint32_t ordinal) {
    if (taken_ > 0 && block_.ordinals[block_.size - 1] >= ordinal) {
        return true;
    }
    if (is_short()) {
        return next() && block_.ordinals[block_.size - 1] >= ordinal;
    }
    while (taken_ < size_) {
        const codec::PostingBlock block = take_block();
        if (block.last() >= ordinal) {
            block.decode(block_);
            return true;
        }
    }
    return false;
}

std::uint32_t PostingList::count(std::span<const std::uint32_t> ordinals) {
    std::uint32_t count = 0;
    rewind();
    for (const std::uint32_t ordinal : ordinals) {
        if (!seek(ordinal)) {
            break;
        }
        const auto known = std::span(block_.ordinals).first(block_.size);
        count += std::binary_search(known.begin(), known.end(), ordinal) ? 1 : 0;
    }
    rewind();
    return count;
}

// --- the segment ------------------------------------------------------------------------------

Segment::Segment(PageSource &pages, const Root &root, std::pmr::memory_resource *memory)
    : pages_(pages), catalogue_bytes_(read_catalogue(pages, root, memory)),
      catalogue_(catalogue_bytes_), lengths_(memory) {
    lengths_.reserve(catalogue_.lengths_parts());
    for (std::size_t part = 0; part < catalogue_.lengths_parts(); ++part) {
        lengths_.emplace_back(memory);
    }
}

ByteBuffer Segment::read_catalogue(PageSource &pages, const Root &root,
                                   std::pmr::memory_resource *memory) {
    ByteBuffer bytes(memory);
    Address address = root.catalogue;
    while (bytes.size() < root.bytes) {
        const OpenPage page(pages, address.block);
        const Bytes part = part_at(*page, address);
        const Bytes wanted = part.first(std::min(part.size(), root.bytes - bytes.size()));
        bytes.insert(bytes.end(), wanted.begin(), wanted.end());
        address = {page->next, page_start};
    }
    return bytes;
}

std::uint32_t Segment::in_part(std::size_t part, std::uint32_t documents_per_part) const {
    const auto first = static_cast<std::uint32_t>(part) * documents_per_part;
    return std::min(documents_per_part, documents() - first);
}

bool Segment::find(std::string_view term, PostingList &list) {
    if (catalogue_.dictionaries() == 0) {
        return false;
    }
    const Address address = catalogue_.dictionary(catalogue_.dictionary_of(term));
    const OpenPage page(pages_, address.block);
    const codec::Dictionary dictionary(part_at(*page, address));
    codec::DictionaryCursor cursor(dictionary);
    if (dictionary.documents() != documents()) {
        throw codec::Corrupt("a dictionary of another segment");
    }
    if (!cursor.find(term)) {
        return false;
    }
    list.open(cursor, documents());
    return true;
}

// Tables that lie on one page are read together.
void Segment::load_lengths(std::size_t part) {
    const std::uint32_t block = catalogue_.lengths(part).block;
    const OpenPage page(pages_, block);
    for (; part < lengths_.size() && catalogue_.lengths(part).block == block; ++part) {
        const Bytes rest = part_at(*page, catalogue_.lengths(part));
        const codec::Lengths stored(rest);
        if (stored.size() != in_part(part, documents_per_lengths)) {
            throw codec::Corrupt("a table of lengths of the wrong size");
        }
        LoadedLengths &loaded = lengths_[part];
        if (loaded.table) {
            continue;
        }
        loaded.bytes.assign(rest.begin(),
                            rest.begin() + static_cast<std::ptrdiff_t>(stored.bytes()));
        loaded.table.emplace(loaded.bytes);
    }
}

codec::Row Segment::row(std::uint32_t ordinal) {
    const auto number = static_cast<std::uint32_t>(ordinal / codec::group_rows);
    if (number != group_number_) {
        const std::size_t part = ordinal / documents_per_rows;
        const Address address = catalogue_.rows(part);
        const OpenPage page(pages_, address.block);
        const codec::Rows rows(part_at(*page, address));
        if (rows.size() != in_part(part, documents_per_rows)) {
            throw codec::Corrupt("a table of rows of the wrong size");
        }
        group_number_ = UINT32_MAX;
        rows.read(ordinal % documents_per_rows / codec::group_rows, group_);
        group_number_ = number;
    }
    return group_.rows[ordinal % codec::group_rows];
}

void Segment::append_dead(std::pmr::vector<std::uint32_t> &ordinals) {
    for (std::uint32_t ordinal = 0; ordinal < documents(); ++ordinal) {
        if (!alive(ordinal)) {
            ordinals.push_back(ordinal);
        }
    }
}

// --- all terms --------------------------------------------------------------------------------

void TermWalk::load(std::size_t dictionary) {
    cursor_.reset();
    dictionary_.reset();
    const Address address = segment_.catalogue().dictionary(dictionary);
    {
        const OpenPage page(segment_.pages_, address.block);
        const Bytes rest = part_at(*page, address);
        bytes_.assign(rest.begin(), rest.end());
    }
    dictionary_.emplace(bytes_);
    if (dictionary_->documents() != segment_.documents()) {
        throw codec::Corrupt("a dictionary of another segment");
    }
    cursor_.emplace(*dictionary_);
    next_dictionary_ = dictionary + 1;
}

void TermWalk::rewind() {
    cursor_.reset();
    dictionary_.reset();
    next_dictionary_ = 0;
}

bool TermWalk::next() {
    while (!cursor_ || !cursor_->next()) {
        if (next_dictionary_ == segment_.catalogue().dictionaries()) {
            return false;
        }
        load(next_dictionary_);
    }
    return true;
}

bool TermWalk::seek(std::string_view term) {
    if (segment_.catalogue().dictionaries() == 0) {
        return false;
    }
    load(segment_.catalogue().dictionary_of(term));
    return cursor_->seek(term) || next();
}

PostingList &TermWalk::list() {
    list_.open(*cursor_, segment_.documents());
    return list_;
}

} // namespace memory::segment
