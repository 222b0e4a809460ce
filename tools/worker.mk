# memory-worker, the program that does jobs: src/worker and, pure, src/worker/protocol. It needs libpq, libcurl
# and nlohmann-json, and no header of the server. Where one of them is missing, everything else is built.

WORKER_LIBRARIES := libpq libcurl nlohmann_json
WORKER := $(shell pkg-config --exists $(WORKER_LIBRARIES) 2>/dev/null && echo yes)
WORKER_SRCS := $(wildcard src/worker/*.cpp)
WORKER_OBJS := $(WORKER_SRCS:%.cpp=$(BUILD)/worker/%.o)
WORKER_CFLAGS = $(shell pkg-config --cflags $(WORKER_LIBRARIES)) -I$(BUILD)/generated -DMEMORY_VERSION='"$(MEMORY_VERSION)"'
WORKER_LIBS = $(shell pkg-config --libs $(WORKER_LIBRARIES))
WORKER_LDFLAGS ?=
# Where PGXS installs programs. A package says what it has instead: BINDIR=/usr/bin.
BINDIR ?= $(shell $(PG_CONFIG) --bindir)

# The prompts as C++ has texts.
WORKER_PROMPTS := $(patsubst src/worker/prompts/%.txt,$(BUILD)/generated/prompts/%.inc,$(wildcard src/worker/prompts/*.txt))
$(WORKER_PROMPTS): $(BUILD)/generated/prompts/%.inc: src/worker/prompts/%.txt
	@mkdir -p $(@D)
	@{ printf 'R"PROMPT('; cat $<; printf ')PROMPT"\n'; } >$@

$(WORKER_OBJS): $(BUILD)/worker/%.o: %.cpp | $(WORKER_PROMPTS)
	@mkdir -p $(@D)
	$(call step,C++,$<)$(CXX) $(CORE_CXXFLAGS) $(OF_COMPILER) $(CXX_STANDARD) -Isrc $(WORKER_CFLAGS) $(WARNINGS) \
	    -MMD -MP -c -o $@ $<
-include $(WORKER_OBJS:.o=.d)

$(BUILD)/memory-worker: $(WORKER_OBJS) $(BUILD)/libcore.a
	$(call step,LINK,$@)$(CXX) $(WORKER_LDFLAGS) -o $@ $^ $(WORKER_LIBS)

# The same with sanitizers, for the long form of its tests.
WORKER_SANITIZED := $(WORKER_SRCS:%.cpp=$(BUILD)/sanitized/worker/%.o)
$(WORKER_SANITIZED): $(BUILD)/sanitized/worker/%.o: %.cpp | $(WORKER_PROMPTS)
	@mkdir -p $(@D)
	$(call step,CLANG,$<)$(CLANGXX) $(SANITIZE) $(CXX_STANDARD) -Isrc $(WORKER_CFLAGS) $(WARNINGS) -MMD -MP -c -o $@ $<
-include $(WORKER_SANITIZED:.o=.d)
$(BUILD)/sanitized/memory-worker: $(WORKER_SANITIZED) $(BUILD)/sanitized/libcore.a
	$(call step,LINK,$@)$(CLANGXX) $(SANITIZE) -o $@ $^ $(WORKER_LIBS)

.PHONY: worker install-worker uninstall-worker
ifeq ($(WORKER),yes)
worker: $(BUILD)/memory-worker
install-worker: worker
	install -d '$(DESTDIR)$(BINDIR)'
	install -m 755 $(BUILD)/memory-worker '$(DESTDIR)$(BINDIR)/memory-worker'
else
worker install-worker:
	@echo 'memory-worker is not built: install libpq-dev, libcurl4-openssl-dev and nlohmann-json3-dev for it'
endif
uninstall-worker:
	rm -f '$(DESTDIR)$(BINDIR)/memory-worker'
