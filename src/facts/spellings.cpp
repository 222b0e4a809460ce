// Spellings by the two indexes of memory.facts, or by a statement where they cannot be asked.
#include "facts/spellings.h"

#include "facts/sql.h"
#include "pg/statement.h"
#include "schema/relations.h"

namespace memory::facts {

namespace {

// How facts spell the name of key $3, as a subject or as an object. The orders are those of
// facts_by_subject and facts_by_object, which so are the indexes of choice also where there are no
// statistics yet.
MEMORY_STATEMENT(find_spelling, R"(
    SELECT coalesce(
        (SELECT f.subject FROM memory.facts f WHERE {tenant:f} AND f.subject_key = $3
         ORDER BY f.predicate LIMIT 1),
        (SELECT f.object FROM memory.facts f WHERE {tenant:f} AND f.object_key = $3
         ORDER BY f.known_until DESC LIMIT 1)))"_sql);

constexpr const char *subject_index = "facts_by_subject";
constexpr const char *object_index = "facts_by_object";
constexpr schema::KeyColumn subject_key[] = {
    {"subject_key", TEXTOID}, {"user_id", TEXTOID}, {"namespace", TEXTOID}};
constexpr schema::KeyColumn object_key[] = {
    {"object_key", TEXTOID}, {"user_id", TEXTOID}, {"namespace", TEXTOID}};

// Whether the indexes may be asked directly: they are there, and no row is hidden from the caller.
bool may_scan() {
    const auto usable = [](const char *name) {
        const Oid index = schema::index_named(name, "facts");
        return OidIsValid(index) && pg::call([index] { return get_index_isvalid(index); });
    };
    return usable(subject_index) && usable(object_index) &&
           schema::readable_whole(schema::table_named("facts"));
}

} // namespace

Spellings::Scans::Scans(const schema::Place &facts)
    : snapshot_(pg::call([] { return GetTransactionSnapshot(); })), heap_(facts, AccessShareLock),
      by_subject_(heap_, subject_index, subject_key), by_object_(heap_, object_index, object_key),
      slot_(RelationGetDescr(heap_.get()), table_slot_callbacks(heap_.get())) {}

std::optional<std::string_view> Spellings::Scans::find(const access::Tenant &tenant,
                                                       std::string_view key, Role role) {
    std::array keys{pg::equals_text(1, pg::to_datum(key)),
                    pg::equals_text(2, pg::to_datum(tenant.user)),
                    pg::equals_text(3, pg::to_datum(tenant.name_space))};
    const bool of_subjects = role == Role::subject;
    pg::KeyScan scan(heap_.get(), (of_subjects ? by_subject_ : by_object_).get(), snapshot_.get(),
                     keys);
    if (!scan.next(slot_.get(), of_subjects ? pg::Side::behind : pg::Side::before))
        return std::nullopt;
    const AttrNumber shown = heap_.column<pg::Text>(of_subjects ? "subject" : "object");
    const std::string_view found = pg::copied_text(pg::get_in<pg::Text>(slot_.get(), shown - 1));
    pg::call([this] { ExecClearTuple(slot_.get()); }); // a page that is held cannot be pruned
    return found;
}

Spellings::Spellings(std::pmr::memory_resource *memory)
    : memory_(memory), known_(memory), may_scan_(may_scan()) {}

// Null: a statement is to be asked.
Spellings::Scans *Spellings::scans_of(const access::Tenant &tenant) {
    if (!may_scan_)
        return nullptr;
    const schema::Place place = tenant.place("facts");
    if (!scans_ || !(scans_->place() == place))
        scans_.emplace(place);
    return &*scans_;
}

std::optional<std::string_view> Spellings::stored(const Fact &fact, std::string_view key,
                                                  Role role) {
    if (Scans *const scans = scans_of(fact.tenant)) {
        // Wherever a name stands it is spelled one way; where it stands now it was likely before.
        const auto found = scans->find(fact.tenant, key, role);
        const Role other = role == Role::subject ? Role::object : Role::subject;
        return found ? found : scans->find(fact.tenant, key, other);
    }
    const pg::Rows rows = find_spelling.run(pg::SnapshotOf::now, {fact.tenant, key});
    const auto found = rows.get<std::optional<pg::Text>>(0);
    return found ? std::optional(pg::copied_text(*found)) : std::nullopt;
}

void Spellings::settle(const Fact &fact, Name &name, Role role) {
    std::pmr::string key(fact.tenant.name_space, memory_);
    for (const std::string_view part : {fact.tenant.user, name.key})
        key.append(1, '\0').append(part);
    const auto [known, is_new] = known_.try_emplace(std::move(key), name.shown);
    if (is_new)
        known->second = stored(fact, name.key, role).value_or(name.shown);
    name.shown = known->second;
}

void Spellings::settle(Fact &fact) {
    settle(fact, fact.subject, Role::subject);
    settle(fact, fact.object, Role::object);
}

} // namespace memory::facts
