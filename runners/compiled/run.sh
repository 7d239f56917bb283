#!/bin/sh
# Compiles a runner, once for each version of its source and its compiler, and runs it. $1: go or pascal.
set -eu

name=$1
source=$(dirname "$0")/../$name

case $name in
    go) compiler=go ;;
    pascal) compiler=fpc ;;
esac

# The words of docs/PROTOCOL.md, for what stands in place of a greeting: hashdyno adds how to get it.
if ! command -v "$compiler" >/dev/null 2>&1; then
    echo "error $compiler"
    exit
fi

compile() {
    case $name in
        go) (cd "$source" && CGO_ENABLED=0 GOFLAGS= GOTOOLCHAIN=local GOWORK=off GOPROXY=off go build -trimpath -o "$1") ;;
        pascal) fpc -O3 -FE"$(dirname "$1")" -o"$1" "$source/runner.pas" >"$1.log" || { cat "$1.log" >&2; return 1; } ;;
    esac
}

version() {
    case $name in
        go) go version ;;
        pascal) fpc -iV ;;
    esac
}

key=$({ version; cat "$source"/* "$0"; } | cksum | tr -c '0-9\n' -)
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/hashdyno
program=$cache/runner-$name-$key

if [ ! -x "$program" ]; then
    mkdir -p "$cache"
    work=$(mktemp -d "$cache/build-XXXXXX")
    trap 'rm -rf "$work"' EXIT
    compile "$work/runner"
    # A rename, so that two that compile at once do not meet.
    mv "$work/runner" "$program"
    rm -rf "$work"
fi
exec "$program"
