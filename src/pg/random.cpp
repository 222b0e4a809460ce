// The store of random bits that are drawn and not yet given.
#include "pg/random.h"

#include "pg/backend.h"
#include "pg/error.h"

namespace memory::pg {

namespace {

class RandomBytes {
  public:
    std::uint64_t next() {
        if (left_ == 0) {
            if (!pg_strong_random(words_.data(), sizeof words_))
                throw Error(ERRCODE_INTERNAL_ERROR, "could not generate random values");
            left_ = words_.size();
        }
        return std::exchange(words_[--left_], 0);
    }

  private:
    std::array<std::uint64_t, 64> words_{};
    std::size_t left_ = 0;
};

constinit RandomBytes random_bytes;

} // namespace

std::uint64_t random_bits() { return random_bytes.next(); }

} // namespace memory::pg
