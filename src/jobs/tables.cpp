// What waits for a model, and how much is done (docs/jobs.md).
//
// A row of memory.jobs lives for moments: it is inserted by a write, updated by a claim, deleted
// with the answer. A claim changes nothing that is in an index, so that its update stays in the
// page: the fillfactor leaves room for one of each row, as a transaction may claim all rows of a
// page. The table is vacuumed by how many rows have gone, not by what part of it.
#include "jobs/tables.h"

#include "jobs/settings.h"

namespace memory::jobs {

namespace {

using schema::Column;
using schema::Holds;
using schema::Part;
using schema::Rows;
using schema::Table;
using schema::Type;

constexpr Column job_columns[] = {
    {"task", Type::name, "NOT NULL", "What is to be done: embed, extract, summarize or profile."},
    {"thing", Type::name, "NOT NULL",
     "What it is about: an episode, fact, item or session; episodes, facts or items: all of them, "
     "to be looked through for those without a vector."},
    {"target", Type::uuid, "NOT NULL",
     "The id of the episode, fact or item, the key of the session; how far all have been looked "
     "through."},
    {"due_at", Type::instant, "NOT NULL DEFAULT now()",
     "From when on it may be claimed; infinity: it has failed, or an episode waits for others "
     "before a profile is made of them."},
    {"attempts", Type::int4, "NOT NULL DEFAULT 0", "How often it was claimed; 8 at most."},
    {"leased_until", Type::instant, "", "Until then it is a worker's. NULL: it may be claimed."},
    {"token", Type::int8, "", "Of the claim, a part of its id.", Holds::payload},
    {"digest", Type::int8, "", "Of what the model was given, by this claim.", Holds::payload},
    {"upto", Type::int8, "", "The number of the last message that the model was given.",
     Holds::payload},
    {"covers", Type::uuids, "", "The episodes that the model was given for a profile.",
     Holds::payload},
    {"error", Type::text, "", "Why the last attempt failed.", Holds::words},
};

constexpr Part job_indexes[] = {
    {"jobs_due", "(task, due_at, target)", "What is due, the oldest first; and a claim by its id."},
};

constexpr Column count_columns[] = {
    {"task", Type::name, "NOT NULL", "What was done."},
    {"shard", Type::int4, "NOT NULL",
     "One of 16: backends count side by side, and do not wait for each other."},
    {"done", Type::int8, "NOT NULL", "How many jobs are done."},
    {"dropped", Type::int8, "NOT NULL",
     "How many facts of models' answers were left out: malformed, or too many."},
};

constexpr Table tables[] = {
    {
        .name = "jobs",
        .rows = Rows::of_users,
        .comment = "What a model is to make of memories: queued by the write that makes it "
                   "necessary, deleted when it is done.",
        .columns = job_columns,
        .key = "task, thing, target",
        .key_comment = "One job for each task of a thing.",
        .storage = "WITH (fillfactor = 45, autovacuum_vacuum_scale_factor = 0,"
                   " autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0,"
                   " autovacuum_analyze_threshold = 20000)",
        .indexes = job_indexes,
        .shown = "false", // it is no memory: where a user is moved to, writes queue their own
    },
    {
        .name = "job_counts",
        .rows = Rows::of_namespaces,
        .comment = "How many jobs are done.",
        .columns = count_columns,
        .key = "task, shard",
        .key_comment = "One count of a task and shard.",
        .storage = "WITH (fillfactor = 30, autovacuum_vacuum_scale_factor = 0,"
                   " autovacuum_vacuum_threshold = 1000)",
    },
};

} // namespace

constinit const schema::Room room{"jobs", tables, define_settings};

} // namespace memory::jobs
