# memory-shards, the program that makes, checks and moves the databases that users are spread over: Perl and psql, which are
# where a server of PostgreSQL is. Its parts become one file.

SHARDS_PARTS := head.pl Server.pm Fleet.pm Create.pm Users.pm Guard.pm Move.pm Double.pm Front.pm Check.pm User.pm main.pl
SHARDS_PARTS := $(addprefix tools/shards/,$(SHARDS_PARTS))

$(BUILD)/memory-shards: $(SHARDS_PARTS) tools/shards.mk
	@mkdir -p $(@D)
	$(call step,PERL,$@){ cat tools/shards/head.pl; for part in $(filter-out tools/shards/head.pl,$(SHARDS_PARTS)); do printf '\n{\n'; cat $$part; printf '}\n'; done; } >$@.new && \
	    perl -c $@.new 2>$@.said || { cat $@.said >&2; exit 1; } && chmod 755 $@.new && mv $@.new $@ && rm -f $@.said

.PHONY: shards install-shards uninstall-shards
shards: $(BUILD)/memory-shards
install-shards: shards
	install -d '$(DESTDIR)$(BINDIR)'
	install -m 755 $(BUILD)/memory-shards '$(DESTDIR)$(BINDIR)/memory-shards'
uninstall-shards:
	rm -f '$(DESTDIR)$(BINDIR)/memory-shards'
