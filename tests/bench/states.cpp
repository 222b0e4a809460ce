// Prints the states of agents for COPY: `states scattered|one-place|chat STEPS` gives lines of
// step, state (a JSON text) and what the step wrote: the entries or words that changed, with their
// places.
#include "bench/zipf_corpus.h"

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <utility>

namespace {

constexpr std::size_t state_size = std::size_t{1} << 20;
constexpr std::size_t changed_size = state_size / 100;
constexpr std::size_t message_size = 1200;
constexpr std::uint32_t words_of_an_entry = 16;
constexpr std::uint32_t words_of_a_change = 2;
constexpr std::uint32_t shortest_words = 1500; // ranks that are left out: real words are longer

// An agent's state: numbered entries of words.
class State {
  public:
    explicit State(std::uint64_t seed) : random_(seed) {}

    void grow(std::size_t size);
    void change_scattered();
    void change_one_place();
    std::string text() const;
    // What changed since it was last asked for, as JSON.
    std::string written();

  private:
    using Words = std::vector<std::uint32_t>;

    std::uint32_t word() { return shortest_words + words_.draw(random_); }
    std::uint32_t any_entry() { return random_.below(static_cast<std::uint32_t>(entries_.size())); }
    static std::string shown(std::span<const std::uint32_t> words);
    static std::string shown(std::size_t number, const Words &words);
    void note(const std::string &change);

    bench::Random random_;
    bench::Zipf words_{20000, 1.07, 2.7};
    std::vector<Words> entries_;
    std::string written_;
};

std::string State::shown(std::span<const std::uint32_t> words) {
    std::string text;
    for (const std::uint32_t word : words)
        text += (text.empty() ? "" : " ") + bench::ZipfCorpus::spell(word);
    return text;
}

std::string State::shown(std::size_t number, const Words &words) {
    const char *role = number % 2 == 0 ? "user" : "assistant";
    return "{\"n\": " + std::to_string(number) + ", \"role\": \"" + role + "\", \"text\": \"" +
           shown(words) + "\"}";
}

void State::note(const std::string &change) { written_ += (written_.empty() ? "" : ", ") + change; }

// Adds entries of so many bytes.
void State::grow(std::size_t size) {
    for (std::size_t added = 0; added < size;) {
        Words words;
        while (words.size() < words_of_an_entry)
            words.push_back(word());
        const std::string entry = shown(entries_.size(), words);
        note(entry);
        added += entry.size() + 2;
        entries_.push_back(std::move(words));
    }
}

// Phrases here and there, of a hundredth of the bytes: some nine hundred.
void State::change_scattered() {
    for (std::size_t changed = 0; changed < changed_size;) {
        const std::uint32_t entry = any_entry();
        const std::uint32_t at = random_.below(words_of_an_entry - words_of_a_change + 1);
        const auto phrase = std::span(entries_[entry]).subspan(at, words_of_a_change);
        changed += shown(phrase).size();
        for (std::uint32_t &changing : phrase)
            changing = word();
        note("[" + std::to_string(entry) + ", " + std::to_string(at) + ", \"" + shown(phrase) +
             "\"]");
    }
}

// Entries that follow each other, of as many bytes.
void State::change_one_place() {
    std::uint32_t entry = any_entry();
    for (std::size_t changed = 0; changed < changed_size; ++entry) {
        Words &words = entries_[entry %= static_cast<std::uint32_t>(entries_.size())];
        changed += shown(words).size();
        for (std::uint32_t &changing : words)
            changing = word();
        note(shown(entry, words));
    }
}

std::string State::text() const {
    std::string text = "{\"entries\": [";
    for (std::size_t number = 0; number < entries_.size(); ++number)
        text += (number > 0 ? ", " : "") + shown(number, entries_[number]);
    return text + "]}";
}

std::string State::written() { return "[" + std::exchange(written_, "") + "]"; }

void step(State &state, std::string_view kind, std::uint32_t number) {
    if (kind == "chat")
        state.grow(message_size);
    else if (number == 1)
        state.grow(state_size);
    else if (kind == "scattered")
        state.change_scattered();
    else
        state.change_one_place();
}

} // namespace

int main(int arguments, char **argument) {
    if (arguments != 3) {
        std::fprintf(stderr, "usage: states scattered|one-place|chat STEPS\n");
        return 2;
    }
    const auto steps = static_cast<std::uint32_t>(std::atol(argument[2]));
    State state(17);
    for (std::uint32_t number = 1; number <= steps; ++number) {
        step(state, argument[1], number);
        std::printf("%u\t%s\t%s\n", number, state.text().c_str(), state.written().c_str());
    }
    return 0;
}
