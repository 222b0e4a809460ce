// PostgreSQL's text search dictionaries behind the room's interface, and the analyzers that use
// them.
#include "text/server_sql.h"

#include "pg/encoding.h"
#include "pg/entry.h"
#include "pg/error.h"
#include "pg/watch.h"
#include "text/chain_sql.h"
#include "text/fingerprint.h"
#include "text/interruption_sql.h"

extern "C" {
#include "catalog/namespace.h"
#include "catalog/pg_ts_dict.h"
#include "commands/defrem.h"
#include "nodes/value.h"
#include "tsearch/ts_cache.h"
#include "tsearch/ts_public.h"
#include "utils/syscache.h"
}

namespace memory::text {

namespace {

// A dictionary of the server. Its lexemes are made in a context of its own, emptied after some
// words.
class ServerDictionary final : public Dictionary {
  public:
    ServerDictionary(Oid id, std::pmr::memory_resource *memory, MemoryContext scratch)
        : id_(id), scratch_(scratch), identity_(memory) {}

    Verdict look_up(std::string_view word, Lexemes &lexemes) override;
    std::string_view identity() const override { return identity_; }
    bool knows_accents() const override { return knows_accents_; }

    // The Snowball language that it stems; empty for other kinds of dictionaries.
    std::string_view language() const { return language_.data(); }
    // Fills identity() and language() from the catalog. Of a chain that is all of its members', and
    // the first of their languages.
    void describe();

  private:
    static constexpr unsigned looked_up_before_reset = 64;

    const TSLexeme *lexize(std::string_view word) const;
    void describe(Oid id);

    Oid id_;
    MemoryContext scratch_;
    unsigned looked_up_ = 0;
    std::pmr::string identity_;
    std::array<char, NAMEDATALEN> language_{};
    bool is_chain_ = false;
    bool knows_accents_ = true;
};

// A word with characters that the database's encoding lacks is in no dictionary.
const TSLexeme *ServerDictionary::lexize(std::string_view word) const {
    const std::optional<std::string_view> known = pg::from_utf8_if_possible(word);
    if (!known)
        return nullptr;
    const std::string_view bytes = *known;
    return pg::call([=, this] {
        TSDictionaryCacheEntry *dictionary = lookup_ts_dictionary_cache(id_);
        DictSubState state{};
        return reinterpret_cast<const TSLexeme *>(DatumGetPointer(FunctionCall4(
            &dictionary->lexize, PointerGetDatum(dictionary->dictData),
            PointerGetDatum(bytes.data()), Int32GetDatum(static_cast<std::int32_t>(bytes.size())),
            PointerGetDatum(&state))));
    });
}

Verdict ServerDictionary::look_up(std::string_view word, Lexemes &lexemes) {
    const pg::SwitchedContext switched(scratch_);
    const TSLexeme *found = lexize(word);
    const Verdict verdict = found == nullptr           ? Verdict::unknown
                            : found->lexeme == nullptr ? Verdict::stop_word
                                                       : Verdict::lexemes;
    if (verdict == Verdict::lexemes)
        for (; found->lexeme != nullptr; ++found)
            lexemes.add(pg::to_utf8(found->lexeme));
    if (++looked_up_ % looked_up_before_reset == 0)
        pg::call([this] { MemoryContextReset(scratch_); });
    return verdict;
}

struct CatalogEntry {
    const char *name;
    const char *options; // as in the catalog; "" without
    const char *language;
    bool is_chain; // chain_sql.h
};

// Works inside one call(). The strings are in the current memory context.
CatalogEntry read_catalog(Oid id) {
    HeapTuple row = SearchSysCache1(TSDICTOID, ObjectIdGetDatum(id));
    if (!HeapTupleIsValid(row))
        ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
                        errmsg("text search dictionary %u does not exist", id)));
    const auto *dictionary = reinterpret_cast<Form_pg_ts_dict>(GETSTRUCT(row));
    CatalogEntry entry{pstrdup(NameStr(dictionary->dictname)), "", "", false};
    bool null = false;
    const Datum options = SysCacheGetAttr(TSDICTOID, row, Anum_pg_ts_dict_dictinitoption, &null);
    if (!null) {
        entry.options = text_to_cstring(reinterpret_cast<::text *>(DatumGetPointer(options)));
        const ListCell *cell;
        foreach (cell, deserialize_deflist(options)) {
            auto *option = static_cast<DefElem *>(lfirst(cell));
            if (std::strcmp(option->defname, "language") == 0)
                entry.language = defGetString(option);
            entry.is_chain |= std::strcmp(option->defname, "dictionaries") == 0;
        }
    }
    ReleaseSysCache(row);
    return entry;
}

void ServerDictionary::describe(Oid id) {
    const CatalogEntry entry = pg::call([id] { return read_catalog(id); });
    identity_ += entry.name;
    identity_ += '(';
    identity_ += entry.options;
    identity_ += ')';
    if (language().empty())
        strlcpy(language_.data(), entry.language, language_.size());
    if (!entry.is_chain)
        return;
    is_chain_ = true;
    for (const Oid member : chain_members(id))
        describe(member);
}

void ServerDictionary::describe() {
    const pg::SwitchedContext switched(scratch_);
    identity_.clear();
    describe(id_);
    knows_accents_ = language() != "english" || is_chain_;
    pg::call([this] { MemoryContextReset(scratch_); });
}

// The dictionary that PostgreSQL ships for a Snowball language; InvalidOid where it has none.
Oid shipped_dictionary(std::string_view language) {
    std::array<char, NAMEDATALEN> name{};
    std::snprintf(name.data(), name.size(), "%.*s_stem", static_cast<int>(language.size()),
                  language.data());
    return pg::call([&name] {
        List *qualified = list_make2(makeString(pstrdup("pg_catalog")), makeString(name.data()));
        return get_ts_dict_oid(qualified, true);
    });
}

// An analyzer and what it uses.
class ServerAnalyzer {
  public:
    ServerAnalyzer(Oid dictionary, MemoryContext context, MemoryContext scratch);

    Oid dictionary() const noexcept { return dictionary_; }
    MemoryContext context() const noexcept { return memory_.context(); }
    Analyzer &analyzer() noexcept { return *analyzer_; }
    std::uint64_t fingerprint() const noexcept { return fingerprint_; }

    ServerAnalyzer *next = nullptr;

  private:
    ServerDictionary *add(Oid id);

    Oid dictionary_;
    pg::ContextResource memory_;
    MemoryContext scratch_;
    std::array<std::optional<ServerDictionary>, script_count + 1> owned_;
    std::size_t count_ = 0;
    Dictionaries dictionaries_;
    std::optional<Analyzer> analyzer_;
    std::uint64_t fingerprint_;
};

ServerAnalyzer::ServerAnalyzer(Oid dictionary, MemoryContext context, MemoryContext scratch)
    : dictionary_(dictionary), memory_(context), scratch_(scratch) {
    for (std::size_t i = 0; i < script_count; ++i) {
        const auto script = static_cast<Script>(i);
        const std::string_view language = default_language(script);
        const Oid id = language.empty() ? InvalidOid : shipped_dictionary(language);
        if (OidIsValid(id))
            dictionaries_.serve(bit(script), add(id));
    }
    if (OidIsValid(dictionary)) {
        ServerDictionary *own = add(dictionary);
        dictionaries_.serve(scripts_of_language(own->language()), own);
    }
    analyzer_.emplace(dictionaries_, &memory_, Analyzer::Options{}, server_interruption);
    fingerprint_ = text::fingerprint(dictionaries_, &memory_);
}

ServerDictionary *ServerAnalyzer::add(Oid id) {
    ServerDictionary &dictionary = owned_[count_++].emplace(id, &memory_, scratch_);
    dictionary.describe();
    return &dictionary;
}

// --- the backend's analyzers -----------------------------------------------------------------

constinit ServerAnalyzer *analyzers = nullptr;
constinit bool dictionaries_changed = false;

// Analyzers remember words, so a changed dictionary makes all of them anew.
void note_change() noexcept { dictionaries_changed = true; }

void forget_all() {
    while (analyzers != nullptr) {
        ServerAnalyzer *gone = std::exchange(analyzers, analyzers->next);
        const MemoryContext context = gone->context();
        pg::call([context] { MemoryContextDelete(context); });
    }
    dictionaries_changed = false;
}

ServerAnalyzer &find_or_make(Oid dictionary) {
    pg::watch_rows<note_change, TSDICTOID>();
    if (dictionaries_changed)
        forget_all();
    for (ServerAnalyzer *known = analyzers; known != nullptr; known = known->next)
        if (known->dictionary() == dictionary)
            return *known;
    // Made below the current context, so that a failure leaves nothing; then it stays.
    const MemoryContext context = pg::call([] {
        return AllocSetContextCreate(CurrentMemoryContext, "memory text analyzer",
                                     ALLOCSET_DEFAULT_SIZES);
    });
    const MemoryContext scratch = pg::call([context] {
        return AllocSetContextCreate(context, "memory dictionary results", ALLOCSET_SMALL_SIZES);
    });
    auto *made = pg::make_in<ServerAnalyzer>(context, dictionary, context, scratch);
    pg::call([context] { MemoryContextSetParent(context, TopMemoryContext); });
    made->next = std::exchange(analyzers, made);
    return *made;
}

} // namespace

Analyzer &analyzer_for(Oid dictionary) { return find_or_make(dictionary).analyzer(); }

std::uint64_t fingerprint_for(Oid dictionary) { return find_or_make(dictionary).fingerprint(); }

} // namespace memory::text
