// Episodes of a file: notes, and what happened on a day.
#include "moving/import_file.h"

#include "episodes/logged.h"
#include "moving/markdown/text.h"
#include "moving/sql.h"
#include "pg/json_writer.h"
#include "pg/statement.h"

#include <map>

namespace memory::moving {

namespace {

using markdown::File;
using pg::SnapshotOf;

// Locked in the order of their ids, as calls do that change several. What is hidden has expired, or
// was merged into another.
MEMORY_STATEMENT(lock_known, R"(
    SELECT e.id, e.content, e.response, {not_expired:e} FROM memory.episodes e
    WHERE {tenant:e} AND e.id = ANY ($3) ORDER BY e.id FOR UPDATE)"_sql,
                 pg::Statement::for_each_values);

// What the file may have without an id. $3 are those that it has with one.
MEMORY_STATEMENT(find_notes, R"(
    SELECT e.content, e.response, e.occurred_at FROM memory.episodes e
    WHERE {tenant:e} AND {not_expired:e} AND {lasts:e} AND e.id <> ALL ($3))"_sql,
                 pg::Statement::for_each_values);
MEMORY_STATEMENT(find_of_day, R"(
    SELECT e.content, e.response, e.occurred_at FROM memory.episodes e
    WHERE {tenant:e} AND {not_expired:e} AND NOT {lasts:e} AND e.id <> ALL ($3)
        AND e.occurred_at >= $4 AND e.occurred_at < $5)"_sql,
                 pg::Statement::for_each_values);

std::optional<std::string_view> not_empty(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

// An episode whose id is in the file.
struct Known {
    std::pmr::string content;
    std::optional<std::pmr::string> response;
    bool visible;
};

class Import {
  public:
    Import(const ImportedFile &file, Entries entries, std::pmr::memory_resource *memory)
        : file_(file), entries_(entries), memory_(memory), ids_(ids_in(entries, memory)),
          known_(memory), here_(memory), new_(entries.size(), false, memory) {}

    std::int64_t run() {
        if (file_.file == File::day)
            day_begins_ = pg::naming("path", [this] { return time_of_day(""); });
        lock();
        std::int64_t changed = 0;
        for (std::size_t n = 0; n < entries_.size(); ++n)
            if (entries_[n]->id)
                changed += file_.naming(*entries_[n], [&] { return revise(n); }) ? 1 : 0;
        find_new();
        for (std::size_t n = 0; n < entries_.size(); ++n) {
            pg::check_for_interrupts();
            if (!new_[n])
                continue;
            file_.naming(*entries_[n], [&] { add(*entries_[n]); });
            ++changed;
        }
        return changed;
    }

  private:
    pg::Instant time_of_day(std::string_view time) const {
        return instant_of(markdown::iso_time(markdown::day_of(file_.path), time, memory_));
    }

    void lock() {
        if (ids_.empty())
            return;
        lock_known.each(SnapshotOf::now, {file_.tenant, ids_}, [&](const pg::Row &row) {
            const auto [id, content, response, visible] =
                row.get<pg::Uuid, pg::Text, std::optional<pg::Text>, pg::Bool>();
            Known known{std::pmr::string(content, memory_), std::nullopt, visible};
            if (response)
                known.response.emplace(*response, memory_);
            known_.emplace(id_of(id), std::move(known));
        });
    }

    // Whether it was; notes that it is new where no memory has its id.
    bool revise(std::size_t n) {
        const Entry &entry = *entries_[n];
        const auto place = known_.find(*entry.id);
        if (place == known_.end()) {
            new_[n] = true;
            return false;
        }
        const Known &known = place->second;
        const Entry stored = as_entry(known);
        const bool same = stored.content == entry.content && stored.response == entry.response;
        if (fate_of(entry, same, markdown::digest_of(stored)) == Fate::unchanged)
            return false;
        new_[n] = !known.visible;
        if (!known.visible)
            return false;
        check_texts(entry);
        // What a file cannot hold stays where the text is the same.
        const auto response = stored.response == entry.response
                                  ? std::optional<std::string_view>(known.response)
                                  : not_empty(entry.response);
        return episodes::revise(file_.tenant, uuid_of(*entry.id),
                                stored.content == entry.content ? known.content : entry.content,
                                response);
    }

    Entry as_entry(const Known &known) const {
        Entry entry(memory_);
        entry.content = markdown::normal(known.content, memory_);
        entry.response = markdown::normal(
            known.response ? std::string_view(*known.response) : std::string_view(), memory_);
        return entry;
    }

    // What has no id is new where no other memory of the file says the same: each counts once. What
    // says its time has the first choice.
    void find_new() {
        for (const Entry *entry : entries_)
            if (!entry->id)
                here_.emplace(key_of(*entry), std::pmr::vector<pg::Instant>(memory_));
        if (here_.empty())
            return;
        find_here();
        for (const bool timed : {true, false})
            for (std::size_t n = 0; n < entries_.size(); ++n)
                if (!entries_[n]->id && entries_[n]->time.empty() != timed)
                    new_[n] = !take_here(*entries_[n]);
    }

    void find_here() {
        pg::TemporaryContext per_row("memory.import_markdown");
        auto note = [&](const pg::Row &row) {
            per_row.reset();
            const pg::SwitchedContext switched(per_row.get());
            const auto [content, response, at] =
                row.get<pg::Text, std::optional<pg::Text>, pg::Time>();
            const auto place = here_.find(key_of(content, response.value_or("")));
            if (place != here_.end())
                place->second.push_back({at});
        };
        pg::Values values{file_.tenant, ids_};
        if (file_.file == File::notes)
            return find_notes.each(SnapshotOf::now, values, note);
        values.add(day_begins_);
        values.add(pg::Instant{day_begins_.time + USECS_PER_DAY});
        find_of_day.each(SnapshotOf::now, values, note);
    }

    bool take_here(const Entry &entry) {
        std::pmr::vector<pg::Instant> &times = here_.find(key_of(entry))->second;
        const auto taken = std::ranges::find_if(times, [&](pg::Instant at) {
            if (entry.time.empty())
                return true;
            const TimestampTz from = time_of_day(entry.time).time;
            return at.time >= from && at.time < from + length_of(entry.time);
        });
        if (taken == times.end())
            return false;
        times.erase(taken);
        return true;
    }
    // Of what a time says: a minute, a second, or less.
    static TimestampTz length_of(std::string_view time) {
        constexpr std::size_t minute = 5;
        constexpr std::size_t second = 8;
        return time.size() == minute ? USECS_PER_MINUTE : time.size() == second ? USECS_PER_SEC : 1;
    }

    // What is said, as one text: no text of a table has a zero byte.
    std::pmr::string key_of(std::string_view content, std::string_view response) const {
        std::pmr::string key = markdown::normal(content, memory_);
        key.push_back('\0');
        return key.append(markdown::normal(response, memory_));
    }
    std::pmr::string key_of(const Entry &entry) const {
        return key_of(entry.content, entry.response);
    }

    static void check_texts(const Entry &entry) {
        episodes::check_texts({{"content"}, not_empty(entry.content)},
                              {{"response"}, not_empty(entry.response)});
    }

    void add(const Entry &entry) const {
        check_texts(entry);
        const markdown::Attributes &said = entry.attributes;
        episodes::Episode episode;
        episode.tenant = file_.tenant;
        if (entry.id)
            episode.id = uuid_of(*entry.id);
        episode.content = entry.content;
        episode.response = not_empty(entry.response);
        episode.agent_id = access::agent_setting();
        episode.kind = !said.kind.empty()          ? std::string_view(said.kind)
                       : file_.file == File::notes ? "long_term"
                                                   : episode.kind;
        episode.role = not_empty(said.role);
        episode.occurred_at = time_of(entry);
        if (!entry.section.empty()) {
            pg::JsonWriter metadata;
            metadata.add("section", entry.section);
            episode.metadata = pg::Document{metadata.finish()};
        }
        episodes::remember(episode);
    }

    std::optional<pg::Instant> time_of(const Entry &entry) const {
        if (!entry.attributes.at.empty())
            return pg::Given<pg::Instant>({"at"}, instant_of(entry.attributes.at)).finite();
        return file_.file == File::day ? std::optional(time_of_day(entry.time)) : std::nullopt;
    }

    const ImportedFile &file_;
    Entries entries_;
    std::pmr::memory_resource *memory_;
    std::pmr::vector<pg_uuid_t> ids_; // in the file
    std::pmr::map<markdown::Id, Known> known_;
    // The times at which what the file says without an id was said already.
    std::pmr::map<std::pmr::string, std::pmr::vector<pg::Instant>> here_;
    std::pmr::vector<bool> new_; // by the entries' places
    pg::Instant day_begins_{};
};

} // namespace

std::int64_t import_episodes(const ImportedFile &file, Entries entries,
                             std::pmr::memory_resource *memory) {
    return Import(file, entries, memory).run();
}

} // namespace memory::moving
