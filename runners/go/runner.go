// hashdyno's runner for Go: the standard library's digests and checksums. The protocol: docs/PROTOCOL.md.
package main

import (
	"bufio"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"hash/crc64"
	"hash/fnv"
	"io"
	"os"
	"regexp"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"time"
)

const maxPayload = 1 << 30

// A job does its work a number of times: the last answer in hexadecimal, and how long it took.
type job func(calls int) (string, time.Duration)

// A digest makes jobs of messages.
type digest func(message []byte) job

// by makes a digest of a function; format writes its result in hexadecimal. A loop for each type of result, so that the calls
// are as a programmer writes them.
func by[T any](format string, sum func([]byte) T) digest {
	return func(message []byte) job {
		return func(calls int) (string, time.Duration) {
			var result T
			begin := time.Now()
			for i := 0; i < calls; i++ {
				result = sum(message)
			}
			return fmt.Sprintf(format, result), time.Since(begin)
		}
	}
}

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	ecma       = crc64.MakeTable(crc64.ECMA)
)

// digests by our names; other files add to them what only newer versions of Go have.
var digests = map[string]digest{
	"md5":        by("%x", md5.Sum),
	"sha1":       by("%x", sha1.Sum),
	"sha224":     by("%x", sha256.Sum224),
	"sha256":     by("%x", sha256.Sum256),
	"sha384":     by("%x", sha512.Sum384),
	"sha512":     by("%x", sha512.Sum512),
	"sha512-224": by("%x", sha512.Sum512_224),
	"sha512-256": by("%x", sha512.Sum512_256),
	"adler32":    by("%08x", adler32.Checksum),
	"crc32b":     by("%08x", crc32.ChecksumIEEE),
	"crc32c":     by("%08x", func(message []byte) uint32 { return crc32.Checksum(message, castagnoli) }),
	"crc64-xz":   by("%016x", func(message []byte) uint64 { return crc64.Checksum(message, ecma) }),
	"fnv132":     by("%08x", func(message []byte) uint32 { h := fnv.New32(); h.Write(message); return h.Sum32() }),
	"fnv1a32":    by("%08x", func(message []byte) uint32 { h := fnv.New32a(); h.Write(message); return h.Sum32() }),
	"fnv164":     by("%016x", func(message []byte) uint64 { h := fnv.New64(); h.Write(message); return h.Sum64() }),
	"fnv1a64":    by("%016x", func(message []byte) uint64 { h := fnv.New64a(); h.Write(message); return h.Sum64() }),
}

func empty(calls int) (string, time.Duration) {
	begin := time.Now()
	for i := 0; i < calls; i++ {
	}
	return "", time.Since(begin)
}

// parse reads a job line and its payload.
func parse(words []string, input io.Reader) (job, error) {
	line := strings.Join(words, " ")
	if line == "job empty" {
		return empty, nil
	}
	match := jobLine.FindStringSubmatch(line)
	if match == nil {
		return nil, errors.New("not understood: " + line)
	}
	length, err := strconv.Atoi(match[3])
	if err != nil || length > maxPayload {
		return nil, fmt.Errorf("len must be a number of bytes up to %d", maxPayload)
	}
	message := make([]byte, length)
	if _, err := io.ReadFull(input, message); err != nil {
		fmt.Fprintln(os.Stderr, "the input ends in the middle of the payload")
		os.Exit(1)
	}
	digest := digests[match[2]]
	if match[1] != "digest" || digest == nil || match[4] != "" && match[4] != " impl=go" {
		return nil, errors.New("cannot do: " + line)
	}
	return digest(message), nil
}

var (
	jobLine = regexp.MustCompile(`^job (\S+) (\S+) len=(\d+)((?: \S+)*)$`)
	number  = regexp.MustCompile(`^\d+$`)
)

func ready(current job) string {
	answer, _ := current(1)
	if answer == "" {
		answer = "-"
	}
	return "ready " + answer
}

func listing() string {
	var lines []string
	for name := range digests {
		lines = append(lines, "digest "+name+" go")
	}
	sort.Strings(lines)
	return strings.Join(append(lines, "end"), "\n")
}

// reply answers a line; and what job there is then.
func reply(line string, current job, input io.Reader) (string, job, error) {
	words := strings.Split(line, " ")
	switch {
	case line == "list":
		return listing(), current, nil
	case words[0] == "job" && len(words) > 1:
		next, err := parse(words, input)
		if err != nil {
			return "", nil, err
		}
		return ready(next), next, nil
	case current == nil:
		return "", nil, errors.New("no job, or not understood: " + line)
	case line == "again":
		return ready(current), current, nil
	case words[0] == "run" && len(words) == 2 && number.MatchString(words[1]):
		calls, err := strconv.Atoi(words[1])
		if err != nil {
			return "", current, err
		}
		_, elapsed := current(calls)
		return fmt.Sprintf("ran %d", elapsed.Nanoseconds()), current, nil
	}
	return "", current, errors.New("not understood: " + line)
}

func main() {
	fmt.Printf("runner 1 go %s arch=%s\n", strings.TrimPrefix(strings.ReplaceAll(runtime.Version(), " ", "%20"), "go"), runtime.GOARCH)
	input := bufio.NewReader(os.Stdin)
	var current job
	for {
		line, err := input.ReadString('\n')
		if err != nil {
			return
		}
		answer, next, err := reply(strings.TrimSuffix(line, "\n"), current, input)
		current = next
		if err != nil {
			answer = "error " + err.Error()
		}
		fmt.Println(answer)
	}
}
