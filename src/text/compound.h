// Identifiers whole: atoms glued into names, names glued into paths.
#pragma once

#include <cstdint>
#include <string_view>

#include "text/fold.h"
#include "text/term.h"
#include "text/token.h"

namespace memory::text {

// Follows the atoms of a text and hands every name and path of more than one atom to the sink. Call
// order: add() for every atom in text order, end() before anything that no identifier reaches
// across and at the text's end.
class Compounds {
  public:
    Compounds(std::string_view text, Folder &folder, TokenSink &sink)
        : text_(text), folder_(folder), sink_(sink) {}

    void add(std::uint32_t begin, std::uint32_t end, std::uint32_t ordinal) {
        if (path_.atoms != 0)
            extend(begin);
        grow(name_, begin, ordinal);
        grow(path_, begin, ordinal);
        end_ = end;
    }

    void end() {
        if (path_.atoms > 1)
            finish_path();
        name_.atoms = path_.atoms = 0;
    }

  private:
    struct Level {
        std::uint32_t begin = 0;
        std::uint32_t ordinal = 0;
        std::uint32_t atoms = 0;
    };
    enum class Glue : std::uint8_t { none, name, path };

    static void grow(Level &level, std::uint32_t begin, std::uint32_t ordinal) {
        if (level.atoms++ == 0) {
            level.begin = begin;
            level.ordinal = ordinal;
        }
    }
    void extend(std::uint32_t begin);
    Glue glue_before(std::uint32_t begin) const;
    void finish_name();
    void finish_path();
    void emit(const Level &level);

    std::string_view text_;
    Folder &folder_;
    TokenSink &sink_;
    TermBuilder term_;
    Level name_;
    Level path_;
    std::uint32_t end_ = 0; // of the last atom
};

} // namespace memory::text
