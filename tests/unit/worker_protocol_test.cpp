// When and where a worker asks: waiting, addresses, batches, options, counters.
#include "worker/protocol/backoff.h"
#include "worker/protocol/batches.h"
#include "worker/protocol/breaker.h"
#include "worker/protocol/metrics.h"
#include "worker/protocol/options.h"
#include "worker/protocol/retry_after.h"
#include "worker/protocol/target.h"
#include "worker/protocol/verdict.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

using namespace memory::worker;
using namespace std::chrono_literals;

TEST(Backoff, DoublesUpToItsMost) {
    Backoff backoff(50ms, 300ms);
    EXPECT_EQ(backoff.next(), 50ms);
    EXPECT_EQ(backoff.next(), 100ms);
    EXPECT_EQ(backoff.next(), 200ms);
    EXPECT_EQ(backoff.next(), 300ms);
    EXPECT_EQ(backoff.next(), 300ms);
    backoff.reset();
    EXPECT_EQ(backoff.next(), 50ms);
}

constexpr std::chrono::sys_seconds now =
    std::chrono::sys_days(std::chrono::year(1994) / 11 / 6) + 8h + 49min + 37s;

TEST(RetryAfter, IsSecondsOrADate) {
    EXPECT_EQ(parse_retry_after("7", now), 7s);
    EXPECT_EQ(parse_retry_after(" 0.25\r\n", now), 250ms);
    EXPECT_EQ(parse_retry_after("0", now), 0s);
    EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1994 08:50:00 GMT", now), 23s);
    EXPECT_EQ(parse_retry_after("Sun Nov  6 08:50:00 1994", now), 23s);
    EXPECT_EQ(parse_retry_after("Sunday, 06-Nov-94 08:49:37 GMT", now), 24h);
}

TEST(RetryAfter, IsBetweenNothingAndADay) {
    EXPECT_EQ(parse_retry_after("1e9", now), std::nullopt);
    EXPECT_EQ(parse_retry_after("99999999999999999999", now), 24h);
    EXPECT_EQ(parse_retry_after("inf", now), 24h);
    EXPECT_EQ(parse_retry_after("Sun, 06 Nov 1993 08:50:00 GMT", now), 0s);
}

TEST(RetryAfter, IsNothingWhereItIsNeither) {
    for (const char *value :
         {"", " ", "soon", "-1", "nan", "1 s", "Sun, 31 Feb 1994 08:50:00 GMT", "Sun, 06 Nov",
          "Sun, 06 Nov 1994 25:50:00 GMT", "Sun Foo  6 08:50:00 1994", ","})
        EXPECT_EQ(parse_retry_after(value, now), std::nullopt) << value;
}

TEST(Verdict, TellsWhatMayPassFromWhatWillNot) {
    EXPECT_EQ(verdict_of(200), Verdict::answered);
    EXPECT_EQ(verdict_of(429), Verdict::wait);
    EXPECT_EQ(verdict_of(503), Verdict::wait);
    EXPECT_EQ(verdict_of(500), Verdict::passing);
    EXPECT_EQ(verdict_of(408), Verdict::passing);
    EXPECT_EQ(verdict_of(400), Verdict::refused);
    EXPECT_EQ(verdict_of(413), Verdict::refused);
    EXPECT_EQ(verdict_of(401), Verdict::forbidden);
    EXPECT_EQ(verdict_of(307), Verdict::forbidden);
}

TEST(Breaker, LeavesAServerAloneThatFailsInARow) {
    Breaker breaker;
    const Breaker::Clock::time_point start{};
    breaker.failed(start);
    breaker.failed(start);
    EXPECT_TRUE(breaker.lets_pass(start, 5));
    breaker.failed(start);
    EXPECT_FALSE(breaker.lets_pass(start + 499ms, 0));
    EXPECT_TRUE(breaker.lets_pass(start + 500ms, 0)) << "one to try";
    EXPECT_FALSE(breaker.lets_pass(start + 500ms, 1)) << "and not two";
    breaker.failed(start + 500ms);
    EXPECT_EQ(breaker.closes_at(), start + 1500ms);
    breaker.succeeded();
    EXPECT_TRUE(breaker.lets_pass(start + 1500ms, 5));
}

TEST(Breaker, WaitsAsLongAsTheServerAsks) {
    Breaker breaker;
    const Breaker::Clock::time_point start{};
    breaker.wait(start, 3s);
    breaker.wait(start, 1s);
    EXPECT_TRUE(breaker.is_open(start + 2999ms));
    EXPECT_TRUE(breaker.lets_pass(start + 3s, 5)) << "being busy is no failure";
    breaker.refused_all(start);
    EXPECT_EQ(breaker.closes_at(), start + 500ms);
    EXPECT_FALSE(breaker.lets_pass(start + 500ms, 1)) << "one to try";
}

TEST(Address, IsTakenApart) {
    const auto address = parse_address("HTTPS://Example.COM:8443/v1/?api-version=1#x");
    ASSERT_TRUE(address);
    EXPECT_TRUE(address->is_secure);
    EXPECT_EQ(address->host, "example.com");
    EXPECT_EQ(address->path, "/v1/");
    EXPECT_EQ(address->query, "api-version=1");
    EXPECT_EQ(address->origin, "HTTPS://Example.COM:8443");
    EXPECT_EQ(parse_address("http://[::1]:9/")->host, "::1");
    for (const char *none : {"", "ftp://a/", "http://", "http:///x", "http://u:p@a/", "http://a b/",
                             "http://a\\b/", "http://a/\n", "file:///etc/passwd"})
        EXPECT_FALSE(parse_address(none)) << none;
}

std::string endpoint(const char *url) { return endpoint_of(*parse_address(url), "embeddings"); }

TEST(Address, OfAnEndpointKeepsTheQuery) {
    EXPECT_EQ(endpoint("https://api.openai.com/v1"), "https://api.openai.com/v1/embeddings");
    EXPECT_EQ(endpoint("http://localhost:11434/v1/"), "http://localhost:11434/v1/embeddings");
    EXPECT_EQ(endpoint("http://a"), "http://a/embeddings");
    EXPECT_EQ(endpoint("http://a/v1/embeddings"), "http://a/v1/embeddings");
    EXPECT_EQ(endpoint("https://x.openai.azure.com/openai/deployments/d?api-version=2024-02-01"),
              "https://x.openai.azure.com/openai/deployments/d/embeddings?api-version=2024-02-01");
}

bool may_see(const char *url, const char *given = "", std::vector<std::string> hosts = {}) {
    return may_see_key(*parse_address(url), given, hosts);
}

TEST(Key, GoesOnlyWhereTheCommandLineOrItsNameSays) {
    EXPECT_TRUE(may_see("https://api.openai.com/v1"));
    EXPECT_TRUE(may_see("http://127.0.0.1:8000/v1"));
    EXPECT_TRUE(may_see("https://llm.example/v1", "https://llm.example/other"));
    EXPECT_TRUE(may_see("https://llm.example/v1", "", {"llm.example"}));
    EXPECT_FALSE(may_see("https://llm.example/v1"));
    EXPECT_FALSE(may_see("http://api.openai.com/v1")) << "in the clear";
    EXPECT_FALSE(may_see("https://api.openai.com.evil.example/v1"));
    EXPECT_FALSE(may_see("http://127.0.0.1.evil.example/v1"));
    EXPECT_FALSE(may_see("http://llm.example/v1", "https://llm.example/v1"));
}

TEST(Key, StandsInTheHeaderThatTheServerReads) {
    EXPECT_TRUE(has_api_key_header(*parse_address("https://x.openai.azure.com/openai/v1")));
    EXPECT_TRUE(has_api_key_header(*parse_address("http://127.0.0.1/d?a=1&api-version=2")));
    EXPECT_FALSE(has_api_key_header(*parse_address("https://api.openai.com/v1")));
}

// --- batches -------------------------------------------------------------------------------

std::size_t batch_of(const BatchLimits &limits, std::size_t bytes, std::vector<int> failures) {
    Batch<int> batch(limits);
    for (const int each : failures) {
        if (!batch.has_room_for(bytes, each))
            break;
        batch.add(0, bytes, each);
    }
    return std::move(batch).take().size();
}

TEST(Batch, IsFullByTextsOrBytes) {
    EXPECT_EQ(batch_of({.texts = 3, .bytes = 100}, 1, {0, 0, 0, 0}), 3U);
    EXPECT_EQ(batch_of({.texts = 9, .bytes = 100}, 40, {0, 0, 0, 0}), 2U);
    EXPECT_EQ(batch_of({.texts = 9, .bytes = 100}, 400, {0, 0}), 1U) << "a long text goes alone";
}

TEST(Batch, IsSmallerForWhatHasFailed) {
    EXPECT_EQ(batch_of({.texts = 8, .bytes = 100}, 1, {1, 1, 1, 1, 1}), 4U);
    EXPECT_EQ(batch_of({.texts = 8, .bytes = 100}, 1, {3, 0}), 1U);
    EXPECT_EQ(batch_of({.texts = 8, .bytes = 100}, 1, {0, 0, 2, 0}), 2U)
        << "it does not join others";
    EXPECT_EQ(batch_of({.texts = 8, .bytes = 100}, 1, {99, 0}), 1U);
}

// --- options -------------------------------------------------------------------------------

Options options(std::vector<std::string_view> words) { return parse_options(words); }

std::string refused(std::vector<std::string_view> words) {
    try {
        parse_options(words);
    } catch (const BadOption &mistake) {
        return mistake.what();
    }
    return "nothing";
}

TEST(Options, AreWordsWithTheirValuesBehindOrBeside) {
    const Options read =
        options({"--url", "http://a", "--task=embed", "--task", "extract", "dbname=x", "--once",
                 "--batch=7", "--prompt", "extract=/p", "--header=api-key"});
    EXPECT_EQ(read.url, "http://a");
    EXPECT_EQ(read.tasks, (std::vector<std::string>{"embed", "extract"}));
    EXPECT_EQ(read.connection, "dbname=x");
    EXPECT_TRUE(read.once);
    EXPECT_EQ(read.batch.texts, 7U);
    EXPECT_EQ(read.prompts[1], "/p");
    EXPECT_EQ(read.header, Header::api_key);
}

TEST(Options, LeaveALeaseThatIsLongerThanARequest) {
    EXPECT_EQ(options({}).lease, 300s);
    EXPECT_EQ(options({"--timeout", "200"}).lease, 800s);
    EXPECT_EQ(refused({"--timeout", "200", "--lease", "200"}),
              "--lease must be longer than --timeout");
}

TEST(Options, ThatAreWrongAreNamed) {
    EXPECT_EQ(refused({"--frob"}), "--frob is unknown; --help lists the options");
    EXPECT_EQ(refused({"--batch", "0"}), "--batch takes a whole number from 1 to 2048, not \"0\"");
    EXPECT_EQ(refused({"--batch", "7x"}),
              "--batch takes a whole number from 1 to 2048, not \"7x\"");
    EXPECT_EQ(refused({"--url"}), "--url needs a value");
    EXPECT_EQ(refused({"--url="}), "--url must not be empty");
    EXPECT_EQ(refused({"--once=1"}), "--once takes no value");
    EXPECT_EQ(refused({"--task", "dance"}), "--task is one of embed, extract, summarize, profile");
    EXPECT_EQ(refused({"--prompt", "embed=x"}), "--prompt is for extract, summarize or profile");
    EXPECT_EQ(refused({"--prompt", "extract"}), "--prompt takes TASK=FILE");
    EXPECT_EQ(refused({"--log", "loud"}), "--log is one of auto, line, json, none, not \"loud\"");
    EXPECT_EQ(refused({"a", "b"}), "\"b\" is no option; --help lists the options");
    EXPECT_EQ(refused({"-v"}), "\"-v\" is no option; --help lists the options");
}

TEST(Options, AreAllInTheHelp) {
    for (const char *option : {"--url ",
                               "--model ",
                               "--task ",
                               "--dimensions ",
                               "--key-file ",
                               "--key-host ",
                               "--header ",
                               "--ca-file ",
                               "--batch ",
                               "--batch-bytes ",
                               "--requests ",
                               "--timeout ",
                               "--connect-timeout ",
                               "--lease ",
                               "--poll ",
                               "--prompt ",
                               "--metrics ",
                               "--log ",
                               "--once ",
                               "--choose "})
        EXPECT_NE(usage().find(option), std::string_view::npos) << option;
}

// --- metrics -------------------------------------------------------------------------------

bool has_line(const std::string &text, const std::string &line) {
    return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(Metrics, AreLinesOfPrometheus) {
    Metrics metrics;
    metrics.count(Task::embed, Outcome::done);
    metrics.count(Task::embed, Outcome::done);
    metrics.count(Task::extract, Outcome::voided);
    metrics.count_request(200, 70ms);
    metrics.count_request(0, 2s);
    metrics.count_dropped(Task::extract, 3);
    metrics.count_tokens(11);
    const std::string text = metrics.text();
    for (const char *line :
         {"# TYPE memory_worker_jobs_total counter",
          "memory_worker_jobs_total{task=\"embed\",outcome=\"done\"} 2",
          "memory_worker_jobs_total{task=\"extract\",outcome=\"void\"} 1",
          "memory_worker_jobs_total{task=\"profile\",outcome=\"failed\"} 0",
          "memory_worker_requests_total{status=\"0\"} 1",
          "memory_worker_request_seconds_bucket{le=\"0.05\"} 0",
          "memory_worker_request_seconds_bucket{le=\"0.1\"} 1",
          "memory_worker_request_seconds_bucket{le=\"5\"} 2",
          "memory_worker_request_seconds_bucket{le=\"+Inf\"} 2",
          "memory_worker_request_seconds_count 2",
          "memory_worker_dropped_total{task=\"extract\"} 3", "memory_worker_tokens_total 11"})
        EXPECT_TRUE(has_line(text, line)) << line << "\n" << text;
    EXPECT_EQ(metrics.total(Outcome::done), 2U);
}

} // namespace
