// Facts of a file: what is believed now.
#include "moving/import_file.h"

#include "facts/assert.h"
#include "facts/correct.h"
#include "moving/markdown/text.h"
#include "moving/sql.h"
#include "pg/statement.h"

#include <map>

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace memory::moving {

namespace {

using facts::Fact;
using pg::SnapshotOf;

MEMORY_STATEMENT(find_known, R"(
    SELECT f.id, f.subject, f.predicate, f.object, {known_now:f} FROM memory.facts f
    WHERE {tenant:f} AND f.id = ANY ($3))"_sql,
                 pg::Statement::for_each_values);

// Whether $5 is believed of $3 and $4 at some time between $6 and $7.
MEMORY_STATEMENT(find_same, R"(
    SELECT FROM memory.facts f
    WHERE {of_topic:f} AND f.object_key = $5 AND {known_now:f}
        AND f.valid_from < $7 AND f.valid_until > $6 LIMIT 1)"_sql,
                 pg::Statement::once);

// A version whose id is in the file.
struct Known {
    std::pmr::string subject;
    std::pmr::string predicate;
    std::pmr::string object;
    bool current;
};

// What has been written for an entry, to look at once more in the end.
struct Written {
    const Entry *entry;
    std::string_view subject; // keys
    std::string_view predicate;
    std::string_view object;
    facts::Span valid;
};

class Import {
  public:
    Import(const ImportedFile &file, Entries entries, std::pmr::memory_resource *memory)
        : file_(file), entries_(entries), memory_(memory), known_(memory), asserted_(memory),
          assertions_(memory), corrected_(memory), corrections_(memory), written_(memory) {}

    std::int64_t run() {
        find();
        for (const Entry *entry : entries_)
            file_.naming(*entry, [&] { sort(*entry); });
        if (asserted_.empty() && corrected_.empty())
            return 0;
        const std::int64_t changed = write();
        check_all_hold();
        return changed;
    }

  private:
    void find() {
        const std::pmr::vector<pg_uuid_t> ids = ids_in(entries_, memory_);
        if (ids.empty())
            return;
        const auto kept = [this](std::string_view text) { return std::pmr::string(text, memory_); };
        find_known.each(SnapshotOf::now, {file_.tenant, ids}, [&](const pg::Row &row) {
            const auto [id, subject, predicate, object, current] =
                row.get<pg::Uuid, pg::Text, pg::Text, pg::Text, pg::Bool>();
            known_.emplace(id_of(id), Known{kept(subject), kept(predicate), kept(object), current});
        });
    }

    // What is to be done about an entry.
    void sort(const Entry &entry) {
        const auto place = entry.id ? known_.find(*entry.id) : known_.end();
        if (place != known_.end())
            return sort(entry, place->second);
        Fact fact = fact_of(entry);
        if (holds({&entry, fact.subject.key, fact.predicate, fact.object.key, span_of(fact)}))
            return;
        assertions_.push_back(&entry);
        asserted_.push_back(fact);
    }

    void sort(const Entry &entry, const Known &known) {
        Entry stored(memory_);
        stored.thing = markdown::Thing::fact;
        stored.subject = markdown::normal(known.subject, memory_);
        stored.predicate = known.predicate;
        stored.object = markdown::normal(known.object, memory_);
        const bool same_subject = stored.subject == entry.subject;
        const bool same_object = stored.object == entry.object;
        const std::string_view predicate =
            facts::predicate_name({{"predicate"}, std::string_view(entry.predicate)});
        const bool same = same_subject && same_object && predicate == known.predicate;
        if (fate_of(entry, same, markdown::digest_of(stored)) == Fate::unchanged)
            return;
        if (!known.current)
            throw_stale();
        facts::Correction correction{.id = uuid_of(*entry.id), .predicate = predicate};
        if (!same_subject)
            correction.subject =
                facts::subject_name({{"subject"}, std::string_view(entry.subject)});
        if (!same_object)
            correction.object = facts::object_name({{"object"}, std::string_view(entry.object)});
        corrections_.push_back(&entry);
        corrected_.emplace_back(file_.tenant, correction);
    }

    Fact fact_of(const Entry &entry) const {
        const markdown::Attributes &said = entry.attributes;
        Fact fact{};
        fact.tenant = file_.tenant;
        if (entry.id)
            fact.id = uuid_of(*entry.id);
        fact.subject = facts::subject_name({{"subject"}, std::string_view(entry.subject)});
        fact.predicate = facts::predicate_name({{"predicate"}, std::string_view(entry.predicate)});
        fact.object = facts::object_name({{"object"}, std::string_view(entry.object)});
        fact.from = facts::instant_or_now({{"from"}, time_said(said.from)});
        fact.until = facts::instant({{"until"}, time_said(said.until)});
        facts::check_span({"until"}, fact.from, fact.until.value_or(facts::algebra::forever));
        fact.confidence = pg::Given<double>({"confidence"}, number_said(said.confidence))
                              .between(0, 1)
                              .or_else(1);
        return fact;
    }
    static std::optional<pg::Instant> time_said(std::string_view text) {
        return text.empty() ? std::nullopt : std::optional(instant_of(text));
    }
    static std::optional<double> number_said(std::string_view text) {
        if (text.empty())
            return std::nullopt;
        const char *number = pg::c_string(text);
        return pg::call([number] {
            return DatumGetFloat8(DirectFunctionCall1(float8in, CStringGetDatum(number)));
        });
    }
    static facts::Span span_of(const Fact &fact) {
        return {fact.from, fact.until.value_or(facts::algebra::forever)};
    }

    bool holds(const Written &written) const {
        return !find_same
                    .run(SnapshotOf::now,
                         {file_.tenant, written.subject, written.predicate, written.object,
                          pg::Instant{written.valid.from}, pg::Instant{written.valid.until}})
                    .empty();
    }

    // All lines are locked in one order.
    std::int64_t write() {
        facts::Lines lines(memory_);
        for (const facts::Correcting &one : corrected_)
            one.want(lines);
        for (const Fact &fact : asserted_)
            lines.want(fact);
        lines.lock();
        facts::Spellings spellings(memory_);
        for (std::size_t n = 0; n < corrected_.size(); ++n)
            file_.naming(*corrections_[n], [&] {
                corrected_[n].apply(lines, spellings);
                note(*corrections_[n], corrected_[n].corrected());
            });
        for (std::size_t n = 0; n < asserted_.size(); ++n)
            file_.naming(*assertions_[n], [&] {
                Fact &fact = asserted_[n];
                // What was rejected stays out.
                if (facts::assert_on(lines.at(facts::topic_of(fact), fact.object.key), fact,
                                     spellings))
                    note(*assertions_[n], fact);
            });
        lines.write();
        return static_cast<std::int64_t>(written_.size());
    }

    void note(const Entry &entry, const Fact &fact) {
        written_.push_back(
            {&entry, fact.subject.key, fact.predicate, fact.object.key, span_of(fact)});
    }

    // Else the next import of the file would write again what this one has taken away.
    void check_all_hold() const {
        for (const Written &written : written_)
            if (!holds(written))
                throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                                "%s: another line of the file says something else",
                                file_.place_of(written.entry->line))
                    .hint("This predicate has one object at a time. Keep one of the lines, or "
                          "call memory.define_predicate first.");
    }

    const ImportedFile &file_;
    Entries entries_;
    std::pmr::memory_resource *memory_;
    std::pmr::map<markdown::Id, Known> known_;
    // What is new and what was edited, with the entries that say so.
    std::pmr::vector<Fact> asserted_;
    std::pmr::vector<const Entry *> assertions_;
    std::pmr::vector<facts::Correcting> corrected_;
    std::pmr::vector<const Entry *> corrections_;
    std::pmr::vector<Written> written_;
};

} // namespace

std::int64_t import_facts(const ImportedFile &file, Entries entries,
                          std::pmr::memory_resource *memory) {
    return Import(file, entries, memory).run();
}

} // namespace memory::moving
