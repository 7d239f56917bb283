# make study [S=NAME] [ARGS=--quick]   install what is missing, build, run a study and judge its
#                                      claims
# make test                            install what is missing, run every test
# make providers                       install every provider that Debian has; a study names those
#                                      that are missing
# make install [PREFIX=/usr/local]     program, completions and man pages
# make dist                            the same as an archive in target/, for a machine without Rust
# make page                            the HTML report's page, built anew from report/
# make digest-file                     what every digest answers, by the kernels that this CPU gets:
#                                      vectors/sweeps.txt, if all is well
# make profiles                        the same and every kernel, compiled at levels of optimisation
#                                      (long)
# make fuzz [SECONDS=60]               kernels, and parsers of what strangers hand us, by libFuzzer
#                                      (after a long build)
# make campaign [C="planted kills"]    tests that take hours, all or some: CONTRIBUTING.md says
#                                      which is for what
# make big [B="md5 blake3"]            messages beyond 2^32 bits and 2^32 bytes
# make bindings · install-c · install-php     the C library and the PHP extension:
#                                             bindings/bindings.mk
# make bindings-wasm                   the C library for WebAssembly

S ?= php-hash
ARGS ?=
PREFIX ?= /usr/local
SECONDS ?= 60
B ?=
C ?= planted mutants boards lottery other-cpus other-systems miri kills disk-faults power-cuts fuzz
BIN := target/release/hashdyno
BUILD := cargo build --release --locked -p hashdyno-cli -p hashdyno-runners
# The same features everywhere, so that nothing is built twice.
WHOLE := --workspace --features hashdyno/rayon,hashdyno/digest --locked
# The library's unit tests, with one family: with all of them each kernel would be built twice.
UNIT := --package hashdyno --lib --no-default-features --features md5,rayon --locked
# At the lowest priority: the tests beside it have the processor first.
LINT := CARGO_TARGET_DIR=$(or $(CARGO_TARGET_DIR),target)/lint nice -n 19 cargo

.PHONY: study providers test test-builds lint test-rust test-bindings test-others install dist \
    build tools-build tools-study tools-test page digest-file profiles fuzz campaign big

# With the C library in the same build: alone, its crates would be built a second time, for the
# features that the others ask for differ.
study: export HASHDYNO_LIBS := $(abspath $(or $(CARGO_TARGET_DIR),target)/release)
study: tools-study
	$(BUILD) -p hashdyno-c
	@for target in $$($(BIN) study $(S) --needs); do \
	    $(MAKE) --no-print-directory $$target || \
	        echo "cannot make $$target: the report names what is missing" >&2; done
	$(BIN) study $(S) $(ARGS)

build: tools-build
	$(BUILD)

test: tools-test
	@# cargo fmt reaches neither the fuzz targets, which are workspaces of their own, nor the
	@# programs in crates/hashdyno/vectors
	find crates runners bindings -name "*.rs" -not -path "*/target/*" 2>/dev/null | \
	    xargs rustfmt --check --edition 2024
	$(MAKE) --no-print-directory test-builds
	@# tests wait for programs now and then: another one, or the compiler, has the core meanwhile
	$(MAKE) --no-print-directory --jobs=$$(($$(nproc) + 1)) --output-sync=target \
	    lint test-rust test-others test-bindings test-spark

test-builds:
	cargo build $(WHOLE) --all-targets

# In a folder of its own: else tests would wait for it. Nothing that is built here runs for long, so
# it is not optimised. `cargo clippy` would give the compiler another name than `cargo doc` does,
# and all would be checked twice.
lint: export CARGO_PROFILE_DEV_OPT_LEVEL := 0
lint: export RUSTC_WORKSPACE_WRAPPER := clippy-driver
lint: export RUSTFLAGS := -D warnings
lint: export RUSTDOCFLAGS := -D warnings
lint:
	$(LINT) check $(WHOLE) --all-targets
	$(LINT) check $(UNIT) --profile test
	@# as most programs have it, without kernels for many messages
	$(LINT) check --package hashdyno --lib --features full,digest --locked
	$(LINT) doc $(WHOLE) --no-deps --quiet
	campaigns/planted --check
	@# campaigns/fuzz would fail with old ones
	@for lock in $$(git ls-files '*/fuzz/Cargo.lock'); do \
	    cargo metadata --locked --format-version 1 \
	        --manifest-path $$(dirname $$lock)/Cargo.toml >/dev/null || exit 1; \
	done

# The bindings' tests take the C library of the builds before: a release takes minutes more.
test-rust test-bindings test-spark: export HASHDYNO_LIBS := \
    $(abspath $(or $(CARGO_TARGET_DIR),target)/debug)

test-rust:
	cargo test $(WHOLE)
	cargo test $(UNIT)

test-bindings:
	bindings/php/test
	bindings/python/test

test-spark:
	bindings/python/test --spark

test-others:
	report/test/run
	campaigns/other-cpus --own aarch64 wasm32
	cargo test $(WHOLE) --test conformance -- --ignored

# Stripped: symbols are a tenth of the program.
install: build
	install -Dm755 -s $(BIN) $(DESTDIR)$(PREFIX)/bin/hashdyno
	install -Dm755 -s target/release/hashdyno-runners $(DESTDIR)$(PREFIX)/bin/hashdyno-runners
	$(BIN) man $(DESTDIR)$(PREFIX)/share/man/man1
	mkdir -p $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	$(BIN) completions bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/hashdyno
	mkdir -p $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
	    $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(BIN) completions zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_hashdyno
	$(BIN) completions fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/hashdyno.fish

# What `make install` installs, to be unpacked in a folder such as /usr/local.
dist: DIST = target/dist/hashdyno-$(VERSION)-$(shell uname -m)-linux
dist:
	rm -rf $(DIST)
	@$(MAKE) --no-print-directory install DESTDIR=$(DIST) PREFIX=
	tar --create --gzip --owner=0 --group=0 --numeric-owner --file=$(DIST).tar.gz --directory=$(DIST) .

page:
	cd report && npm ci && npm run build

digest-file:
	@cargo run --quiet --release --locked -p hashdyno --features full --example digest_file

profiles:
	crates/hashdyno/examples/profiles

fuzz:
	campaigns/fuzz $(SECONDS)

campaign: build
	@failed=; for campaign in $(C); do \
	    echo "== $$campaign"; campaigns/$$campaign || failed="$$failed $$campaign"; \
	done; [ -z "$$failed" ] || { echo "error: failed:$$failed" >&2; exit 1; }

big:
	cargo run --quiet --release --locked -p hashdyno --features full --example big -- $(B)

include bindings/bindings.mk

providers:
	@./install-tools providers

tools-build tools-study tools-test:
	@./install-tools $(@:tools-%=%)
