// The dictionaries of PostgreSQL without PostgreSQL: libstemmer and PostgreSQL's stop word files.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "text/dictionary.h"

struct sb_stemmer;

namespace quality {

class Snowball final : public memory::text::Dictionary {
  public:
    // Throws std::runtime_error for a language that libstemmer does not know.
    explicit Snowball(std::string_view language);

    memory::text::Verdict look_up(std::string_view word, memory::text::Lexemes &lexemes) override;
    std::string_view identity() const override { return identity_; }

  private:
    struct Delete {
        void operator()(sb_stemmer *stemmer) const;
    };

    std::string identity_;
    std::unique_ptr<sb_stemmer, Delete> stemmer_;
    std::unordered_set<std::string> stop_words_;
};

// The default dictionaries of docs/text.md, or some of them.
class DefaultDictionaries {
  public:
    // Every script's default.
    DefaultDictionaries();

    // Puts the language's dictionary in place of its scripts' default; "none" as `language` takes
    // the one of `script` away.
    void replace(std::string_view language);
    void remove(memory::text::Script script) { all_.serve(memory::text::bit(script), nullptr); }

    const memory::text::Dictionaries &all() const { return all_; }

  private:
    std::vector<std::unique_ptr<Snowball>> owned_;
    memory::text::Dictionaries all_;
};

} // namespace quality
