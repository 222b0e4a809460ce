// Counts features (words, n-grams of characters) in buckets, and scales the vector to unit length.
#include "text/hash_embedding.h"

#include "text/error.h"
#include "text/normal.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <unicode/uchar.h>
#include <unicode/ustring.h>
#include <utility>
#include <vector>

namespace memory::text {

namespace {

// Stand before and after a word, outside Unicode, so that no text contains them.
constexpr char32_t word_start = 0x110000;
constexpr char32_t word_end = 0x110001;

constexpr std::uint64_t hash_seed = 0x9E3779B97F4A7C15;

// Stafford's variant 13 of the MurmurHash3 finaliser. Fixed forever: stored vectors depend on it.
constexpr std::uint64_t mix(std::uint64_t hash, char32_t character) {
    hash ^= character;
    hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9;
    hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EB;
    return hash ^ (hash >> 31);
}

// How a script is cut into grams. Ranges, not ICU's script property: they never change.
enum class Kind {
    none,      // separates words
    spaced,    // words between spaces: the word and its grams of 3 to 5 characters, ends marked
    symbol,    // a word by itself
    syllables, // Han, Kana, Hangul: grams of 1 and 2
    unspaced,  // Thai, Lao, Khmer, Myanmar: grams of 2 to 4
};

constexpr bool within(char32_t character, char32_t first, char32_t last) {
    return first <= character && character <= last;
}

constexpr Kind kind_of_letter(char32_t c) {
    if (c < 0x0E00)
        return Kind::spaced;
    if (within(c, 0x0E00, 0x0EFF) || within(c, 0x1000, 0x109F) || within(c, 0x1780, 0x17FF))
        return Kind::unspaced;
    if (within(c, 0x3005, 0x3007) || within(c, 0x3040, 0x30FF) || within(c, 0x31F0, 0x31FF) ||
        within(c, 0x3400, 0x4DBF) || within(c, 0x4E00, 0x9FFF) || within(c, 0xAC00, 0xD7A3) ||
        within(c, 0xF900, 0xFAFF) || within(c, 0x20000, 0x3FFFF))
        return Kind::syllables;
    return Kind::spaced;
}

Kind kind_of(char32_t c) {
    if (c < 0x80)
        return within(c, 'a', 'z') || within(c, '0', '9') ? Kind::spaced : Kind::none;
    const std::uint32_t category = U_GET_GC_MASK(static_cast<UChar32>(c));
    if ((category & (U_GC_L_MASK | U_GC_N_MASK | U_GC_M_MASK)) != 0)
        return kind_of_letter(c);
    return (category & U_GC_SO_MASK) != 0 ? Kind::symbol : Kind::none;
}

using Characters = std::span<const char32_t>;

// The hashed features: each adds 1 to one of the counts, or takes 1, as its hash says.
class Features {
  public:
    Features(std::size_t dimensions, std::pmr::memory_resource *memory, Pause &pause)
        : counts_(dimensions, memory), marked_(memory), pause_(pause) {}

    void add(Characters run, Kind kind) {
        if (kind == Kind::syllables)
            add_grams(run, 1, 2);
        else if (kind == Kind::unspaced)
            add_grams(run, 2, 4);
        else
            add_word(run);
    }

    // Component i is sign(count)·sqrt(|count|/Σ|count|): the root tempers what repeats, and makes
    // the squares add up to 1 without summing anything but integers. So nothing here depends on the
    // order of additions or on fused multiply-adds; division, root and rounding are IEEE's.
    void write(std::span<float> vector) const {
        std::uint64_t total = 0;
        for (const std::int64_t count : counts_)
            total += static_cast<std::uint64_t>(std::abs(count));
        std::fill(vector.begin(), vector.end(), 0.0F);
        if (total == 0) {
            vector[0] = 1;
            return;
        }
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            if (counts_[i] != 0) {
                const auto share =
                    static_cast<double>(std::abs(counts_[i])) / static_cast<double>(total);
                vector[i] = static_cast<float>(std::copysign(std::sqrt(share), counts_[i]));
            }
        }
    }

  private:
    void count(std::uint64_t hash) {
        const std::uint64_t bucket = ((hash >> 32) * counts_.size()) >> 32;
        counts_[bucket] += (hash & 1) != 0 ? 1 : -1;
    }

    void add_word(Characters word) {
        marked_.assign(1, word_start);
        for (const char32_t character : word) {
            marked_.push_back(character);
            pause_.step();
        }
        marked_.push_back(word_end);
        add_grams(marked_, 3, 5);
        if (marked_.size() > 5) {
            std::uint64_t hash = hash_seed;
            for (const char32_t character : marked_) {
                hash = mix(hash, character);
                pause_.step();
            }
            count(hash);
        }
    }

    void add_grams(Characters run, std::size_t shortest, std::size_t longest) {
        for (; !run.empty(); run = run.subspan(1)) {
            pause_.step();
            const std::size_t length = std::min(longest, run.size());
            std::uint64_t hash = hash_seed;
            for (std::size_t i = 0; i < length; ++i) {
                hash = mix(hash, run[i]);
                if (i + 1 >= shortest)
                    count(hash);
            }
        }
    }

    std::pmr::vector<std::int64_t> counts_;
    std::pmr::vector<char32_t> marked_; // the word in hand between its marks
    Pause &pause_;
};

// NFKC case folding (UAX #31 NFKC_Casefold), block by block.
class Folder {
  public:
    Folder(std::pmr::memory_resource *memory, Pause &pause)
        : folded_(memory), source_(memory), normal_(memory), pause_(pause) {}

    // Valid until the next call.
    Characters fold(std::string_view utf8) {
        folded_.clear();
        const bool ascii = std::all_of(utf8.begin(), utf8.end(), [](char c) { return c >= 0; });
        ascii ? fold_ascii(utf8) : fold_unicode(utf8);
        return folded_;
    }

  private:
    static constexpr std::size_t usual_chunk = 16 * 1024; // decoded at once

    void fold_ascii(std::string_view ascii) {
        folded_.reserve(ascii.size());
        for (const char c : ascii) {
            folded_.push_back(static_cast<char32_t>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c));
            pause_.step();
        }
    }

    void fold_unicode(std::string_view utf8) {
        source_.clear();
        while (!utf8.empty()) {
            const std::string_view chunk = first_chunk(utf8);
            decode(chunk);
            pause_.step(chunk.size());
            utf8.remove_prefix(chunk.size());
        }
        normal_.clear();
        append_normalized(nfkc_case_folding(), source_, normal_, pause_);
        for (std::size_t i = 0; i < normal_.size(); pause_.step()) {
            char32_t character = 0;
            U16_NEXT(normal_.data(), i, normal_.size(), character);
            folded_.push_back(character);
        }
    }

    // No character goes on behind it, nor what is left of one.
    static std::string_view first_chunk(std::string_view utf8) {
        const auto continues = [](char c) {
            return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
        };
        std::size_t size = std::min(usual_chunk, utf8.size());
        while (size < utf8.size() && continues(utf8[size]))
            ++size;
        return utf8.substr(0, size);
    }

    void decode(std::string_view utf8) {
        const std::size_t before = source_.size();
        source_.resize(before + utf8.size()); // never fewer bytes than UTF-16 units
        UErrorCode status = U_ZERO_ERROR;
        std::int32_t length = 0;
        u_strFromUTF8WithSub(source_.data() + before, icu_length(utf8.size()), &length, utf8.data(),
                             icu_length(utf8.size()), 0xFFFD, nullptr, &status);
        require(status);
        source_.resize(before + static_cast<std::size_t>(length));
    }

    static std::int32_t icu_length(std::size_t length) {
        if (!std::in_range<std::int32_t>(length))
            throw TextTooLong();
        return static_cast<std::int32_t>(length);
    }

    static void require(UErrorCode status) {
        if (U_FAILURE(status))
            throw IcuFailure(u_errorName(status));
    }

    std::pmr::vector<char32_t> folded_;
    std::pmr::u16string source_;
    std::pmr::u16string normal_;
    Pause &pause_;
};

// About 4 kB from the start of `text`, ending behind a space or control character, where no word
// and no normalisation reaches across; more if there is no such place.
std::string_view first_block(std::string_view text) {
    constexpr std::size_t usual = 4096;
    if (text.size() <= usual)
        return text;
    const auto separates = [](char c) { return c >= 0 && c <= ' '; };
    const auto boundary = std::find_if(text.begin() + usual, text.end(), separates);
    return text.substr(0, static_cast<std::size_t>(boundary - text.begin()));
}

void add_words(Characters folded, Features &features, Pause &pause) {
    while (!folded.empty()) {
        const Kind kind = kind_of(folded[0]);
        std::size_t length = 1;
        while (kind != Kind::symbol && length < folded.size() && kind_of(folded[length]) == kind) {
            ++length;
            pause.step();
        }
        if (kind != Kind::none)
            features.add(folded.first(length), kind);
        folded = folded.subspan(length);
        pause.step();
    }
}

} // namespace

void hash_embedding(std::string_view text, std::span<float> vector,
                    std::pmr::memory_resource *memory, Interruption &interruption) {
    Pause pause(interruption);
    Features features(vector.size(), memory, pause);
    Folder folder(memory, pause);
    while (!text.empty()) {
        const std::string_view block = first_block(text);
        add_words(folder.fold(block), features, pause);
        text.remove_prefix(block.size());
    }
    features.write(vector);
}

} // namespace memory::text
