// Facts, the lines that their writers queue on, and what belongs to them (docs/facts.md).
//
// Without statistics the planner takes every index that begins with the tenant for equally good, so
// that a backend which plans on empty tables could read all of a user's facts for each lookup.
// Therefore indexes beside the primary key begin with what they are for.
#include "facts/tables.h"

namespace memory::facts {

namespace {

using setup::Belongs;
using setup::Makes;
using setup::Step;

constexpr Step steps[] = {
    {Makes::table, nullptr, "predicates", R"sql(
CREATE TABLE memory.predicates (
    namespace text COLLATE "C" NOT NULL,
    predicate text COLLATE "C" NOT NULL,
    cardinality text COLLATE "C" NOT NULL DEFAULT 'one',
    inverse text COLLATE "C",
    CONSTRAINT cardinality_one_or_many CHECK (cardinality IN ('one', 'many'))
);
COMMENT ON TABLE memory.predicates IS 'Predicates that memory.define_predicate was called for; others are one-valued.';
COMMENT ON COLUMN memory.predicates.namespace IS 'As in memory.facts.';
COMMENT ON COLUMN memory.predicates.predicate IS 'In its normal form.';
COMMENT ON COLUMN memory.predicates.cardinality IS 'one: a subject has one object at a time; many: any number.';
COMMENT ON COLUMN memory.predicates.inverse IS 'What the predicate is called when it is followed from the object.';
)sql"},
    {Makes::primary_key, "predicates", "predicates_pkey", R"sql(
ALTER TABLE memory.predicates ADD PRIMARY KEY (namespace, predicate);
COMMENT ON INDEX memory.predicates_pkey IS 'One predicate by its name.';
)sql"},
    {Makes::table, nullptr, "timelines", R"sql(
CREATE TABLE memory.timelines (
    namespace text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    subject_key text COLLATE "C" NOT NULL,
    predicate text COLLATE "C" NOT NULL,
    slot text COLLATE "C" NOT NULL,
    line bigint NOT NULL,
    last_known timestamptz NOT NULL,
    changes bigint NOT NULL,
    has_rejections boolean NOT NULL DEFAULT false
) WITH (fillfactor = 80);
COMMENT ON TABLE memory.timelines IS 'Lines of valid time: one for each subject and predicate; for each object, too, where the predicate is many-valued. Writers of a line queue on its row.';
COMMENT ON COLUMN memory.timelines.namespace IS 'As in memory.facts.';
COMMENT ON COLUMN memory.timelines.user_id IS 'As in memory.facts.';
COMMENT ON COLUMN memory.timelines.subject_key IS 'As in memory.facts.';
COMMENT ON COLUMN memory.timelines.predicate IS 'As in memory.facts.';
COMMENT ON COLUMN memory.timelines.slot IS 'The object_key where the predicate is many-valued, else empty.';
COMMENT ON COLUMN memory.timelines.line IS 'What memory.facts knows it by: random, and unique within the user.';
COMMENT ON COLUMN memory.timelines.last_known IS 'Transaction time of the last change; the next one is later.';
COMMENT ON COLUMN memory.timelines.changes IS 'How often a writer has had this line.';
COMMENT ON COLUMN memory.timelines.has_rejections IS 'Whether memory.rejections may have rows about it.';
)sql"},
    {Makes::primary_key, "timelines", "timelines_pkey", R"sql(
ALTER TABLE memory.timelines ADD PRIMARY KEY (namespace, user_id, subject_key, predicate, slot);
COMMENT ON INDEX memory.timelines_pkey IS 'One line by what it is about.';
)sql"},
    {Makes::constraint, "timelines", "timelines_user_line_key", R"sql(
ALTER TABLE memory.timelines ADD CONSTRAINT timelines_user_line_key UNIQUE (line, user_id, namespace);
COMMENT ON INDEX memory.timelines_user_line_key IS 'One line by its number, within its user.';
)sql"},
    {Makes::column_default, "timelines", "line",
     "ALTER TABLE memory.timelines ALTER line SET DEFAULT memory.default_line()"},
    {Makes::table, nullptr, "facts", R"sql(
CREATE TABLE memory.facts (
    namespace text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    line bigint NOT NULL,
    valid_from timestamptz NOT NULL,
    valid_until timestamptz NOT NULL DEFAULT 'infinity',
    known_from timestamptz NOT NULL,
    known_until timestamptz NOT NULL DEFAULT 'infinity',
    confidence real NOT NULL DEFAULT 1.0,
    subject_key text COLLATE "C" NOT NULL,
    predicate text COLLATE "C" NOT NULL,
    object_key text COLLATE "C" NOT NULL,
    subject text NOT NULL,
    object text NOT NULL,
    metadata jsonb NOT NULL DEFAULT '{}',
    statement text NOT NULL GENERATED ALWAYS AS
        (subject || ' ' || replace(predicate, '_', ' ') || ' ' || object) STORED,
    CONSTRAINT names_not_empty CHECK ('' <> ALL (ARRAY[namespace, subject_key, predicate, object_key])),
    CONSTRAINT valid_for_some_time CHECK (valid_from < valid_until),
    CONSTRAINT known_for_some_time CHECK (known_from < known_until),
    CONSTRAINT confidence_between_0_and_1 CHECK (confidence >= '0'::real AND confidence <= '1'::real),
    CONSTRAINT metadata_is_object CHECK (jsonb_typeof(metadata) = 'object')
);
COMMENT ON TABLE memory.facts IS 'Every version of every fact: what was valid when, as it was known when. Written by memory.assert_fact and its kin.';
COMMENT ON COLUMN memory.facts.namespace IS 'Users of different namespaces never meet. Default: the setting memory.namespace.';
COMMENT ON COLUMN memory.facts.user_id IS 'Whose fact this is; '''' is the anonymous user. Default: the setting memory.user_id.';
COMMENT ON COLUMN memory.facts.id IS 'UUIDv7, or the caller''s own; of this version.';
COMMENT ON COLUMN memory.facts.line IS 'The line in memory.timelines, of the same user.';
COMMENT ON COLUMN memory.facts.valid_from IS 'Since when it is true; it may be -infinity.';
COMMENT ON COLUMN memory.facts.valid_until IS 'From then on it is not true any more; infinity: no end is known.';
COMMENT ON COLUMN memory.facts.known_from IS 'Since when this is believed.';
COMMENT ON COLUMN memory.facts.known_until IS 'From then on something else was believed; infinity: this is current.';
COMMENT ON COLUMN memory.facts.confidence IS 'Between 0 and 1.';
COMMENT ON COLUMN memory.facts.subject_key IS 'The normal form of subject.';
COMMENT ON COLUMN memory.facts.predicate IS 'In its normal form.';
COMMENT ON COLUMN memory.facts.object_key IS 'The normal form of object, shortened by a hash when it is long.';
COMMENT ON COLUMN memory.facts.subject IS 'As first written.';
COMMENT ON COLUMN memory.facts.object IS 'As first written.';
COMMENT ON COLUMN memory.facts.metadata IS 'A JSON object of the application''s.';
COMMENT ON COLUMN memory.facts.statement IS 'The text by which it is recalled.';
)sql"},
    {Makes::primary_key, "facts", "facts_pkey", R"sql(
ALTER TABLE memory.facts ADD PRIMARY KEY (namespace, user_id, id);
COMMENT ON INDEX memory.facts_pkey IS 'One version by its id, within its user.';
)sql"},
    {Makes::column_default, "facts", "namespace",
     "ALTER TABLE memory.facts ALTER namespace SET DEFAULT memory.default_namespace()"},
    {Makes::column_default, "facts", "user_id",
     "ALTER TABLE memory.facts ALTER user_id SET DEFAULT memory.default_user_id()"},
    {Makes::column_default, "facts", "id",
     "ALTER TABLE memory.facts ALTER id SET DEFAULT memory.default_id()"},
    {Makes::constraint, "facts", "line_of_the_user", R"sql(
ALTER TABLE memory.facts ADD CONSTRAINT line_of_the_user FOREIGN KEY (namespace, user_id, line)
    REFERENCES memory.timelines (namespace, user_id, line) DEFERRABLE;
COMMENT ON CONSTRAINT line_of_the_user ON memory.facts IS 'A line is of the fact''s own user, and stays while a version is on it.';
)sql"},
    {Makes::constraint, "facts", "one_belief_at_a_time", R"sql(
ALTER TABLE memory.facts ADD CONSTRAINT one_belief_at_a_time EXCLUDE USING gist
    (memory.stretch(namespace, user_id, line, valid_from, valid_until) WITH OPERATOR(memory.&&))
    WHERE (known_until = 'infinity');
COMMENT ON INDEX memory.one_belief_at_a_time IS 'Proves that current facts of a line of a user do not overlap.';
)sql"},
    {Makes::index, "facts", "facts_by_subject", R"sql(
CREATE INDEX facts_by_subject ON memory.facts
    (subject_key, user_id, namespace, predicate, known_until, valid_until, object_key);
COMMENT ON INDEX memory.facts_by_subject IS 'What is said of a subject; the current facts of a line side by side.';
)sql"},
    {Makes::index, "facts", "facts_by_object", R"sql(
CREATE INDEX facts_by_object ON memory.facts (object_key, user_id, namespace, known_until);
COMMENT ON INDEX memory.facts_by_object IS 'What is said with an object; the way back in the graph.';
)sql"},
    {Makes::index, "facts", "facts_by_line", R"sql(
CREATE INDEX facts_by_line ON memory.facts (line, user_id, namespace);
COMMENT ON INDEX memory.facts_by_line IS 'All versions on a line, which must go before the line does.';
)sql"},
    {Makes::index, "facts", "facts_by_text", R"sql(
CREATE INDEX facts_by_text ON memory.facts USING recall (namespace, user_id, statement)
    WHERE known_until = 'infinity';
COMMENT ON INDEX memory.facts_by_text IS 'Ranks the current facts of a user by what they say.';
)sql"},
    {Makes::table, nullptr, "fact_sources", R"sql(
CREATE TABLE memory.fact_sources (
    namespace text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    fact_id uuid NOT NULL,
    episode_id uuid NOT NULL
);
COMMENT ON TABLE memory.fact_sources IS 'The episodes that versions of facts come from. Deleting an episode removes it here.';
COMMENT ON COLUMN memory.fact_sources.namespace IS 'As in memory.facts.';
COMMENT ON COLUMN memory.fact_sources.user_id IS 'As in memory.facts.';
COMMENT ON COLUMN memory.fact_sources.fact_id IS 'The version.';
COMMENT ON COLUMN memory.fact_sources.episode_id IS 'The episode.';
)sql"},
    {Makes::primary_key, "fact_sources", "fact_sources_pkey", R"sql(
ALTER TABLE memory.fact_sources ADD PRIMARY KEY (namespace, user_id, fact_id, episode_id);
COMMENT ON INDEX memory.fact_sources_pkey IS 'The sources of a version.';
)sql"},
    {Makes::constraint, "fact_sources", "fact_sources_namespace_user_id_fact_id_fkey", R"sql(
ALTER TABLE memory.fact_sources ADD CONSTRAINT fact_sources_namespace_user_id_fact_id_fkey
    FOREIGN KEY (namespace, user_id, fact_id) REFERENCES memory.facts ON DELETE CASCADE
)sql"},
    {Makes::constraint, "fact_sources", "fact_sources_namespace_user_id_episode_id_fkey", R"sql(
ALTER TABLE memory.fact_sources ADD CONSTRAINT fact_sources_namespace_user_id_episode_id_fkey
    FOREIGN KEY (namespace, user_id, episode_id) REFERENCES memory.episodes ON DELETE CASCADE
)sql"},
    {Makes::index, "fact_sources", "fact_sources_by_episode", R"sql(
CREATE INDEX fact_sources_by_episode ON memory.fact_sources USING hash (episode_id);
COMMENT ON INDEX memory.fact_sources_by_episode IS 'What comes from an episode.';
)sql"},
    {Makes::table, nullptr, "fact_embeddings", R"sql(
CREATE TABLE memory.fact_embeddings (
    namespace text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    subject_key text COLLATE "C" NOT NULL,
    predicate text COLLATE "C" NOT NULL,
    object_key text COLLATE "C" NOT NULL,
    model text COLLATE "C" NOT NULL,
    embedding {vector}.vector NOT NULL
) WITH (toast_tuple_target = 8160);
COMMENT ON TABLE memory.fact_embeddings IS 'Vectors of what facts say, one per embedding model; the same for every version that says it.';
COMMENT ON COLUMN memory.fact_embeddings.namespace IS 'As in memory.facts.';
COMMENT ON COLUMN memory.fact_embeddings.user_id IS 'As in memory.facts.';
COMMENT ON COLUMN memory.fact_embeddings.subject_key IS 'As in memory.facts.';
COMMENT ON COLUMN memory.fact_embeddings.predicate IS 'As in memory.facts.';
COMMENT ON COLUMN memory.fact_embeddings.object_key IS 'As in memory.facts.';
COMMENT ON COLUMN memory.fact_embeddings.model IS 'The embedding model. Vectors of different models are never compared. Default: the setting memory.embedding_model.';
COMMENT ON COLUMN memory.fact_embeddings.embedding IS 'The vector.';
)sql"},
    {Makes::primary_key, "fact_embeddings", "fact_embeddings_pkey", R"sql(
ALTER TABLE memory.fact_embeddings ADD PRIMARY KEY (namespace, user_id, subject_key, predicate, object_key, model);
COMMENT ON INDEX memory.fact_embeddings_pkey IS 'The vectors of what a fact says.';
)sql"},
    {Makes::column_default, "fact_embeddings", "model",
     "ALTER TABLE memory.fact_embeddings ALTER model SET DEFAULT memory.default_model()"},
    {Makes::trigger, "fact_embeddings", "memory_dimensions_fit", R"sql(
CREATE TRIGGER memory_dimensions_fit
    AFTER INSERT OR UPDATE OF model, embedding ON memory.fact_embeddings
    FOR EACH ROW WHEN (NOT memory.fits_model(NEW.model, NEW.embedding))
    EXECUTE FUNCTION memory.refuse_embedding();
COMMENT ON TRIGGER memory_dimensions_fit ON memory.fact_embeddings IS 'Refuses vectors of other dimensions than their model has.';
)sql"},
    {Makes::table, nullptr, "rejections", R"sql(
CREATE TABLE memory.rejections (
    namespace text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    subject_key text COLLATE "C" NOT NULL,
    predicate text COLLATE "C" NOT NULL,
    object_key text COLLATE "C" NOT NULL,
    subject text NOT NULL,
    object text NOT NULL,
    reason text,
    rejected_at timestamptz NOT NULL
);
COMMENT ON TABLE memory.rejections IS 'Facts that memory.reject_fact keeps out until they are asserted with metadata.override or corrected.';
COMMENT ON COLUMN memory.rejections.namespace IS 'As in memory.facts.';
COMMENT ON COLUMN memory.rejections.user_id IS 'As in memory.facts.';
COMMENT ON COLUMN memory.rejections.subject_key IS 'As in memory.facts.';
COMMENT ON COLUMN memory.rejections.predicate IS 'As in memory.facts.';
COMMENT ON COLUMN memory.rejections.object_key IS 'As in memory.facts.';
COMMENT ON COLUMN memory.rejections.subject IS 'As it was written.';
COMMENT ON COLUMN memory.rejections.object IS 'As it was written.';
COMMENT ON COLUMN memory.rejections.reason IS 'Why, in the caller''s words.';
COMMENT ON COLUMN memory.rejections.rejected_at IS 'When.';
)sql"},
    {Makes::primary_key, "rejections", "rejections_pkey", R"sql(
ALTER TABLE memory.rejections ADD PRIMARY KEY (namespace, user_id, subject_key, predicate, object_key);
COMMENT ON INDEX memory.rejections_pkey IS 'What is kept out of a line.';
)sql"},
    {Makes::table, nullptr, "entity_aliases", R"sql(
CREATE TABLE memory.entity_aliases (
    namespace text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    alias_key text COLLATE "C" NOT NULL,
    kept_key text COLLATE "C" NOT NULL,
    alias text NOT NULL,
    kept text NOT NULL,
    CONSTRAINT alias_of_another CHECK (alias_key <> kept_key)
);
COMMENT ON TABLE memory.entity_aliases IS 'Other names of entities, as memory.merge_entities was told. A kept name is never an alias itself.';
COMMENT ON COLUMN memory.entity_aliases.namespace IS 'As in memory.facts.';
COMMENT ON COLUMN memory.entity_aliases.user_id IS 'As in memory.facts.';
COMMENT ON COLUMN memory.entity_aliases.alias_key IS 'The normal form of alias.';
COMMENT ON COLUMN memory.entity_aliases.kept_key IS 'The normal form of kept.';
COMMENT ON COLUMN memory.entity_aliases.alias IS 'The other name.';
COMMENT ON COLUMN memory.entity_aliases.kept IS 'The name that the graph shows.';
)sql"},
    {Makes::primary_key, "entity_aliases", "entity_aliases_pkey", R"sql(
ALTER TABLE memory.entity_aliases ADD PRIMARY KEY (namespace, user_id, alias_key);
COMMENT ON INDEX memory.entity_aliases_pkey IS 'What an alias stands for.';
)sql"},
    {Makes::index, "entity_aliases", "entity_aliases_by_kept", R"sql(
CREATE INDEX entity_aliases_by_kept ON memory.entity_aliases (namespace, user_id, kept_key);
COMMENT ON INDEX memory.entity_aliases_by_kept IS 'All names of an entity.';
)sql"},
};

constexpr setup::Table tables[] = {
    {"predicates", Belongs::to_all, "predicate inverse"},
    {"timelines", Belongs::to_users, "subject_key predicate slot"},
    {"facts", Belongs::to_users,
     "subject_key predicate object_key subject object metadata statement",
     "one\\_belief\\_at\\_a\\_time"},
    {"fact_sources", Belongs::to_users},
    {"fact_embeddings", Belongs::to_users, "subject_key predicate object_key embedding"},
    {"rejections", Belongs::to_users, "subject_key predicate object_key subject object reason"},
    {"entity_aliases", Belongs::to_users, "alias_key kept_key alias kept"},
};

} // namespace

setup::Room room() { return {steps, tables}; }

} // namespace memory::facts
