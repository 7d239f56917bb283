// Prints what go-krypto answers, as standards.rs does for crates: put it as cmd/answers/main.go
// into a checkout of go-krypto, and run it with `-tags purego`. No part of any package here.
package main

import (
	"fmt"

	"github.com/RyuaNerin/go-krypto/has160"
	"github.com/RyuaNerin/go-krypto/lsh256"
	"github.com/RyuaNerin/go-krypto/lsh512"
)

const engine = "go-krypto-6e7566c"

func lengths() []int {
	lengths := []int{}
	for n := 0; n <= 300; n++ {
		lengths = append(lengths, n)
	}
	return append(lengths, 511, 512, 513, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 5000, 8191, 8192,
		65543)
}

func answer(name string, digest func([]byte) []byte) {
	pattern := make([]byte, 4096)
	for i := range pattern {
		pattern[i] = byte(i % 251)
	}
	all := []byte{}
	for n := range pattern {
		all = append(all, digest(pattern[:n])...)
	}
	fmt.Printf("%s %x %x %s\n", name, digest([]byte("123456789")), digest(all), engine)
	for _, n := range lengths() {
		message := make([]byte, n)
		for i := range message {
			message[i] = byte(i*131 + 17*n + i>>8)
		}
		fmt.Printf("%s %d %x %s\n", name, n, digest(message), engine)
	}
}

func main() {
	answer("has160", func(m []byte) []byte { d := has160.Sum(m); return d[:] })
	answer("lsh256-224", func(m []byte) []byte { d := lsh256.Sum224(m); return d[:] })
	answer("lsh256-256", func(m []byte) []byte { d := lsh256.Sum256(m); return d[:] })
	answer("lsh512-224", func(m []byte) []byte { d := lsh512.Sum224(m); return d[:] })
	answer("lsh512-256", func(m []byte) []byte { d := lsh512.Sum256(m); return d[:] })
	answer("lsh512-384", func(m []byte) []byte { d := lsh512.Sum384(m); return d[:] })
	answer("lsh512-512", func(m []byte) []byte { d := lsh512.Sum512(m); return d[:] })
}
