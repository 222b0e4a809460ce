# The pure core: rooms that include no PostgreSQL header and are compiled without PostgreSQL's
# include path, so that a breach is a compile error. Archived once for memory.so, the unit tests and
# the tools (libcore.a), and once more with sanitizers for tests and fuzzers (sanitized/libcore.a).

PURE_ROOMS := src/json src/filter/language src/text src/rank src/index/codec src/index/grammar src/index/segment src/facts/algebra \
              src/sessions/shapes src/checkpoints/delta src/blocks/editing src/context/prompt src/items/place src/jobs/rules src/lifecycle/similar \
              src/moving/markdown src/scale
PURE_ROOMS += $(if $(WORKER),src/worker/protocol)
# In a pure room *_sql.cpp is the shell's side: it sees PostgreSQL's headers.
PURE_SRCS := $(filter-out %_sql.cpp,$(wildcard $(addsuffix /*.cpp,$(PURE_ROOMS))))
export PURE_SRCS

LINT_WARNINGS := -Wglobal-constructors -Wexit-time-destructors

CLANGXX ?= clang++
CORE_CXXFLAGS ?= -O2 -g -fstack-protector-strong
CORE_FLAGS = $(CXX_STANDARD) -fPIC -Isrc $(ICU_CFLAGS) $(WARNINGS)
SANITIZE := -O1 -gline-tables-only -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all

CORE_OBJS := $(PURE_SRCS:%.cpp=$(BUILD)/core/%.o)
SANITIZED_OBJS := $(PURE_SRCS:%.cpp=$(BUILD)/sanitized/%.o)

.PHONY: core
core: $(BUILD)/libcore.a

$(CORE_OBJS): $(BUILD)/core/%.o: %.cpp
	@mkdir -p $(@D)
	$(call step,C++,$<)$(CXX) $(CORE_CXXFLAGS) $(OF_COMPILER) $(CORE_FLAGS) -MMD -MP -c -o $@ $<

$(SANITIZED_OBJS): $(BUILD)/sanitized/%.o: %.cpp
	@mkdir -p $(@D)
	$(call step,CLANG,$<)$(CLANGXX) $(SANITIZE) -fsanitize=fuzzer-no-link $(CORE_FLAGS) -MMD -MP -c -o $@ $<

# Made anew each time, so that a removed source leaves the archive too.
$(BUILD)/libcore.a: $(CORE_OBJS)
$(BUILD)/sanitized/libcore.a: $(SANITIZED_OBJS)
$(BUILD)/libcore.a $(BUILD)/sanitized/libcore.a:
	@mkdir -p $(@D)
	@rm -f $@
	$(call step,AR,$@)$(AR) rcs $@ $^

-include $(CORE_OBJS:.o=.d) $(SANITIZED_OBJS:.o=.d)
