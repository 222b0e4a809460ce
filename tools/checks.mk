# What is checked without a server: unit tests, plain and with sanitizers, fuzzers, and lint.
# Also the programs of tests/bench and tests/quality, which link the same core.

GTEST_LIBS = $(shell pkg-config --libs gtest_main)
CHECK_FLAGS = -std=gnu++20 -ffp-contract=off -Isrc -Itests $(ICU_CFLAGS) $(WARNINGS) -MMD -MP

UNIT_SRCS := $(wildcard tests/unit/*_test.cpp)
UNIT := $(UNIT_SRCS:tests/%.cpp=$(BUILD)/%)
UNIT_SANITIZED := $(UNIT_SRCS:tests/%.cpp=$(BUILD)/sanitized/%)
FUZZ := $(patsubst tests/%.cpp,$(BUILD)/%,$(wildcard tests/fuzz/*_fuzz.cpp))
.PHONY: unit fuzz
unit: $(UNIT_SANITIZED) $(if $(filter 1,$(THOROUGH)),$(UNIT))
fuzz: $(FUZZ)

$(UNIT): $(BUILD)/%: $(BUILD)/%.o $(BUILD)/libcore.a
	$(call step,LINK,$@)$(CXX) -o $@ $^ $(GTEST_LIBS) $(ICU_LIBS)
$(UNIT:=.o): $(BUILD)/%.o: tests/%.cpp
	@mkdir -p $(@D)
	$(call step,C++,$<)$(CXX) -O1 $(OF_COMPILER) $(CHECK_FLAGS) -c -o $@ $<

$(UNIT_SANITIZED): $(BUILD)/sanitized/%: $(BUILD)/sanitized/%.o $(BUILD)/sanitized/libcore.a
	$(call step,LINK,$@)$(CLANGXX) $(SANITIZE) -o $@ $^ $(GTEST_LIBS) $(ICU_LIBS)
$(UNIT_SANITIZED:=.o): $(BUILD)/sanitized/%.o: tests/%.cpp
	@mkdir -p $(@D)
	$(call step,CLANG,$<)$(CLANGXX) $(SANITIZE) $(CHECK_FLAGS) -c -o $@ $<

$(FUZZ): $(BUILD)/fuzz/%: tests/fuzz/%.cpp $(BUILD)/sanitized/libcore.a
	@mkdir -p $(@D)
	$(call step,FUZZER,$<)$(CLANGXX) $(SANITIZE) -fsanitize=fuzzer $(CHECK_FLAGS) -MF $@.d -o $@ $< \
	    $(BUILD)/sanitized/libcore.a $(ICU_LIBS)

PROGRAMS := $(patsubst tests/%.cpp,$(BUILD)/%,$(wildcard tests/bench/*.cpp tests/quality/*.cpp))
.PHONY: programs
programs: $(PROGRAMS)
$(PROGRAMS): $(BUILD)/%: tests/%.cpp $(BUILD)/libcore.a
	@mkdir -p $(@D)
	$(call step,C++,$<)$(CXX) $(CORE_CXXFLAGS) $(OF_COMPILER) $(CHECK_FLAGS) -MF $@.d -o $@ $< \
	    $(BUILD)/libcore.a $(ICU_LIBS)

# --- lint: clang's warnings as errors, clang-tidy, formatting ---------------------------------
# `tidy` gives clang's warnings too; `lint` is for where there is no clang-tidy of our major.

LINT_SRCS := $(filter-out $(if $(WORKER),,src/worker/%),$(wildcard src/*/*.cpp src/*/*/*.cpp))
LINT_HEADERS := $(wildcard src/*/*.h src/*/*/*.h)
# The shell side: PostgreSQL's macros leave fields to their zeros (PG_MODULE_MAGIC in 18).
SERVER_FLAGS = -Wno-missing-field-initializers \
    $(addprefix -isystem ,$(shell $(PG_CONFIG) --includedir-server))
# $(call lint_flags,FILE)
lint_flags = -std=gnu++20 -Isrc $(ICU_CFLAGS) \
    -Wall -Wextra -Wconversion -Wshadow $(LINT_WARNINGS) -Werror \
    $(if $(filter $(PURE_SRCS),$(1)),,$(if $(filter $(WORKER_SRCS),$(1)),$(WORKER_CFLAGS),$(SERVER_FLAGS)))

.PHONY: wall arrows refused lint tidy format-check format
# The pure rooms cannot see the server: an include of its header must not compile.
wall:
	$(call step,WALL,the pure rooms)! echo '#include "postgres.h"' | \
	    $(CXX) $(CORE_FLAGS) -fsyntax-only -x c++ - 2>/dev/null
# A room includes what the table of docs/design.md lets it include, and nothing else.
arrows:
	$(call step,ARROWS,docs/design.md)$(ROOT)/tools/arrows $(ROOT)
# What must not compile: each of these says in its first line what the compiler must name. Without
# the mistake it must compile, or it would be refused for another reason.
REFUSED_SRCS := $(wildcard tests/refused/*.cpp)
CHECK_REFUSED = -std=gnu++20 -Isrc -fsyntax-only
refused: $(REFUSED_SRCS:%.cpp=$(BUILD)/lint/%.ok)
lint: $(LINT_SRCS:%.cpp=$(BUILD)/lint/%.ok)
tidy: $(LINT_SRCS:%.cpp=$(BUILD)/tidy/%.ok)
$(WORKER_SRCS:%.cpp=$(BUILD)/lint/%.ok) $(WORKER_SRCS:%.cpp=$(BUILD)/tidy/%.ok): | $(WORKER_PROMPTS)

$(BUILD)/lint/%.ok: %.cpp
	@mkdir -p $(@D)
	$(call step,LINT,$<)$(CLANGXX) $(call lint_flags,$<) -MMD -MP -MF $@.d -MT $@ -fsyntax-only $< && touch $@

$(BUILD)/lint/tests/refused/%.ok: tests/refused/%.cpp $(wildcard src/pg/*.h)
	@mkdir -p $(@D)
	$(call step,REFUSE,$<)$(CXX) $(CHECK_REFUSED) -DWITHOUT_THE_MISTAKE $< && \
	    ! $(CXX) $(CHECK_REFUSED) $< 2>$@.log && \
	    grep -q "$$(sed -n '1s/.*refused: //p' $<)" $@.log && touch $@

$(BUILD)/tidy/%.ok: %.cpp .clang-tidy $(LINT_HEADERS)
	@mkdir -p $(@D)
	$(call step,TIDY,$<)clang-tidy --quiet $< -- $(filter-out -Werror,$(call lint_flags,$<)) 2>$@.log \
	    || { cat $@.log >&2; exit 1; }; touch $@

FORMATTED := $(LINT_SRCS) $(LINT_HEADERS) $(wildcard tests/*/*.cpp tests/*/*.h)
format-check:
	$(call step,FORMAT,$(words $(FORMATTED)) files)clang-format --dry-run -Werror $(FORMATTED)
format:
	clang-format -i $(FORMATTED)

# --- compile_commands.json: how clang compiles each file, for editors (clangd) and other tools -----
# The pure rooms without a path to PostgreSQL's headers, the shell with it, the tests as they are built.

CHECK_SRCS := $(wildcard tests/unit/*.cpp tests/fuzz/*.cpp tests/bench/*.cpp tests/quality/*.cpp)
clang_flags = $(if $(filter $(CHECK_SRCS),$(1)),$(filter-out -M%,$(CHECK_FLAGS)),$(call lint_flags,$(1)))
command = {"directory": "$(ROOT)", "file": "$(1)", "command": "$(subst ",\",$(lastword $(CLANGXX)) \
    $(call clang_flags,$(1)) -c $(1))"}
.PHONY: compile_commands.json $(BUILD)/compile_commands.json
$(BUILD)/compile_commands.json:
	@mkdir -p $(@D)
	$(file >$@,[$(call command,$(firstword $(LINT_SRCS))))
	$(foreach source,$(wordlist 2,9999,$(LINT_SRCS)) $(wildcard tests/door/*.cpp) $(CHECK_SRCS),$(file \
	    >>$@,, $(call command,$(source))))
	$(file >>$@,])
compile_commands.json: $(BUILD)/compile_commands.json
	@cp $< $@ && echo 'wrote $@'

-include $(wildcard $(UNIT:=.d) $(UNIT_SANITIZED:=.d) $(FUZZ:=.d) $(PROGRAMS:=.d)) \
    $(wildcard $(LINT_SRCS:%.cpp=$(BUILD)/lint/%.ok.d))
