// Statements of the contract of docs/jobs.md. Vectors go as binary values, results in a pipeline: a
// batch costs one round trip and one commit.
#include "worker/database.h"

#include "worker/protocol/lenient_json.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

namespace memory::worker {

namespace {

constexpr const char *claim_statement = R"(
    SELECT j.id, j.task, j.thing || coalesce(' ' || j.target, ''), j.model, j.url, j.options,
           j.dimensions, j.payload, j.attempts
    FROM memory.next_jobs($1, $2, $3) j)";
constexpr const char *finish_statement = "SELECT memory.finish_job($1, $2, $3)";
constexpr const char *fail_statement = "SELECT memory.fail_job($1, $2, $3)";
constexpr const char *finish_name = "finish";

std::string without_line_end(const char *message) {
    std::string text = message == nullptr ? "" : message;
    while (text.ends_with('\n'))
        text.pop_back();
    return text;
}

// In the order of a network, as pgvector receives a vector: two 16-bit numbers, of which the second
// is 0, and the elements.
std::string binary_of(const std::vector<float> &vector) {
    std::string bytes(4 + 4 * vector.size(), '\0');
    const auto put = [&bytes](std::size_t at, std::uint32_t word, std::size_t size) {
        for (std::size_t n = 0; n < size; ++n)
            bytes[at + n] = static_cast<char>(word >> (8 * (size - 1 - n)) & 0xFFU);
    };
    put(0, static_cast<std::uint32_t>(vector.size()), 2);
    for (std::size_t n = 0; n < vector.size(); ++n)
        put(4 + 4 * n, std::bit_cast<std::uint32_t>(vector[n]), 4);
    return bytes;
}

std::string array_of(const std::vector<std::string> &words) {
    std::string array = "{";
    for (const std::string &word : words)
        array += (array.size() > 1 ? "," : "") + word;
    return array + "}";
}

std::string interval_of(std::chrono::milliseconds time) {
    return std::to_string(time.count()) + " ms";
}

std::string text_at(const PGresult *rows, int row, int column) {
    return {PQgetvalue(rows, row, column),
            static_cast<std::size_t>(PQgetlength(rows, row, column))};
}

std::optional<int> number_at(const PGresult *rows, int row, int column) {
    int number = 0;
    const char *text = PQgetvalue(rows, row, column);
    const auto read = std::from_chars(text, text + PQgetlength(rows, row, column), number);
    return PQgetisnull(rows, row, column) != 0 || read.ec != std::errc() ? std::nullopt
                                                                         : std::optional(number);
}

Job job_at(const PGresult *rows, int row) {
    Job job;
    job.id = text_at(rows, row, 0);
    const auto task = task_named(text_at(rows, row, 1));
    if (!task)
        throw std::runtime_error("a job is of a task that this version does not know");
    job.task = *task;
    job.about = text_at(rows, row, 2);
    job.model = text_at(rows, row, 3);
    job.url = text_at(rows, row, 4);
    job.options = text_at(rows, row, 5);
    job.dimensions = number_at(rows, row, 6);
    job.payload = text_at(rows, row, 7);
    job.failures = std::max(0, number_at(rows, row, 8).value_or(1) - 1);
    if (job.task == Task::embed) {
        const nlohmann::json payload = read_exactly(job.payload);
        for (const nlohmann::json &text : part_of(payload, "texts"))
            job.texts.push_back(text.get<std::string>());
        job.payload.clear();
    }
    return job;
}

} // namespace

Database::Database(const std::string &connection) {
    const std::array keywords{"connect_timeout",
                              "fallback_application_name",
                              "keepalives_idle",
                              "tcp_user_timeout",
                              "dbname",
                              "client_encoding",
                              static_cast<const char *>(nullptr)};
    const std::array values{"10",
                            "memory-worker",
                            "60",
                            "60000",
                            connection.c_str(),
                            "UTF8",
                            static_cast<const char *>(nullptr)};
    constexpr int expand_dbname = 1;
    connection_.reset(PQconnectdbParams(keywords.data(), values.data(), expand_dbname));
    if (!connection_)
        throw std::bad_alloc();
    if (PQstatus(connection_.get()) != CONNECTION_OK)
        throw NotConnected(without_line_end(PQerrorMessage(connection_.get())));
    PQsetNoticeReceiver(connection_.get(), &Database::receive_notice, this);
    const Rows version = run("SELECT 1 FROM pg_catalog.pg_extension WHERE extname = 'memory'", {});
    if (PQntuples(version.get()) == 0)
        throw Refused("42704", std::string("database \"") + PQdb(connection_.get()) +
                                   "\" does not have the extension memory: CREATE EXTENSION "
                                   "memory CASCADE");
    prepare();
}

void Database::prepare() {
    checked(Rows(PQprepare(connection_.get(), finish_name, finish_statement, 0, nullptr)));
}

Database::Rows Database::checked(Rows rows) const {
    const ExecStatusType status = PQresultStatus(rows.get());
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
        return rows;
    const std::string message = without_line_end(PQerrorMessage(connection_.get()));
    if (PQstatus(connection_.get()) == CONNECTION_BAD)
        throw NotConnected(message);
    const char *state = PQresultErrorField(rows.get(), PG_DIAG_SQLSTATE);
    const char *primary = PQresultErrorField(rows.get(), PG_DIAG_MESSAGE_PRIMARY);
    const std::string_view of_state = state == nullptr ? "" : state;
    // The server ends this session: an administrator's command, a crash, a shutdown.
    if (of_state.starts_with("57P"))
        throw NotConnected(message);
    throw Refused(of_state, primary == nullptr ? message : primary);
}

Database::Rows Database::run(const char *statement, const Parameters &parameters) {
    std::vector<const char *> values;
    for (const auto &parameter : parameters)
        values.push_back(parameter ? parameter->c_str() : nullptr);
    return checked(Rows(PQexecParams(connection_.get(), statement, static_cast<int>(values.size()),
                                     nullptr, values.data(), nullptr, nullptr, 0)));
}

// "2 of 7 facts were dropped: …"
void Database::note(const PGresult *notice) {
    const char *message = PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
    const std::string_view text = message == nullptr ? "" : message;
    std::uint64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec == std::errc() && text.find("dropped") != std::string_view::npos)
        dropped_ += number;
}

void Database::receive_notice(void *database, const PGresult *notice) {
    static_cast<Database *>(database)->note(notice);
}

std::vector<Job> Database::claim(std::size_t most, const std::vector<std::string> &tasks,
                                 std::chrono::seconds lease) {
    constexpr std::size_t most_at_once = 1000;
    const auto began = Job::Clock::now();
    const Rows rows =
        run(claim_statement,
            {std::to_string(std::min(most, most_at_once)),
             tasks.empty() ? std::nullopt : std::optional(array_of(tasks)), interval_of(lease)});
    std::vector<Job> jobs;
    for (int row = 0; row < PQntuples(rows.get()); ++row) {
        jobs.push_back(job_at(rows.get(), row));
        jobs.back().lease_end = began + lease;
    }
    return jobs;
}

void Database::send(const Finish &finish) {
    const std::string binary = binary_of(finish.embedding);
    const bool has_embedding = !finish.embedding.empty();
    const std::array values{finish.job->id.c_str(), has_embedding ? nullptr : finish.result.c_str(),
                            has_embedding ? binary.data() : nullptr};
    const std::array lengths{0, 0, static_cast<int>(binary.size())};
    constexpr std::array formats{0, 0, 1};
    if (PQsendQueryPrepared(connection_.get(), finish_name, 3, values.data(), lengths.data(),
                            formats.data(), 0) == 0)
        throw NotConnected(without_line_end(PQerrorMessage(connection_.get())));
}

std::vector<Database::Rows> Database::pipeline_answers(std::size_t statements) {
    std::vector<Rows> answers;
    while (answers.size() < statements) {
        Rows rows(PQgetResult(connection_.get()));
        if (PQstatus(connection_.get()) == CONNECTION_BAD)
            throw NotConnected(without_line_end(PQerrorMessage(connection_.get())));
        if (rows) // between two statements there is a null
            answers.push_back(std::move(rows));
    }
    for (Rows sync(PQgetResult(connection_.get()));
         PQresultStatus(sync.get()) != PGRES_PIPELINE_SYNC;
         sync.reset(PQgetResult(connection_.get()))) {
        if (PQstatus(connection_.get()) == CONNECTION_BAD)
            throw NotConnected(without_line_end(PQerrorMessage(connection_.get())));
    }
    return answers;
}

std::vector<Finished> Database::finish_together(std::span<const Finish> jobs) {
    PGconn *connection = connection_.get();
    if (PQenterPipelineMode(connection) == 0)
        throw NotConnected(without_line_end(PQerrorMessage(connection)));
    for (const Finish &job : jobs)
        send(job);
    if (PQpipelineSync(connection) == 0)
        throw NotConnected(without_line_end(PQerrorMessage(connection)));
    const std::vector<Rows> answers = pipeline_answers(jobs.size());
    PQexitPipelineMode(connection);
    std::vector<Finished> finished;
    for (const Rows &rows : answers) {
        if (PQresultStatus(rows.get()) != PGRES_TUPLES_OK)
            return {};
        const bool is_stored = text_at(rows.get(), 0, 0) == "t";
        finished.push_back({is_stored ? Finished::How::stored : Finished::How::voided, {}});
    }
    return finished;
}

Finished Database::finish_alone(const Finish &finish) {
    constexpr int most_tries = 5;
    for (int tries = 1;; ++tries) {
        try {
            send(finish);
            Rows rows(PQgetResult(connection_.get()));
            while (const Rows rest{PQgetResult(connection_.get())})
                continue;
            rows = checked(std::move(rows));
            const bool is_stored = text_at(rows.get(), 0, 0) == "t";
            return {is_stored ? Finished::How::stored : Finished::How::voided, {}};
        } catch (const Refused &refused) {
            if (!refused.is_passing() || tries == most_tries)
                return {Finished::How::refused, refused.what()};
        }
    }
}

std::vector<Finished> Database::finish(std::span<const Finish> jobs) {
    if (jobs.size() > 1) {
        const std::uint64_t dropped = dropped_;
        std::vector<Finished> together = finish_together(jobs);
        if (!together.empty())
            return together;
        dropped_ = dropped; // what the transaction said is undone with it
    }
    std::vector<Finished> finished;
    for (const Finish &job : jobs)
        finished.push_back(finish_alone(job));
    return finished;
}

void Database::fail(const Job &job, const std::string &error,
                    std::optional<std::chrono::milliseconds> retry_in) {
    run(fail_statement, {job.id, error.empty() ? "unknown" : error,
                         retry_in ? std::optional(interval_of(*retry_in)) : std::nullopt});
}

bool Database::listen() {
    const Rows setting = run("SELECT pg_catalog.current_setting('memory.notify_jobs', true)", {});
    if (text_at(setting.get(), 0, 0) != "on")
        return false;
    run("LISTEN memory_jobs", {});
    return true;
}

bool Database::is_told() {
    if (PQconsumeInput(connection_.get()) == 0)
        throw NotConnected(without_line_end(PQerrorMessage(connection_.get())));
    bool is_told = false;
    while (PGnotify *notification = PQnotifies(connection_.get())) {
        PQfreemem(notification);
        is_told = true;
    }
    return is_told;
}

std::string Database::choose(const std::string &model, const std::string &url) {
    const Rows used = run("SELECT u.model FROM memory.used_models() u, memory.scope() s "
                          "WHERE u.task = 'embed' AND u.namespace = s.namespace",
                          {});
    if (PQntuples(used.get()) > 0)
        return text_at(used.get(), 0, 0);
    run("SELECT memory.use_model('embed', $1, $2)",
        {model, url.empty() ? std::nullopt : std::optional(url)});
    return model;
}

} // namespace memory::worker
