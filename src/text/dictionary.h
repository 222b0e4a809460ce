// What the room asks of a dictionary, and which dictionary serves which script. The room itself
// knows none: the shell lends PostgreSQL's, the tests lend Snowball's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

namespace memory::text {

// The scripts whose words may have a dictionary, and the rest. Values are stable: they are bits of
// a ScriptSet.
enum class Script : std::uint8_t {
    latin,
    cyrillic,
    greek,
    arabic,
    hebrew,
    devanagari,
    armenian,
    tamil,
    other,
};
inline constexpr std::size_t script_count = 9;

// A set of scripts: bit 1 << script.
using ScriptSet = std::uint16_t;
constexpr ScriptSet bit(Script script) {
    return static_cast<ScriptSet>(1u << static_cast<unsigned>(script));
}

// The words a dictionary puts in place of one. Storage is kept between uses.
class Lexemes {
  public:
    explicit Lexemes(std::pmr::memory_resource *memory) : bytes_(memory), ends_(memory) {}

    void add(std::string_view lexeme) {
        bytes_.append(lexeme);
        ends_.push_back(bytes_.size());
    }
    void clear() {
        bytes_.clear();
        ends_.clear();
    }
    std::size_t size() const { return ends_.size(); }
    std::string_view operator[](std::size_t i) const {
        const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
        return std::string_view(bytes_).substr(begin, ends_[i] - begin);
    }

  private:
    std::pmr::string bytes_;
    std::pmr::vector<std::size_t> ends_;
};

enum class Verdict : std::uint8_t {
    unknown,   // the word stays as it is
    stop_word, // too common to search for
    lexemes,   // what was added stands for the word
};

class Dictionary {
  public:
    // `word` is folded: lower case, NFKC, without a digit, at most 255 bytes. Adds to `lexemes`
    // only with lexemes. The answer depends on `word` alone. May throw; what it throws leaves the
    // analysis.
    virtual Verdict look_up(std::string_view word, Lexemes &lexemes) = 0;

    // Whether it may know words by their accents. If not, accented words are asked without them
    // only.
    virtual bool knows_accents() const { return true; }

    // Names everything the answers depend on, for the fingerprint. Valid as long as the dictionary.
    virtual std::string_view identity() const = 0;

  protected:
    ~Dictionary() = default;
};

// One dictionary a script, or none. Does not own them.
class Dictionaries {
  public:
    // Gives `dictionary` the words of every script of the set; null takes the scripts' dictionary
    // away.
    void serve(ScriptSet scripts, Dictionary *dictionary);
    Dictionary *of(Script script) const { return by_script_[static_cast<std::size_t>(script)]; }

  private:
    std::array<Dictionary *, script_count> by_script_{};
};

// The scripts that a Snowball language writes ("german", "russian", "serbian"); Latin for a name
// unknown here.
ScriptSet scripts_of_language(std::string_view language);

// The Snowball language whose dictionary serves the script unless another is chosen, or "" for
// none. docs/quality.md has the measurements.
std::string_view default_language(Script script);

// "latin", "cyrillic", …
std::string_view name(Script script);

} // namespace memory::text
