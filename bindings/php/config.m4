dnl The extension is hashdyno.c, compiled against the PHP that is here, and the static library of
dnl bindings/c, which cargo builds.

PHP_ARG_ENABLE([hashdyno],
  [whether to enable hashdyno],
  [AS_HELP_STRING([--enable-hashdyno], [Enable hashdyno])],
  [yes])

PHP_ARG_WITH([hashdyno-source],
  [where hashdyno's source is],
  [AS_HELP_STRING([--with-hashdyno-source=DIR],
    [The root of hashdyno's source, if this folder does not lie in it])],
  [no], [no])

if test "$PHP_HASHDYNO" != "no"; then
  AC_PATH_PROG([CARGO], [cargo], [no])
  if test "$CARGO" = "no"; then
    AC_MSG_ERROR([cargo is missing: expected Rust 1.89 or newer; install it by rustup])
  fi
  if test "$PHP_HASHDYNO_SOURCE" = "no"; then
    PHP_HASHDYNO_SOURCE=$abs_srcdir/../..
  fi
  HASHDYNO_MANIFEST=$PHP_HASHDYNO_SOURCE/bindings/c/Cargo.toml
  if test ! -f "$HASHDYNO_MANIFEST"; then
    AC_MSG_ERROR(m4_normalize([no bindings/c in $PHP_HASHDYNO_SOURCE:
      expected hashdyno's source; see --with-hashdyno-source]))
  fi
  HASHDYNO_TARGET=${CARGO_TARGET_DIR:-$PHP_HASHDYNO_SOURCE/target}
  HASHDYNO_LIBRARY=${HASHDYNO_LIBS:-$HASHDYNO_TARGET/release}/libhashdyno.a
  if test -n "$HASHDYNO_LIBS"; then
    CARGO=: # the library is there
  fi
  HASHDYNO_VERSION=`sed -n 's/^version = "\(.*\)"/\1/p' "$PHP_HASHDYNO_SOURCE/Cargo.toml"`

  PHP_ADD_INCLUDE([$PHP_HASHDYNO_SOURCE/bindings/c/include])
  PHP_NEW_EXTENSION([hashdyno], [hashdyno.c many.c keys.c pbkdf2.c composite.c], [$ext_shared],,
    m4_normalize([-std=gnu11 -fvisibility=hidden -Wall -Wextra -Wno-unused-parameter
      -DPHP_HASHDYNO_VERSION='\"$HASHDYNO_VERSION\"' -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1]))
  PHP_ADD_EXTENSION_DEP(hashdyno, hash)

  dnl What the static library brings stays inside: two extensions in Rust must not meet.
  HASHDYNO_SHARED_LIBADD="$HASHDYNO_LIBRARY -Wl,--exclude-libs,ALL -lgcc_s -lpthread -lm -ldl"
  HASHDYNO_SHARED_DEPENDENCIES='$(HASHDYNO_LIBRARY)'
  PHP_SUBST([CARGO])
  PHP_SUBST([HASHDYNO_MANIFEST])
  PHP_SUBST([HASHDYNO_TARGET])
  PHP_SUBST([HASHDYNO_LIBRARY])
  PHP_SUBST([HASHDYNO_SHARED_LIBADD])
  PHP_SUBST([HASHDYNO_SHARED_DEPENDENCIES])
  PHP_ADD_MAKEFILE_FRAGMENT
fi
