#!/bin/sh
# Compiles a runner, once for each version of its source and its compiler, and runs it. $1: go, java or pascal.
set -eu

name=$1
source=$(dirname "$0")/../$name

case $name in
    go) compiler=go ;;
    java) compiler=javac ;;
    pascal) compiler=fpc ;;
esac

# The words of docs/PROTOCOL.md, for what stands in place of a greeting: hashdyno adds how to get it.
if ! command -v "$compiler" >/dev/null 2>&1; then
    echo "error $compiler"
    exit
fi

version() {
    case $name in
        go) go version ;;
        java) javac -version 2>&1 ;;
        pascal) fpc -iV ;;
    esac
}

# Into the folder $1.
compile() {
    case $name in
        go) (cd "$source" && CGO_ENABLED=0 GOFLAGS= GOTOOLCHAIN=local GOWORK=off GOPROXY=off go build -trimpath -o "$1/runner") ;;
        java) javac -d "$1" "$source/Runner.java" ;;
        pascal) fpc -O3 -FE"$1" -Fu"$source" -orunner "$source/runner.pas" >"$1/log" || { cat "$1/log" >&2; return 1; } ;;
    esac
}

key=$({ version; cat "$source"/* "$0"; } | cksum | tr ' ' -)
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/hashdyno
built=$cache/$name-$key

if [ ! -d "$built" ]; then
    mkdir -p "$cache"
    work=$(mktemp -d "$cache/build-XXXXXX")
    trap 'rm -rf "$work"' EXIT
    compile "$work"
    # A rename, so that nobody runs half of it; where another was quicker, theirs is as good.
    mv -T "$work" "$built" 2>/dev/null || rm -rf "$work"
    trap - EXIT
fi

case $name in
    # One collector thread, and no compiler beside what is measured.
    java) exec java -XX:+UseSerialGC -Xbatch -cp "$built" Runner ;;
    *) exec "$built/runner" ;;
esac
