// The scripts of a language, and the default language of each script.
#include "text/dictionary.h"

namespace memory::text {

namespace {

struct ScriptFacts {
    std::string_view name;
    std::string_view language;
};

// Indexed by Script.
constexpr std::array<ScriptFacts, script_count> script_facts{{
    {"latin", "english"},
    {"cyrillic", "russian"},
    {"greek", "greek"},
    {"arabic", "arabic"},
    {"hebrew", ""},
    {"devanagari", "hindi"},
    {"armenian", "armenian"},
    {"tamil", "tamil"},
    {"other", ""},
}};

struct LanguageScripts {
    std::string_view language;
    ScriptSet scripts;
};

// Languages not written in Latin letters alone.
constexpr LanguageScripts language_scripts[] = {
    {"arabic", bit(Script::arabic)},
    {"armenian", bit(Script::armenian)},
    {"greek", bit(Script::greek)},
    {"hindi", bit(Script::devanagari)},
    {"nepali", bit(Script::devanagari)},
    {"russian", bit(Script::cyrillic)},
    {"serbian", bit(Script::cyrillic) | bit(Script::latin)},
    {"tamil", bit(Script::tamil)},
    {"yiddish", bit(Script::hebrew)},
};

} // namespace

void Dictionaries::serve(ScriptSet scripts, Dictionary *dictionary) {
    for (std::size_t script = 0; script < script_count; ++script)
        if (scripts & bit(static_cast<Script>(script)))
            by_script_[script] = dictionary;
}

ScriptSet scripts_of_language(std::string_view language) {
    for (const LanguageScripts &known : language_scripts)
        if (known.language == language)
            return known.scripts;
    return bit(Script::latin);
}

std::string_view default_language(Script script) {
    return script_facts[static_cast<std::size_t>(script)].language;
}

std::string_view name(Script script) { return script_facts[static_cast<std::size_t>(script)].name; }

} // namespace memory::text
