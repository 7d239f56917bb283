// hashdyno's runner for Go: the standard library's digests, checksums and ciphers. The protocol:
// docs/PROTOCOL.md.
package main

import (
	"bufio"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
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

const (
	maxPayload = 1 << 30
	maxSpelled = 16 << 10
)

// A job does its work a number of times: the last answer, and how long it took.
type job func(calls int) ([]byte, time.Duration, error)

// A digest makes jobs of a message, and of many.
type digest struct {
	one  func(message []byte) job
	many func(messages [][]byte) job
}

// by makes a digest of a function; format writes its result in hexadecimal. A loop for each type of
// result, so that the calls are as a programmer writes them.
func by[T any](format string, sum func([]byte) T) digest {
	one := func(message []byte) job {
		return func(calls int) ([]byte, time.Duration, error) {
			var result T
			begin := time.Now()
			for i := 0; i < calls; i++ {
				result = sum(message)
			}
			elapsed := time.Since(begin)
			answer, err := hex.DecodeString(fmt.Sprintf(format, result))
			return answer, elapsed, err
		}
	}
	many := func(messages [][]byte) job {
		results := make([]T, len(messages))
		return func(calls int) ([]byte, time.Duration, error) {
			begin := time.Now()
			for i := 0; i < calls; i++ {
				for j, message := range messages {
					results[j] = sum(message)
				}
			}
			elapsed := time.Since(begin)
			var text strings.Builder
			for _, result := range results {
				fmt.Fprintf(&text, format, result)
			}
			answer, err := hex.DecodeString(text.String())
			return answer, elapsed, err
		}
	}
	return digest{one, many}
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
	"crc32c": by("%08x", func(message []byte) uint32 {
		return crc32.Checksum(message, castagnoli)
	}),
	"crc64-xz": by("%016x", func(message []byte) uint64 { return crc64.Checksum(message, ecma) }),
	"fnv132": by("%08x", func(message []byte) uint32 {
		h := fnv.New32()
		h.Write(message)
		return h.Sum32()
	}),
	"fnv1a32": by("%08x", func(message []byte) uint32 {
		h := fnv.New32a()
		h.Write(message)
		return h.Sum32()
	}),
	"fnv164": by("%016x", func(message []byte) uint64 {
		h := fnv.New64()
		h.Write(message)
		return h.Sum64()
	}),
	"fnv1a64": by("%016x", func(message []byte) uint64 {
		h := fnv.New64a()
		h.Write(message)
		return h.Sum64()
	}),
}

func empty(calls int) ([]byte, time.Duration, error) {
	begin := time.Now()
	for i := 0; i < calls; i++ {
	}
	return nil, time.Since(begin), nil
}

// open makes a job of a small file's path: to open it, read it and close it.
func open(path []byte) job {
	name, piece := string(path), make([]byte, 4096)
	return func(calls int) ([]byte, time.Duration, error) {
		count := 0
		begin := time.Now()
		for i := 0; i < calls; i++ {
			file, err := os.Open(name)
			if err != nil {
				return nil, 0, err
			}
			if count, err = file.Read(piece); err != nil && err != io.EOF {
				return nil, 0, err
			}
			file.Close()
		}
		return piece[:count], time.Since(begin), nil
	}
}

// parse reads a job line and its payload.
func parse(words []string, input io.Reader) (job, error) {
	line := strings.Join(words, " ")
	if line == "job empty" {
		return empty, nil
	}
	found := lengthWord.FindStringSubmatch(line)
	if found == nil {
		return nil, errors.New("not understood: " + line)
	}
	var lengths []int
	total := 0
	for _, word := range strings.Split(found[1]+found[2], ",") {
		length, err := strconv.Atoi(word)
		if total += length; err != nil || length > maxPayload || total > maxPayload {
			return nil, fmt.Errorf("len must be a number of bytes up to %d, "+
				"and lens such numbers with commas between", maxPayload)
		}
		lengths = append(lengths, length)
	}
	message := make([]byte, total)
	if _, err := io.ReadFull(input, message); err != nil {
		fmt.Fprintln(os.Stderr, "the input ends in the middle of the payload")
		os.Exit(1)
	}
	if match := digestLine.FindStringSubmatch(line); match != nil && digests[match[1]].one != nil {
		return digests[match[1]].one(message), nil
	}
	if match := manyLine.FindStringSubmatch(line); match != nil && digests[match[1]].many != nil {
		return digests[match[1]].many(cut(message, lengths)), nil
	}
	if match := cipherLine.FindStringSubmatch(line); match != nil {
		return crypt(match, message)
	}
	if len(words) == 3 && words[1] == "open" {
		return open(message), nil
	}
	return nil, errors.New("cannot do: " + line)
}

// cut gives the messages of these lengths, which stand one after another.
func cut(bytes []byte, lengths []int) [][]byte {
	messages := make([][]byte, len(lengths))
	for i, length := range lengths {
		messages[i], bytes = bytes[:length:length], bytes[length:]
	}
	return messages
}

var (
	lengthWord = regexp.MustCompile(`^job (?:many \S+ lens=(\d+(?:,\d+)*)|.* len=(\d+))(?: |$)`)
	digestLine = regexp.MustCompile(`^job digest (\S+) len=\d+(?: impl=go)?$`)
	manyLine   = regexp.MustCompile(`^job many (\S+) lens=[\d,]+(?: impl=go)?$`)
	number     = regexp.MustCompile(`^\d+$`)
)

// ready does the job once: the line that answers and what follows it.
func ready(current job) (string, error) {
	answer, elapsed, err := current(1)
	if err != nil {
		return "", err
	}
	took := strconv.FormatInt(elapsed.Nanoseconds(), 10) + "\n"
	switch {
	case len(answer) == 0:
		return "ready - " + took, nil
	case len(answer) > maxSpelled:
		return "ready +" + strconv.Itoa(len(answer)) + " " + took + string(answer), nil
	}
	return "ready " + hex.EncodeToString(answer) + " " + took, nil
}

func listing() string {
	var lines []string
	for name := range digests {
		lines = append(lines, "digest "+name+" go")
	}
	sort.Strings(lines)
	lines = append(lines, ciphers()...)
	return strings.Join(append(lines, "end\n"), "\n")
}

// reply answers a line, its end included; and what job there is then.
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
		answer, err := ready(next)
		if err != nil {
			return "", nil, err
		}
		return answer, next, nil
	case current == nil:
		return "", nil, errors.New("no job, or not understood: " + line)
	case line == "again":
		answer, err := ready(current)
		return answer, current, err
	case words[0] == "run" && len(words) == 2 && number.MatchString(words[1]):
		calls, err := strconv.Atoi(words[1])
		if err != nil {
			return "", current, err
		}
		_, elapsed, err := current(calls)
		return fmt.Sprintf("ran %d\n", elapsed.Nanoseconds()), current, err
	}
	return "", current, errors.New("not understood: " + line)
}

func main() {
	fmt.Printf("runner 1 go %s arch=%s\n",
		strings.TrimPrefix(strings.ReplaceAll(runtime.Version(), " ", "%20"), "go"), runtime.GOARCH)
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
			answer = "error " + err.Error() + "\n"
		}
		io.WriteString(os.Stdout, answer)
	}
}
