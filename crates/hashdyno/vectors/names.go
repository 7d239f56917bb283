// Prints what Go's hash/fnv answers for the FNV of 128 bits: `go run names.go > FILE`, then
// names.py.
package main

import (
	"fmt"
	"hash"
	"hash/fnv"
	"runtime"
)

var lengths = []int{511, 512, 513, 1000, 1023, 1024, 1025, 4095, 4096, 4097, 5000, 8191, 8192,
	65543}

func digest(new func() hash.Hash, message []byte) []byte {
	hasher := new()
	hasher.Write(message)
	return hasher.Sum(nil)
}

func all(name string, new func() hash.Hash) {
	print := func(what any, message []byte) {
		fmt.Printf("%s %v %x %s\n", name, what, digest(new, message), runtime.Version())
	}
	print("check", []byte("123456789"))
	var pattern, swept []byte
	for i := 0; i < 4096; i++ {
		swept = append(swept, digest(new, pattern)...)
		pattern = append(pattern, byte(i%251))
	}
	print("sweep", swept)
	var some []int
	for n := 0; n < 301; n++ {
		some = append(some, n)
	}
	for _, n := range append(some, lengths...) {
		message := make([]byte, n)
		for i := range message {
			message[i] = byte(i*131 + 17*n + (i >> 8))
		}
		print(n, message)
	}
}

func main() {
	all("fnv1-128", fnv.New128)
	all("fnv1a-128", fnv.New128a)
}
