// Folds a word, asks the dictionary of its script, and keeps terms with and without accents.
#include "text/lexicon.h"

namespace memory::text {

Lexicon::Lexicon(const Dictionaries &dictionaries, std::size_t cache_slots, Pause &pause,
                 bool shortcuts, std::pmr::memory_resource *memory)
    : dictionaries_(dictionaries), folder_(memory, pause, shortcuts), cache_(cache_slots, memory),
      lexemes_(memory), unaccented_(memory), bounded_(memory), terms_(memory) {}

WordTerms Lexicon::keep_one(std::string_view raw, std::string_view term, Weight weight) {
    term_.clear();
    term_.append(term);
    if (term_.empty())
        return {{}, weight};
    single_ = term_.finish();
    cache_.keep(raw, single_, weight);
    return {{&single_, 1}, weight};
}

WordTerms Lexicon::keep_lexemes(std::string_view raw, const Lexemes &lexemes) {
    if (lexemes.size() == 1)
        return keep_one(raw, lexemes[0], Weight::word);
    bounded_.clear();
    terms_.clear();
    for (std::size_t i = 0; i < lexemes.size(); ++i) {
        term_.clear();
        term_.append(lexemes[i]);
        if (!term_.empty())
            bounded_.add(term_.finish());
    }
    for (std::size_t i = 0; i < bounded_.size(); ++i)
        terms_.push_back(bounded_[i]);
    return {terms_, Weight::word};
}

// The dictionary knows the word only with its accents: what it says of it, without them.
WordTerms Lexicon::keep_unaccented(std::string_view raw) {
    unaccented_.clear();
    for (std::size_t i = 0; i < lexemes_.size(); ++i)
        if (lexemes_[i].size() <= max_word_bytes)
            unaccented_.add(folder_.fold_word(lexemes_[i]).plain);
    return keep_lexemes(raw, unaccented_);
}

WordTerms Lexicon::ask(Dictionary &dictionary, std::string_view raw, const FoldedWord &word) {
    const bool accented = word.is_vietnamese || word.accented != word.plain;
    lexemes_.clear();
    unaccented_.clear();
    Verdict with_accents = Verdict::unknown;
    if (accented && dictionary.knows_accents())
        with_accents = dictionary.look_up(word.accented, lexemes_);
    if (with_accents == Verdict::stop_word)
        return keep_one(raw, word.plain, Weight::weak);
    if (word.is_vietnamese)
        return keep_one(raw, word.plain, Weight::word);
    switch (dictionary.look_up(word.plain, unaccented_)) {
    case Verdict::stop_word:
        return keep_one(raw, word.plain, Weight::weak);
    case Verdict::lexemes:
        return keep_lexemes(raw, unaccented_);
    case Verdict::unknown:
        break;
    }
    return with_accents == Verdict::lexemes ? keep_unaccented(raw)
                                            : keep_one(raw, word.plain, Weight::word);
}

WordTerms Lexicon::look_up(std::string_view raw) {
    if (const WordCache::Slot *slot = cache_.find(raw)) {
        single_ = slot->term_view();
        return {{&single_, 1}, slot->weight};
    }
    if (raw.size() > max_word_bytes) {
        term_.clear();
        folder_.fold_whole(raw, term_);
        single_ = term_.finish();
        return {{&single_, term_.empty() ? 0u : 1u}, Weight::word};
    }
    const FoldedWord word = folder_.fold_word(raw);
    Dictionary *dictionary =
        word.has_digit || word.plain.empty() ? nullptr : dictionaries_.of(word.script);
    if (dictionary == nullptr)
        return keep_one(raw, word.plain, Weight::word);
    return ask(*dictionary, raw, word);
}

} // namespace memory::text
