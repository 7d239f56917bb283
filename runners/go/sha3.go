//go:build go1.24

package main

import "crypto/sha3"

func init() {
	digests["sha3-224"] = by("%x", sha3.Sum224)
	digests["sha3-256"] = by("%x", sha3.Sum256)
	digests["sha3-384"] = by("%x", sha3.Sum384)
	digests["sha3-512"] = by("%x", sha3.Sum512)
}
