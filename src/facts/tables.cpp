// Facts, the lines that their writers queue on, and what belongs to them (docs/facts.md).
//
// Without statistics the planner takes every index that begins with the tenant for equally good, so
// that a backend which plans on empty tables could read all of a user's facts for each lookup.
// Therefore indexes beside the primary key begin with what they are for; facts_by_knowledge, which
// is read without the planner, has a condition that all rows meet and no statement names.
#include "facts/tables.h"

#include "episodes/sql.h"
#include "models/columns.h"
#include "pg/statement.h"

namespace memory::facts {

namespace {

using episodes::operator""_sql;
using schema::Column;
using schema::Holds;
using schema::Part;
using schema::Rows;
using schema::Table;
using schema::Type;

constexpr Column subject_key{"subject_key", Type::name, "NOT NULL", "The normal form of subject.",
                             Holds::words};
constexpr Column predicate{"predicate", Type::name, "NOT NULL", "In its normal form.",
                           Holds::words};
constexpr Column object_key{"object_key", Type::name, "NOT NULL",
                            "The normal form of object, shortened by a hash when it is long.",
                            Holds::words};
constexpr Column subject{"subject", Type::text, "NOT NULL", "As first written.", Holds::words};
constexpr Column object{"object", Type::text, "NOT NULL", "As first written.", Holds::words};

constexpr Column predicate_columns[] = {
    predicate,
    {"cardinality", Type::name, "NOT NULL DEFAULT 'one'",
     "one: a subject has one object at a time; many: any number."},
    {"inverse", Type::name, "", "What the predicate is called when it is followed from the object.",
     Holds::words},
};

constexpr Column timeline_columns[] = {
    subject_key,
    predicate,
    {"slot", Type::name, "NOT NULL",
     "The object_key where the predicate is many-valued, else empty.", Holds::words},
    {"line", Type::int8, "NOT NULL",
     "What memory.facts knows it by: random, and unique within the user.", Holds::keys,
     "memory_internal.default_line()"},
    {"last_known", Type::instant, "NOT NULL",
     "Transaction time of the last change; the next one is later."},
    {"changes", Type::int8, "NOT NULL", "How often a writer has had this line."},
    {"has_rejections", Type::flag, "NOT NULL DEFAULT false",
     "Whether memory.rejections may have rows about it."},
};

constexpr Column fact_columns[] = {
    {"id", Type::uuid, "NOT NULL", "UUIDv7, or the caller's own; of this version.", Holds::keys,
     "memory_internal.default_id()"},
    {"line", Type::int8, "NOT NULL", "The line in memory.timelines, of the same user."},
    {"valid_from", Type::instant, "NOT NULL", "Since when it is true; it may be -infinity."},
    {"valid_until", Type::instant, "NOT NULL DEFAULT 'infinity'",
     "From then on it is not true any more; infinity: no end is known."},
    {"known_from", Type::instant, "NOT NULL", "Since when this is believed."},
    {"known_until", Type::instant, "NOT NULL DEFAULT 'infinity'",
     "From then on something else was believed; infinity: this is current."},
    {"confidence", Type::float8, "NOT NULL DEFAULT 1.0", "Between 0 and 1."},
    subject_key,
    predicate,
    object_key,
    subject,
    object,
    {"metadata", Type::jsonb, "NOT NULL DEFAULT '{}'", "A JSON object of the application's.",
     Holds::words},
    {"statement", Type::text,
     "NOT NULL GENERATED ALWAYS AS"
     " (subject || ' ' || replace(predicate, '_', ' ') || ' ' || object) STORED",
     "The text by which it is recalled.", Holds::words},
};

constexpr Part fact_indexes[] = {
    {"facts_by_subject",
     "(subject_key, user_id, namespace, predicate, known_until, valid_until, object_key)",
     "What is said of a subject; the current facts of a line side by side."},
    {"facts_by_object", "(object_key, user_id, namespace, known_until)",
     "What is said with an object; the way back in the graph."},
    {"facts_by_line", "(line, user_id, namespace)",
     "All versions on a line, which must go before the line does."},
    {"facts_by_knowledge",
     "(namespace, user_id, known_until, known_from) WHERE known_from < known_until",
     "What has begun and ended since a time, for searches among what was held then."},
    {"facts_by_text", "USING recall (namespace, user_id, statement) WHERE known_until = 'infinity'",
     "Ranks the current facts of a user by what they say."},
};

constexpr Part fact_triggers[] = {
    {"memory_vector_made",
     "AFTER INSERT ON {table} FOR EACH ROW WHEN (memory_internal.embeds_here(NEW.namespace))"
     " EXECUTE FUNCTION memory_internal.embed_fact()",
     "Embeds what facts say where the namespace's model is the database's own (memory.use_model)."},
    {"memory_jobs_queued",
     "AFTER INSERT ON {table} FOR EACH ROW WHEN (memory_internal.asks_models(NEW.namespace))"
     " EXECUTE FUNCTION memory_internal.queue_fact()",
     "Queues the vectors of what facts say, by models outside of the database "
     "(memory.use_model)."},
};

constexpr Column source_columns[] = {
    {"fact_id", Type::uuid, "NOT NULL", "The version."},
    {"episode_id", Type::uuid, "NOT NULL", "The episode."},
};

constexpr Column embedding_columns[] = {subject_key, predicate, object_key, models::model_column,
                                        models::vector_column};

constexpr Part embedding_indexes[] = {models::codes_named("fact_embeddings_by_code")};

constexpr Column rejection_columns[] = {
    subject_key,
    predicate,
    object_key,
    {"subject", Type::text, "NOT NULL", "As it was written.", Holds::words},
    {"object", Type::text, "NOT NULL", "As it was written.", Holds::words},
    {"reason", Type::text, "", "Why, in the caller's words.", Holds::words},
    {"rejected_at", Type::instant, "NOT NULL", "When."},
};

constexpr Column alias_columns[] = {
    {"alias_key", Type::name, "NOT NULL", "The normal form of alias.", Holds::words},
    {"kept_key", Type::name, "NOT NULL", "The normal form of kept.", Holds::words},
    {"alias", Type::text, "NOT NULL", "The other name.", Holds::words},
    {"kept", Type::text, "NOT NULL", "The name that the graph shows.", Holds::words},
};

constexpr Part timeline_constraints[] = {
    {"timelines_user_line_key", "UNIQUE (line, user_id, namespace)",
     "One line by its number, within its user."},
};

constexpr Part fact_constraints[] = {
    {"line_of_the_user",
     "FOREIGN KEY (namespace, user_id, line)"
     " REFERENCES memory.timelines{part} (namespace, user_id, line) DEFERRABLE",
     "A line is of the fact's own user, and stays while a version is on it."},
    {"one_belief_at_a_time",
     "EXCLUDE USING gist"
     " (memory_internal.stretch(namespace, user_id, line, valid_from, valid_until) WITH "
     "OPERATOR(memory_internal.&&))"
     " WHERE (known_until = 'infinity')",
     "Proves that current facts of a line of a user do not overlap."},
};

constexpr Part source_constraints[] = {
    {"fact_sources_namespace_user_id_fact_id_fkey",
     "FOREIGN KEY (namespace, user_id, fact_id) REFERENCES memory.facts ON DELETE CASCADE",
     "Sources go with their version."},
    {"fact_sources_namespace_user_id_episode_id_fkey",
     "FOREIGN KEY (namespace, user_id, episode_id) REFERENCES memory.episodes ON DELETE CASCADE",
     "A source goes with its episode."},
};

constexpr Part source_indexes[] = {
    {"fact_sources_by_episode", "USING hash (episode_id)", "What comes from an episode."},
};

constexpr Part alias_indexes[] = {
    {"entity_aliases_by_kept", "(namespace, user_id, kept_key)", "All names of an entity."},
};

constexpr Table tables[] = {
    {
        .name = "timelines",
        .rows = Rows::of_users,
        .comment = "Lines of valid time: one for each subject and predicate; for each object, too, "
                   "where the predicate is many-valued. Writers of a line queue on its row.",
        .columns = timeline_columns,
        .key = "subject_key, predicate, slot",
        .key_comment = "One line by what it is about.",
        .storage = "WITH (fillfactor = 80)",
        .constraints = timeline_constraints,
        .forgotten_when = "NOT EXISTS (SELECT FROM memory.facts f"
                          " WHERE {tenant:f} AND f.line = t.line)"_sql.text,
    },
    {
        .name = "predicates",
        .rows = Rows::of_namespaces,
        .comment = "Predicates that memory.define_predicate was called for; others are one-valued.",
        .columns = predicate_columns,
        .key = "predicate",
        .key_comment = "One predicate by its name.",
        .rules = ", CONSTRAINT cardinality_one_or_many CHECK (cardinality IN ('one', 'many'))",
        .shown = "EXISTS (SELECT FROM memory.timelines l"
                 " WHERE {tenant:l} AND l.predicate = t.predicate)"_sql.text,
    },
    // Before the versions, as forget_user goes backwards: the vector of a fact that is asserted
    // meanwhile goes if the fact does.
    {
        .name = "fact_embeddings",
        .rows = Rows::of_users,
        .comment = "Vectors of what facts say, one per embedding model; the same for every version "
                   "that says it.",
        .columns = embedding_columns,
        .key = "subject_key, predicate, object_key, model",
        .key_comment = "The vectors of what a fact says.",
        .storage = models::inline_vectors,
        .indexes = embedding_indexes,
        .triggers = models::vector_triggers,
        .forgotten_when =
            "NOT EXISTS (SELECT FROM memory.facts f"
            " WHERE {tenant:f} AND f.subject_key = t.subject_key"
            " AND f.predicate = t.predicate AND f.object_key = t.object_key)"_sql.text,
    },
    {
        .name = "facts",
        .rows = Rows::of_users,
        .comment =
            "Every version of every fact: what was valid when, as it was known when. Written "
            "by memory.assert_fact and its kin.",
        .columns = fact_columns,
        .key = "id",
        .key_comment = "One version by its id, within its user.",
        .rules = R"(,
    CONSTRAINT names_not_empty CHECK ('' <> ALL (ARRAY[namespace, subject_key, predicate, object_key])),
    CONSTRAINT valid_for_some_time CHECK (valid_from < valid_until),
    CONSTRAINT known_for_some_time CHECK (known_from < known_until),
    CONSTRAINT confidence_between_0_and_1 CHECK (confidence >= '0'::float8 AND confidence <= '1'::float8),
    CONSTRAINT metadata_is_object CHECK (jsonb_typeof(metadata) = 'object'))",
        .indexes = fact_indexes,
        .constraints = fact_constraints,
        .triggers = fact_triggers,
        .word_indexes = "one\\_belief\\_at\\_a\\_time%",
    },
    {
        .name = "fact_sources",
        .rows = Rows::of_users,
        .comment = "The episodes that versions of facts come from. Deleting an episode removes it "
                   "here.",
        .columns = source_columns,
        .key = "fact_id, episode_id",
        .key_comment = "The sources of a version.",
        .indexes = source_indexes,
        .constraints = source_constraints,
        .shown = R"(EXISTS (SELECT FROM memory.episodes e
            WHERE {tenant:e} AND e.id = t.episode_id AND {not_expired:e}))"_sql.text,
        .of = schema::Of::episode,
    },
    {
        .name = "rejections",
        .rows = Rows::of_users,
        .comment = "Facts that memory.reject_fact keeps out until they are asserted with "
                   "metadata.override or corrected.",
        .columns = rejection_columns,
        .key = "subject_key, predicate, object_key",
        .key_comment = "What is kept out of a line.",
    },
    {
        .name = "entity_aliases",
        .rows = Rows::of_users,
        .comment = "Other names of entities, as memory.merge_entities was told. A kept name is "
                   "never an alias itself.",
        .columns = alias_columns,
        .key = "alias_key",
        .key_comment = "What an alias stands for.",
        .rules = ", CONSTRAINT alias_of_another CHECK (alias_key <> kept_key)",
        .indexes = alias_indexes,
    },
};

// Of any user.
MEMORY_STATEMENT(find_named_user, "{named_user:timelines}"_sql);

} // namespace

constinit const schema::Room room{"facts", tables, nullptr, &find_named_user};

} // namespace memory::facts
