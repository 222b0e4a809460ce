// memory.chain: a template for text search dictionaries that ask several others, one after another,
// as the mapping of a text search configuration does. So synonyms, stop words and stems together
// are one dictionary, which is what an index has.
#include "text/chain_sql.h"

#include "pg/error.h"
#include "pg/function.h"

extern "C" {
#include "catalog/namespace.h"
#include "catalog/pg_ts_dict.h"
#include "catalog/pg_ts_template.h"
#include "commands/defrem.h"
#include "nodes/value.h"
#include "tsearch/ts_cache.h"
#include "tsearch/ts_public.h"
#include "utils/regproc.h"
#include "utils/syscache.h"
}

namespace memory::text {

namespace {

constexpr std::size_t most_members = 8;

// What the server keeps of a chain.
struct Chain {
    std::size_t count;
    std::array<Oid, most_members> members;
};

[[noreturn]] void throw_option(const char *what) {
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s", what)
        .hint("A dictionary of template memory.chain is made as in CREATE TEXT SEARCH DICTIONARY "
              "… (TEMPLATE = memory.chain, dictionaries = 'public.my_synonyms, english_stem').");
}

// The only option there is.
std::string_view option_dictionaries(const List *options) {
    const char *value = nullptr;
    const ListCell *cell;
    foreach (cell, options) {
        auto *option = static_cast<DefElem *>(lfirst(cell));
        if (std::strcmp(option->defname, "dictionaries") != 0 || value != nullptr)
            throw_option("a chain has the one option \"dictionaries\"");
        value = pg::call([option] { return defGetString(option); });
    }
    if (value == nullptr)
        throw_option("a chain needs the option \"dictionaries\"");
    return value;
}

// Up to the next comma that is in no quotes.
std::string_view first_name(std::string_view names) {
    bool quoted = false;
    std::size_t end = 0;
    for (; end < names.size() && (quoted || names[end] != ','); ++end)
        quoted ^= names[end] == '"';
    return names.substr(0, end);
}

// By its schema, or else PostgreSQL's own: what a name means must not depend on whose session
// reads it.
Oid dictionary_named(std::string_view name) {
    return pg::call([name] {
        List *parts = stringToQualifiedNameList(pnstrdup(name.data(), name.size())
#if PG_VERSION_NUM >= 160000
                                                    ,
                                                nullptr
#endif
        );
        if (list_length(parts) == 1)
            parts = lcons(makeString(pstrdup("pg_catalog")), parts);
        return get_ts_dict_oid(parts, true);
    });
}

// The function that makes the dictionaries of its template.
Oid init_function_of(Oid dictionary) {
    return pg::call([dictionary] {
        Oid function = InvalidOid;
        HeapTuple row = SearchSysCache1(TSDICTOID, ObjectIdGetDatum(dictionary));
        if (HeapTupleIsValid(row)) {
            HeapTuple its = SearchSysCache1(
                TSTEMPLATEOID,
                ObjectIdGetDatum(reinterpret_cast<Form_pg_ts_dict>(GETSTRUCT(row))->dicttemplate));
            if (HeapTupleIsValid(its)) {
                function = reinterpret_cast<Form_pg_ts_template>(GETSTRUCT(its))->tmplinit;
                ReleaseSysCache(its);
            }
            ReleaseSysCache(row);
        }
        return function;
    });
}

// InvalidOid, with a warning, for one that is not there: pg_dump writes dictionaries by their
// names, a chain before its members where that is their order.
Oid member_named(std::string_view name, Oid init_function) {
    const Oid member = dictionary_named(name);
    const int size = static_cast<int>(name.size());
    if (!OidIsValid(member)) {
        pg::call([=] {
            ereport(WARNING,
                    (errcode(ERRCODE_UNDEFINED_OBJECT),
                     errmsg("text search dictionary \"%.*s\" does not exist", size, name.data()),
                     errhint("The chain that names it cannot be used until it does. Name "
                             "a dictionary outside pg_catalog with its schema.")));
        });
        return InvalidOid;
    }
    if (init_function_of(member) == init_function)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                        "a chain cannot have a chain, as \"%.*s\" is, in it", size, name.data())
            .hint("Name the dictionaries of that chain instead.");
    return member;
}

// Inside call().
void check_is_there(Oid member) {
    if (!OidIsValid(member))
        ereport(ERROR,
                (errcode(ERRCODE_UNDEFINED_OBJECT),
                 errmsg("a text search dictionary of template memory.chain names one that does not "
                        "exist"),
                 errhint("Create it, or ALTER TEXT SEARCH DICTIONARY … (dictionaries = …).")));
}

// What a dictionary makes of a word; nullptr if it does not know the word.
TSLexeme *asked(Oid dictionary, const char *word, std::int32_t size) {
    TSDictionaryCacheEntry *entry = lookup_ts_dictionary_cache(dictionary);
    DictSubState state{};
    return reinterpret_cast<TSLexeme *>(DatumGetPointer(
        FunctionCall4(&entry->lexize, PointerGetDatum(entry->dictData), PointerGetDatum(word),
                      Int32GetDatum(size), PointerGetDatum(&state))));
}

} // namespace

std::span<const Oid> chain_members(Oid chain) {
    const auto *members = pg::call([chain] {
        return static_cast<const Chain *>(lookup_ts_dictionary_cache(chain)->dictData);
    });
    const std::span<const Oid> found = std::span(members->members).first(members->count);
    pg::call([found] { std::for_each(found.begin(), found.end(), check_is_there); });
    return found;
}

MEMORY_FUNCTION(memory_chain_init) {
    const auto *options = reinterpret_cast<const List *>(DatumGetPointer(arguments.datum(0)));
    Chain chain{};
    std::string_view names = option_dictionaries(options);
    for (bool more = true; more;) {
        const std::string_view name = first_name(names);
        if (chain.count == most_members)
            throw_option("a chain has at most 8 dictionaries");
        chain.members[chain.count++] = member_named(name, arguments.raw()->flinfo->fn_oid);
        more = name.size() < names.size();
        names.remove_prefix(name.size() + (more ? 1 : 0));
    }
    return pg::call([&] {
        auto *kept = static_cast<Chain *>(palloc(sizeof(Chain)));
        *kept = chain;
        return PointerGetDatum(kept);
    });
}

// The first that knows the word decides; a filter (TSL_FILTER, as unaccent is) passes its own word
// on.
MEMORY_FUNCTION(memory_chain_lexize) {
    const auto *chain = reinterpret_cast<const Chain *>(DatumGetPointer(arguments.datum(0)));
    const char *word = DatumGetCString(arguments.datum(1));
    std::int32_t size = DatumGetInt32(arguments.datum(2));
    return pg::call([&] {
        TSLexeme *found = nullptr;
        TSLexeme *passed_on = nullptr;
        for (std::size_t i = 0; i < chain->count && found == nullptr; ++i) {
            check_is_there(chain->members[i]);
            found = asked(chain->members[i], word, size);
            if (found == nullptr || found->lexeme == nullptr || (found->flags & TSL_FILTER) == 0)
                continue;
            passed_on = std::exchange(found, nullptr);
            word = passed_on->lexeme;
            size = static_cast<std::int32_t>(std::strlen(word));
        }
        return PointerGetDatum(found != nullptr ? found : passed_on);
    });
}

} // namespace memory::text
