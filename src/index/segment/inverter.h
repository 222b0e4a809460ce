// Documents in, terms with their posting lists out: in memory.
#pragma once

#include "index/codec/postings.h"
#include "text/interruption.h"

#include <string>

namespace memory::segment {

// Terms in ascending byte order, each with its postings, ordinals ascending. Starts before the
// first term.
class TermSource {
  public:
    virtual void rewind() = 0;
    // To the next term; false behind the last.
    virtual bool next() = 0;
    // Of the term at which it stands, until it moves.
    virtual std::string_view term() const = 0;
    virtual std::span<const codec::Posting> postings() const = 0;

  protected:
    ~TermSource() = default;
};

// Call order: add() and again add(), finish() once, then what TermSource says.
class Inverter final : public TermSource {
  public:
    explicit Inverter(std::pmr::memory_resource *memory,
                      text::Interruption &interruption = text::Interruption::none());

    // A term of a document, which has it `count` times. Ordinals do not fall. Throws
    // codec::Corrupt if the document has the term already.
    void add(std::uint32_t ordinal, std::string_view term, std::uint32_t count);

    // About how much memory finish() will have used.
    std::size_t bytes() const;

    void finish();

    void rewind() override { next_ = 0; }
    bool next() override { return next_ < order_.size() && ++next_ != 0; }
    std::string_view term() const override { return view(terms_[order_[next_ - 1]]); }
    std::span<const codec::Posting> postings() const override {
        const Term &term = terms_[order_[next_ - 1]];
        return std::span(postings_).subspan(term.first, term.postings);
    }

  private:
    struct Term {
        std::uint32_t hash;
        std::uint32_t size;
        std::size_t begin; // in bytes_
        std::size_t first; // in postings_
        std::uint32_t postings;
        std::uint32_t last_ordinal;
    };

    struct Arrival {
        std::uint32_t term;
        codec::Posting posting;
    };

    std::string_view view(const Term &term) const {
        return std::string_view(bytes_).substr(term.begin, term.size);
    }
    std::uint32_t number_of(std::string_view term);
    void grow();

    std::pmr::string bytes_;
    std::pmr::vector<Term> terms_;
    std::pmr::vector<std::uint32_t> table_; // number + 1, or 0; open addressing, a power of two
    std::pmr::vector<Arrival> arrivals_;
    std::pmr::vector<std::uint32_t> order_;
    std::pmr::vector<codec::Posting> postings_;
    text::Pause pause_;
    std::size_t next_ = 0; // in order_: one behind where it stands
};

} // namespace memory::segment
