// Opens posting lists, steps and seeks in them, and walks dictionaries.
#include "index/segment/reader.h"

#include <algorithm>

namespace memory::segment {

// --- posting lists ----------------------------------------------------------------------------

void PostingList::open(const codec::DictionaryCursor &term, std::uint32_t documents) {
    documents_ = documents;
    size_ = term.postings();
    if (is_short())
        term.read(block_);
    else
        address_ = Address::unpacked(term.address());
    rewind();
}

void PostingList::rewind() {
    taken_ = 0;
    rest_ = {};
    next_page_ = address_.block;
}

// What a page has from `address` on. Copies of some pages stay at hand: a list is counted, gone
// through and read again, and mostly it is on one or two.
Bytes PostingList::data_at(Address address) {
    for (const PageCopy &copy : copies_) {
        const auto at = static_cast<std::size_t>(address.offset - copy.from.offset);
        if (copy.from.block == address.block && at < copy.bytes.bytes().size()) {
            next_page_ = copy.next;
            return copy.bytes.bytes().subspan(at);
        }
    }
    constexpr std::size_t pages_in_hand = 4;
    const OpenPage page(*pages_, address.block);
    const Bytes data = part_at(*page, address);
    const std::size_t place = copies_.size() < pages_in_hand ? copies_.size() : oldest_copy_++;
    if (place == copies_.size())
        copies_.emplace_back(copies_.get_allocator().resource());
    oldest_copy_ %= pages_in_hand;
    PageCopy &copy = copies_[place];
    copy.from = {};
    copy.bytes.assign(data);
    copy.from = address;
    copy.next = next_page_ = page->next;
    return copy.bytes.bytes();
}

codec::PostingBlock PostingList::load(Address address) {
    const codec::PostingBlock block(data_at(address), documents_);
    block.decode(block_);
    return block;
}

// The block behind the one it stands at; there is one.
codec::PostingBlock PostingList::take_block() {
    if (rest_.empty())
        rest_ = data_at(taken_ == 0 ? address_ : Address{next_page_, page_start});
    const codec::PostingBlock block(rest_, documents_);
    rest_ = rest_.subspan(block.size());
    taken_ += block.postings();
    if (taken_ > size_)
        throw codec::Corrupt("a posting list that is longer than it says");
    return block;
}

bool PostingList::next() {
    if (taken_ == size_)
        return false;
    if (is_short())
        taken_ = size_;
    else
        take_block().decode(block_);
    return true;
}

bool PostingList::seek(std::uint32_t ordinal) {
    if (taken_ > 0 && block_.ordinals[block_.size - 1] >= ordinal)
        return true;
    if (is_short())
        return next() && block_.ordinals[block_.size - 1] >= ordinal;
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
        if (!seek(ordinal))
            break;
        const auto known = std::span(block_.ordinals).first(block_.size);
        count += std::binary_search(known.begin(), known.end(), ordinal) ? 1 : 0;
    }
    rewind();
    return count;
}

// --- the segment ------------------------------------------------------------------------------

Segment::Segment(PageSource &pages, const Root &root, std::pmr::memory_resource *memory)
    : pages_(pages), catalogue_bytes_(read_catalogue(pages, root, memory)),
      catalogue_(catalogue_bytes_.bytes()), loaded_(memory) {}

codec::ByteCopy Segment::read_catalogue(PageSource &pages, const Root &root,
                                        std::pmr::memory_resource *memory) {
    constexpr std::uint32_t usual_bytes = 1U << 20; // more must be seen to be believed
    codec::ByteCopy copy(memory);
    copy.reserve(std::min(root.bytes, usual_bytes));
    Address address = root.catalogue;
    while (copy.bytes().size() < root.bytes) {
        const OpenPage page(pages, address.block);
        const Bytes part = part_at(*page, address);
        copy.append(part.first(std::min(part.size(), root.bytes - copy.bytes().size())));
        address = {page->next, page_start};
    }
    return copy;
}

void Segment::expect(std::uint32_t documents) const {
    if (catalogue_.documents() != documents)
        throw codec::Corrupt("a segment of other documents than its root says");
}

std::uint32_t Segment::in_part(std::size_t part, std::uint32_t documents_per_part) const {
    const auto first = static_cast<std::uint32_t>(part) * documents_per_part;
    return std::min(documents_per_part, documents() - first);
}

bool Segment::find(std::string_view term, PostingList &list) {
    if (catalogue_.dictionaries() == 0)
        return false;
    const Address address = catalogue_.dictionary(catalogue_.dictionary_of(term));
    const OpenPage page(pages_, address.block);
    const codec::Dictionary dictionary(part_at(*page, address));
    codec::DictionaryCursor cursor(dictionary);
    if (dictionary.documents() != documents())
        throw codec::Corrupt("a dictionary of another segment");
    if (!cursor.find(term))
        return false;
    list.open(cursor, documents());
    return true;
}

codec::Lengths Segment::lengths_on(const PageView &page, std::size_t part) const {
    const codec::Lengths table(part_at(page, catalogue_.lengths(part)));
    if (table.size() != in_part(part, documents_per_lengths))
        throw codec::Corrupt("a table of lengths of the wrong size");
    return table;
}

void Segment::load_lengths(std::size_t part) {
    const Address address = catalogue_.lengths(part);
    const OpenPage page(pages_, address.block);
    const codec::Lengths stored = lengths_on(*page, part);
    loaded_.part = SIZE_MAX; // should the next lines throw
    loaded_.bytes.assign(part_at(*page, address).first(stored.bytes()));
    loaded_.table.emplace(loaded_.bytes.bytes());
    loaded_.part = part;
}

void Segment::keep_lengths(std::size_t part) {
    const std::uint32_t block = catalogue_.lengths(part).block;
    if (block == no_page)
        throw codec::Corrupt("a table of lengths on no page");
    const auto known = std::find(kept_pages_.blocks.begin(), kept_pages_.blocks.end(), block);
    auto place = static_cast<std::size_t>(known - kept_pages_.blocks.begin());
    if (known == kept_pages_.blocks.end()) {
        place = kept_pages_.next;
        kept_pages_.next = (place + 1) % kept_pages;
        kept_pages_.blocks[place] = no_page;
        for (KeptLengths &kept : kept_)
            kept.part = kept.place == place ? SIZE_MAX : kept.part;
        kept_pages_.views[place] = pages_.keep(place, block);
        kept_pages_.blocks[place] = block;
    }
    KeptLengths &kept = kept_[part % kept_.size()];
    kept.part = SIZE_MAX;
    kept.table.emplace(lengths_on(kept_pages_.views[place], part));
    kept.place = place;
    kept.part = part;
}

void Segment::let_go() {
    kept_pages_ = {};
    for (KeptLengths &kept : kept_)
        kept.part = SIZE_MAX;
    pages_.let_go();
}

// `read` is given the table of rows that a document's is in, and its ordinal there.
template <class Read>
auto Segment::read_rows(std::uint32_t ordinal, Read &&read) {
    const std::size_t part = ordinal / documents_per_rows;
    const Address address = catalogue_.rows(part);
    const OpenPage page(pages_, address.block);
    const codec::Rows rows(part_at(*page, address));
    if (rows.size() != in_part(part, documents_per_rows))
        throw codec::Corrupt("a table of rows of the wrong size");
    return read(rows, ordinal % documents_per_rows);
}

codec::Row Segment::row(std::uint32_t ordinal) {
    const auto number = static_cast<std::uint32_t>(ordinal / codec::group_rows);
    if (number != group_number_)
        read_rows(ordinal, [&](const codec::Rows &rows, std::uint32_t at) {
            group_number_ = UINT32_MAX;
            rows.read(at / codec::group_rows, group_);
            group_number_ = number;
        });
    return group_.rows[ordinal % codec::group_rows];
}

codec::Row Segment::single_row(std::uint32_t ordinal) {
    constexpr std::uint32_t few_rows = 16 * codec::group_rows; // some of ten are in one group
    if (documents() <= few_rows || ordinal / codec::group_rows == group_number_)
        return row(ordinal);
    return read_rows(ordinal,
                     [](const codec::Rows &rows, std::uint32_t at) { return rows.row(at); });
}

// From `from` on; documents() if there is none. Steps grow from there, as the next tid is mostly
// among the rows in hand.
std::uint32_t Segment::first_not_below(const codec::Tid &tid, std::uint32_t from) {
    std::uint32_t low = std::max(from, catalogue_.first_row_near(tid.block));
    std::uint32_t high = documents();
    for (std::uint32_t step = 1; low < high && step < high - low; step *= 2) {
        if (row(low + step - 1).tid >= tid) {
            high = low + step - 1;
            break;
        }
        low += step;
    }
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (row(middle).tid < tid)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void Segment::append_ordinals(std::span<const codec::Tid> tids,
                              std::pmr::vector<std::uint32_t> &ordinals) {
    std::uint32_t at = 0;
    for (const codec::Tid &tid : tids) {
        at = first_not_below(tid, at);
        if (at == documents())
            return;
        if (row(at).tid == tid)
            ordinals.push_back(at);
    }
}

void Segment::append_dead(std::pmr::vector<std::uint32_t> &ordinals) {
    for (std::size_t part = 0; part < catalogue_.lengths_parts();) {
        const std::uint32_t block = catalogue_.lengths(part).block;
        const OpenPage page(pages_, block);
        for (; part < catalogue_.lengths_parts() && catalogue_.lengths(part).block == block;
             ++part) {
            const auto first = static_cast<std::uint32_t>(part) * documents_per_lengths;
            lengths_on(*page, part).each_dead([&](std::uint32_t ordinal) {
                ordinals.push_back(first + ordinal);
            });
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
        bytes_.assign(part_at(*page, address));
    }
    dictionary_.emplace(bytes_.bytes());
    if (dictionary_->documents() != segment_.documents())
        throw codec::Corrupt("a dictionary of another segment");
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
        if (next_dictionary_ == segment_.catalogue().dictionaries())
            return false;
        load(next_dictionary_);
    }
    return true;
}

bool TermWalk::seek(std::string_view term) {
    if (segment_.catalogue().dictionaries() == 0)
        return false;
    load(segment_.catalogue().dictionary_of(term));
    return cursor_->seek(term) || next();
}

bool TermWalk::advance(std::string_view term) {
    if (!cursor_ || segment_.catalogue().is_behind(next_dictionary_ - 1, term))
        return seek(term);
    return cursor_->advance(term) || next();
}

PostingList &TermWalk::list() {
    list_.open(*cursor_, segment_.documents());
    return list_;
}

} // namespace memory::segment
