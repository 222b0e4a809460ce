# memory.so and its SQL, built by PGXS inside the build directory; the Makefile calls it as
# `make -C $(BUILD) -f tools/module.mk VPATH=$(ROOT)` and exports ROOT, MEMORY_VERSION, PURE_SRCS.
# Also door_test.so, the test module of src/pg/, which only the tests' stage gets.

override BUILD := $(CURDIR)
step = $(if $(V),,@printf '  %-6s %s\n' '$(1)' '$(patsubst $(ROOT)/%,%,$(2))';)
srcs = $(patsubst $(ROOT)/%,%,$(wildcard $(addprefix $(ROOT)/,$(1))))
objs = $(patsubst %.cpp,%.o,$(call srcs,$(1)))

include $(ROOT)/tools/flags.mk

# --- what is built ---------------------------------------------------------------------------

SHELL_OBJS := $(filter-out $(PURE_SRCS:.cpp=.o) src/worker/%,$(call objs,src/*/*.cpp src/*/*/*.cpp))
DOOR_OBJS := $(call objs,tests/door/*.cpp) $(filter src/pg/%,$(SHELL_OBJS))

# The rooms' declarations, in the order in which they need each other.
SQL_PARTS := src/setup/extension.sql src/setup/setup.sql src/access/access.sql src/models/models.sql src/retention/retention.sql src/filter/filter.sql src/episodes/episodes.sql \
             src/facts/stretch.sql src/facts/facts.sql src/sessions/sessions.sql src/checkpoints/checkpoints.sql \
             src/conversations/conversations.sql src/conversations/runs.sql src/blocks/blocks.sql src/jobs/jobs.sql src/text/hash_embedding.sql src/text/text.sql src/rank/rank.sql src/index/index.sql \
             src/recall/recall.sql src/items/items.sql src/context/context.sql src/lifecycle/lifecycle.sql src/moving/moving.sql src/scale/scale.sql src/status/status.sql
SQL_PARTS := $(wildcard $(addprefix $(ROOT)/,$(SQL_PARTS)))

EXTENSION = memory
MODULE_big = memory
OBJS = $(SHELL_OBJS)
DATA = $(call srcs,upgrades/memory--*--*.sql)
DATA_built = memory--$(MEMORY_VERSION).sql
SHLIB_LINK = libcore.a $(ICU_LIBS)
# PostgreSQL's structs grow with its majors: what an initializer does not name is zero.
PG_CXXFLAGS = $(CXX_STANDARD) -ffile-prefix-map=$(ROOT)/= $(WARNINGS) \
    -Wno-missing-field-initializers -Wno-missing-format-attribute $(OF_COMPILER)

# In the order of sql/order where there is one, else by name.
REGRESS = $(or $(shell grep -hv '^\#' $(ROOT)/sql/order 2>/dev/null),\
    $(sort $(patsubst sql/%.sql,%,$(call srcs,sql/*.sql))))

# No bitcode for the JIT: it never inlines a function that handles exceptions (looked at with
# jit_dump_bitcode on 15), and could not resolve our hidden symbols if it did.
override with_llvm = no

# The database of installcheck, whatever the server's default is.
ENCODING = UTF8

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

# --- C++ in PGXS -----------------------------------------------------------------------------

# The server's headers are not ours to warn about; ours come first.
override CPPFLAGS := -I$(ROOT)/src $(ICU_CFLAGS) \
    $(patsubst -I%,-isystem %,$(filter-out -I. -I./ -I$(ROOT) \
    $(if $(filter 1,$(DEBUG)),-D_FORTIFY_SOURCE=%),$(CPPFLAGS)))
# PGXS links with the C compiler otherwise, which leaves the C++ library out.
override COMPILER = $(CXX) $(CXXFLAGS)

ALL_OBJS := $(sort $(OBJS) $(DOOR_OBJS))
$(shell mkdir -p $(sort $(dir $(ALL_OBJS))) .)

# Debian's PGXS tracks no dependencies.
$(ALL_OBJS): %.o: $(ROOT)/%.cpp
	$(call step,C++,$*.cpp)$(CXX) $(CXXFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<
-include $(ALL_OBJS:.o=.d)

memory.so: libcore.a
ifndef V
.SILENT: memory.so
endif

# --- what is installed -----------------------------------------------------------------------

# memory.so without debug data, as packages ship libraries; the data is memory.so.debug, which
# `make install-debug` puts beside it, where a debugger looks for it by the name in memory.so.
# SPLIT_DEBUG=0 installs it whole: for packagers, whose tools take it apart by themselves.
SPLIT_DEBUG ?= 1
OBJCOPY ?= objcopy
memory.so.debug: memory.so
	$(call step,DEBUG,$@)$(OBJCOPY) --only-keep-debug $< $@
stripped/memory.so: memory.so memory.so.debug
	@mkdir -p $(@D)
	$(call step,STRIP,$@)$(OBJCOPY) --strip-unneeded --add-gnu-debuglink=memory.so.debug $< $@
ifneq ($(SPLIT_DEBUG),0)
install-lib-shared: stripped/memory.so
# Not stripped where it is installed: a backend may load it at any moment.
INSTALL_WHOLE := $(INSTALL_SHLIB)
override INSTALL_SHLIB = sh -c '$(INSTALL_WHOLE) "stripped/$$0" "$$1"'
endif

.PHONY: install-debug uninstall-debug
install-debug: memory.so.debug installdirs-lib
	$(INSTALL_DATA) $< '$(DESTDIR)$(pkglibdir)/memory.so.debug'
uninstall: uninstall-debug
uninstall-debug:
	rm -f '$(DESTDIR)$(pkglibdir)/memory.so.debug'

.PHONY: door
door: door_test.so
door_test.so: $(DOOR_OBJS) libcore.a
	$(call step,LINK,$@)$(LINK.shared) -o $@ $(DOOR_OBJS) $(LDFLAGS) $(LDFLAGS_SL) $(SHLIB_LINK)

$(DATA_built): $(SQL_PARTS) $(ROOT)/memory.control $(ROOT)/tools/module.mk
	$(call step,SQL,$@){ printf '%s\n' '\echo Use "CREATE EXTENSION memory" to load this file. \quit'; \
	  $(if $(SQL_PARTS),cat $(SQL_PARTS);) } > $@
