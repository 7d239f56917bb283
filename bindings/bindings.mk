# The bindings; included by the Makefile, and complete in itself:
# make -f bindings/bindings.mk TARGET
#
# make bindings                        the C library and the PHP extension, built
# make install-c [PREFIX=/usr/local]   libhashdyno.so with its version and links, libhashdyno.a,
#                                      hashdyno.h, hashdyno.pc
# make install-php                     the PHP extension, where PHP looks for it; says the line for
#                                      php.ini
# make python-engines                  the Python that the study columns measures: engines of data,
#                                      and the package hashdyno
# make bindings-duckdb                 hashdyno.duckdb_extension in target/duckdb
# make bindings-spark                  hashdyno-spark.jar in target/jvm; it takes a JDK
# make bindings-wasm                   hashdyno.wasm and hashdyno.mjs in target/wasm: the C library
#                                      for browsers and Node.js
# make header                          bindings/c/include/hashdyno.h written anew from the source
# make php-bench [ARGS='--record F']   PHP's own functions against ours, in one interleaved run
# make php-fuzz [CALLS=1000000]        random calls into the PHP extension under valgrind
# make php-asan [CALLS=1000000]        its tests and as many random calls under the address and
#                                      undefined behaviour sanitizers

BINDINGS := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
PREFIX ?= /usr/local
TARGET := $(or $(CARGO_TARGET_DIR),$(BINDINGS)/../target)
# HASHDYNO_LIBS=FOLDER takes the C library that lies there, as it is.
C_LIBS := $(or $(HASHDYNO_LIBS),$(TARGET)/release)
CALLS ?= 1000000
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' $(BINDINGS)/../Cargo.toml)
# How the SONAME ends, as bindings/c/build.rs has it.
ABI = $(basename $(VERSION))

.PHONY: bindings bindings-c bindings-php bindings-wasm bindings-duckdb bindings-spark \
    python-engines install-c install-php header php-bench php-fuzz php-asan

bindings: bindings-c bindings-php

bindings-c:
	$(if $(HASHDYNO_LIBS),,cd $(BINDINGS)/c && cargo build --release --locked -p hashdyno-c)

bindings-wasm:
	$(BINDINGS)/wasm/build

bindings-duckdb:
	$(BINDINGS)/duckdb/build

bindings-spark:
	$(BINDINGS)/jvm/build

bindings-php:
	$(BINDINGS)/php/compile

python-engines:
	$(BINDINGS)/python/engines

install-c: bindings-c
	install -Dm644 $(BINDINGS)/c/include/hashdyno.h $(DESTDIR)$(PREFIX)/include/hashdyno.h
	install -Dm755 $(C_LIBS)/libhashdyno.so $(DESTDIR)$(PREFIX)/lib/libhashdyno.so.$(VERSION)
	ln -sf libhashdyno.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/libhashdyno.so.$(ABI)
	ln -sf libhashdyno.so.$(ABI) $(DESTDIR)$(PREFIX)/lib/libhashdyno.so
	install -Dm644 $(C_LIBS)/libhashdyno.a $(DESTDIR)$(PREFIX)/lib/libhashdyno.a
	mkdir -p $(DESTDIR)$(PREFIX)/lib/pkgconfig
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' $(BINDINGS)/c/hashdyno.pc.in \
	    > $(DESTDIR)$(PREFIX)/lib/pkgconfig/hashdyno.pc

install-php: bindings-php
	$(BINDINGS)/php/compile install

header:
	cd $(BINDINGS)/c && HASHDYNO_BLESS=1 cargo test --locked -p hashdyno-c --test header

php-bench: bindings-php
	php -n -d extension=$(abspath $(TARGET))/php/modules/hashdyno.so $(BINDINGS)/php/bench.php $(ARGS)

php-fuzz:
	$(BINDINGS)/php/test fuzz $(CALLS)

php-asan:
	$(BINDINGS)/php/test asan $(CALLS)
