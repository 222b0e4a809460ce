// One episode on its way into memory: what a caller gave, checked and completed.
#pragma once

#include "access/call.h"
#include "episodes/settings.h"
#include "models/comparison.h"
#include "models/tasks.h"

namespace memory::episodes {

// The columns of memory.episodes that a caller may give. What is not held by value belongs to the
// caller's memory context.
struct Episode {
    access::Tenant tenant;
    std::optional<pg_uuid_t> id;
    std::string_view content;
    std::optional<std::string_view> response;
    std::optional<std::string_view> session_id;
    std::optional<std::string_view> agent_id;
    std::string_view kind = "episodic";
    std::optional<std::string_view> role;
    std::optional<pg::Document> metadata;
    double importance = 1;
    std::optional<pg::Instant> occurred_at; // now() without
    std::optional<Interval> ttl;
    const pg::Vector *embedding = nullptr;
    std::optional<std::string_view> model; // that embedding is by; else the one in use
    std::optional<pg::Document> transcript;
    bool of_message = false; // and expires with it
};

// An error when the texts are over memory.max_content or both missing.
void check_texts(const pg::Given<std::string_view> &content,
                 const pg::Given<std::string_view> &response);

// The fields of remember()'s arguments, or of an element of remember_many()'s, but for its user.
// What is not given is a scope's own is the settings'.
template <class Fields>
Episode read_episode(const Fields &given) {
    check_texts(given.text("content"), given.text("response"));
    Episode episode;
    episode.id = given.uuid("id");
    episode.content = given.text("content").or_else("");
    episode.response = given.text("response");
    episode.session_id = given.text("session_id").not_empty().at_most(access::longest_name);
    episode.agent_id = given.text("agent_id").at_most(access::longest_id);
    if (!episode.agent_id)
        episode.agent_id = access::agent_setting();
    episode.kind = given.text("kind").not_empty().or_else(episode.kind);
    episode.role = given.text("role");
    episode.metadata = given.json("metadata").object();
    episode.importance = given.real("importance").between(0, 1).or_else(episode.importance);
    episode.occurred_at = given.instant("occurred_at").finite();
    episode.ttl = given.interval("ttl").positive();
    episode.embedding = models::checked_embedding(given.vector("embedding"));
    episode.model = models::named_model(given.text("model"));
    episode.transcript = given.json("transcript");
    return episode;
}

// Writes a checked episode under an id that pg::new_id() has just made. Needs a live Spi, as what
// follows.
void store_new(const Episode &episode, const pg_uuid_t &id);

// The same under the id that the episode has. One that this tenant has already is replaced whole.
void store_or_replace(const Episode &episode);

// Gives an episode another text, and keeps the one before. False when there is no such episode.
bool revise(const access::Tenant &tenant, const pg_uuid_t &id, std::string_view content,
            std::optional<std::string_view> response);

// Deletes episodes, and by the trigger of their table the messages of their ids.
void erase(const access::Tenant &tenant, std::span<const pg_uuid_t> ids);

} // namespace memory::episodes
