#!/bin/sh
# Compiles a runner, once for each version of its source and its compiler, and runs it. $1: go,
# java, pascal or x86.
set -eu

name=$1
source=$(dirname "$0")/../$name

case $name in
    go) compiler=go ;;
    java) compiler=javac ;;
    pascal) compiler=fpc ;;
    x86) compiler=gcc ;;
esac

# The words of docs/PROTOCOL.md, for what stands in place of a greeting: hashdyno adds how to get
# it.
if ! command -v "$compiler" >/dev/null 2>&1; then
    echo "error $compiler"
    exit
fi

# 32-bit code is for these processors.
case $name-$(uname -m) in
    x86-x86_64 | x86-i?86) ;;
    x86-*) echo "error an x86 processor"; exit ;;
esac

version() {
    case $name in
        go) go version ;;
        java) javac -version 2>&1 ;;
        pascal) fpc -iV ;;
        x86) gcc -dumpfullversion ;;
    esac
}

# Into the folder $1.
compile() {
    case $name in
        go) (cd "$source" && CGO_ENABLED=0 GOFLAGS= GOTOOLCHAIN=local GOWORK=off GOPROXY=off \
            go build -trimpath -o "$1/runner") ;;
        java) javac -d "$1" "$source/Runner.java" ;;
        pascal) fpc -O3 -FE"$1" -Fu"$source" -orunner "$source/runner.pas" >"$1/log" \
            || { cat "$1/log" >&2; return 1; } ;;
        x86) gcc -m32 -O2 -masm=intel -ffreestanding -fno-tree-loop-distribute-patterns -fno-pic \
            -fno-stack-protector -fno-asynchronous-unwind-tables -nostdlib -static -o "$1/runner" \
            "$source/runner.c" ;;
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
    x86)
        # Some kernels run no 32-bit programs.
        "$built/runner" works 2>/dev/null \
            || { echo "error a kernel that runs 32-bit programs"; exit; }
        exec "$built/runner"
        ;;
    # One collector thread, and no compiler beside what is measured.
    java) exec java -XX:+UseSerialGC -Xbatch -cp "$built" Runner ;;
    *) exec "$built/runner" ;;
esac
