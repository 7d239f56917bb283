#ifndef HASHDYNO_H
#define HASHDYNO_H

/* Written by cbindgen from bindings/c/src: change those, then
   HASHDYNO_BLESS=1 cargo test -p hashdyno-c --test header */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The version of this header; hashdyno_version() gives that of the library that is loaded.
#define HASHDYNO_VERSION "0.1.0"
#define HASHDYNO_VERSION_MAJOR 0
#define HASHDYNO_VERSION_MINOR 1
#define HASHDYNO_VERSION_PATCH 0

#if defined(__cplusplus)
#define HASHDYNO_ALIGNED(n) alignas(n)
#elif defined(_MSC_VER)
#define HASHDYNO_ALIGNED(n) __declspec(align(n))
#else
#define HASHDYNO_ALIGNED(n) __attribute__((aligned(n)))
#endif

// No output (`out`) overlaps an input. Calls for rows and for offsets refuse it: a wrong length.

// Room for the text of any composite digest with the zero byte behind it, in bytes.
#define HASHDYNO_COMPOSITE_TEXT_SIZE 128

// Bytes of a hasher.
#define HASHDYNO_HASHER_SIZE 3072

// A hasher lies at an address that this divides, as whatever malloc returns does.
#define HASHDYNO_HASHER_ALIGN 16

// The longest digest of an algorithm that is not extendable, in bytes.
#define HASHDYNO_MAX_OUTPUT_LEN 128

// No saved hasher is longer, in bytes.
#define HASHDYNO_MAX_SAVED_LEN 3072

// What an algorithm is good for today.
typedef enum hashdyno_security {
  // Finds accidents, not adversaries; never was meant to.
  HASHDYNO_SECURITY_CHECKSUM,
  // Was cryptographic; collisions are practical.
  HASHDYNO_SECURITY_BROKEN,
  // No practical attack, but too short, too little studied or superseded: not for new designs.
  HASHDYNO_SECURITY_LEGACY,
  // Sound for new designs.
  HASHDYNO_SECURITY_SOUND,
} hashdyno_security;

// How a call went.
typedef enum hashdyno_status {
  // As asked.
  HASHDYNO_STATUS_OK = 0,
  // A pointer that must not be null is.
  HASHDYNO_STATUS_NULL_POINTER,
  // A hasher, or an array of offsets, is not aligned as its type asks.
  HASHDYNO_STATUS_MISALIGNED,
  // It is no algorithm of this library: get it by hashdyno_find or hashdyno_all.
  HASHDYNO_STATUS_UNKNOWN_ALGORITHM,
  // The algorithm has no kernel of that name.
  HASHDYNO_STATUS_UNKNOWN_KERNEL,
  // The CPU, or what the mask leaves of it, lacks what the kernel needs.
  HASHDYNO_STATUS_UNSUPPORTED_KERNEL,
  // A word of the CPU mask means nothing.
  HASHDYNO_STATUS_BAD_MASK,
  // The output has not the length that the algorithm gives, or overlaps an input, or a length is
  // beyond what memory can hold.
  HASHDYNO_STATUS_WRONG_LENGTH,
  // Offsets are not ascending, or reach out of the data.
  HASHDYNO_STATUS_BAD_OFFSETS,
  // The hasher was never started.
  HASHDYNO_STATUS_NOT_STARTED,
  // The bytes are no saved hasher.
  HASHDYNO_STATUS_BAD_SAVED,
  // A defect of the library: please report it.
  HASHDYNO_STATUS_INTERNAL,
  // The algorithm takes no such key, seed or secret at all.
  HASHDYNO_STATUS_NO_KEY,
  // The algorithm takes no key of that length, or no seed so great.
  HASHDYNO_STATUS_WRONG_KEY,
  // A hasher stands twice among those that go on side by side.
  HASHDYNO_STATUS_SAME_HASHER,
} hashdyno_status;

// A message being hashed in parts, piece by piece. It owns memory: end it by
// hashdyno_composite_free.
typedef struct hashdyno_composite hashdyno_composite;

// A key, bound to an algorithm. It belongs to the caller, who frees it; meanwhile any number of
// threads may use it.
typedef struct hashdyno_key hashdyno_key;

// A message under a key, piece by piece. It belongs to the caller, who frees it, and uses it in
// one thread at a time.
typedef struct hashdyno_keyed hashdyno_keyed;

// One way to compute an algorithm.
typedef struct hashdyno_kernel {
  // `portable`, `sha-ni`, `avx512vl` ...
  const char *name;
  // The CPU features it needs, separated by blanks.
  const char *needs;
} hashdyno_kernel;

// An algorithm: all there is to say of it. It belongs to the library and lasts as long as the
// process.
typedef struct hashdyno_algorithm {
  // Its one name in output: lower case, hyphens.
  const char *name;
  // Every name that hashdyno_find knows it by, its own first; null after the last.
  const char *const *names;
  // What PHP's hash() calls it; null if PHP lacks it.
  const char *php;
  // What OpenSSL calls it; null if OpenSSL lacks it.
  const char *openssl;
  // What Python's hashlib or zlib calls it; null if Python lacks it.
  const char *python;
  // The document that defines it.
  const char *specified_in;
  // What it is good for today.
  enum hashdyno_security security;
  // Whether it gives any length of output that is asked for (SHAKE, BLAKE3).
  bool extendable;
  // Bytes of a digest; of an extendable one, the length that is usual.
  size_t output_len;
  // Bytes of a block, as HMAC (RFC 2104) takes it.
  size_t block_len;
  // The digest of the nine bytes 123456789, in hexadecimal.
  const char *check;
  // The ways to compute it, best first; the last needs no CPU feature.
  const struct hashdyno_kernel *kernels;
  // How many kernels there are.
  size_t kernel_count;
} hashdyno_algorithm;

// A CPU, or what a mask leaves of it. Features that this machine lacks count for nothing, whatever
// the bits say.
typedef struct hashdyno_cpu {
  // A bit for each feature; which is which may change with the version.
  uint64_t features;
} hashdyno_cpu;

// A message being hashed, piece by piece. It owns no memory: copy it by assignment or memcpy, and
// drop it as it is. Zero it, or at least its first 16 bytes, or start it, before anything else. An
// algorithm uses no more of it than the first hashdyno_hasher_size_of bytes, and memory that is no
// longer than that will do for it, except to restore.
typedef struct HASHDYNO_ALIGNED(16) hashdyno_hasher {
  // The library's own.
  uint8_t opaque[HASHDYNO_HASHER_SIZE];
} hashdyno_hasher;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, such as `0.1.0`.
const char *hashdyno_version(void);

// All algorithms: the first of an array; how many there are goes to `count` unless it is null.
const struct hashdyno_algorithm *hashdyno_all(size_t *count);

// Finds an algorithm by any of its names, in any case. Gives null if no algorithm has the name.
// `crc32` is PHP's checksum; the CRC-32 of zip is `crc32b`.
const struct hashdyno_algorithm *hashdyno_find(const char *name);

// The name of a composite digest: those from `index` 0 on, null behind the last.
const char *hashdyno_composite_name(size_t index);

// Begins a message by a composite digest of that name, in any case (`dropbox`, `s3-etag`, `tth`,
// `git-blob` ...), and puts it into `composing`, which is null where that fails. `part_len` is the
// length of the parts in bytes where it may be chosen (s3-etag, s3-sha256, s3-sha1, s3-crc32c,
// s3-crc32, btih); 0: the usual one. `file` is the name of the file, which btih depends on, or
// null. `len` points to the length of the message in bytes, or is null: git-blob and btih then
// keep the message in memory.
enum hashdyno_status hashdyno_composite_start(struct hashdyno_composite **composing,
                                              const char *name,
                                              size_t part_len,
                                              const char *file,
                                              const uint64_t *len);

// Takes the next bytes of the message. Parts that they have whole are hashed together.
enum hashdyno_status hashdyno_composite_update(struct hashdyno_composite *composing,
                                               const void *data,
                                               size_t len);

// The digest of all bytes taken, as programs write it, to `text`, which has room for
// HASHDYNO_COMPOSITE_TEXT_SIZE bytes: in hexadecimal, but for tth and aich (Base32) and S3's
// checksums (Base64); S3's number of parts is behind a hyphen. A zero byte ends it. More bytes
// may follow. If git-blob or btih was told another length than that of all bytes taken, it is a
// wrong length.
enum hashdyno_status hashdyno_composite_text(const struct hashdyno_composite *composing,
                                             char *text);

// Ends a message and frees its memory. Null is no message, and nothing happens.
void hashdyno_composite_free(struct hashdyno_composite *composing);

// This machine's CPU, all that it has.
struct hashdyno_cpu hashdyno_cpu_native(void);

// This machine's CPU under a mask, to `cpu`: `all`, `none`, or features to take away, such as
// `-avx512f,-sha`.
enum hashdyno_status hashdyno_cpu_masked(const char *mask, struct hashdyno_cpu *cpu);

// The names of the CPU's features (null: of this machine's), separated by blanks and ended by a
// zero byte, to `text`, as far as its `len` bytes reach. Returns the length of all of it without
// the zero byte, as snprintf does.
size_t hashdyno_cpu_features(const struct hashdyno_cpu *cpu, char *text, size_t len);

// Which of the algorithm's kernels a hasher gets on this CPU (null: this machine's) if none is
// asked for: its place in `kernels`, to `index`.
enum hashdyno_status hashdyno_kernel_of(const struct hashdyno_algorithm *algorithm,
                                        const struct hashdyno_cpu *cpu,
                                        size_t *index);

// Makes a key for HMAC (RFC 2104) over a cryptographic algorithm of fixed length, or BLAKE3, of
// the `len` bytes at `bytes`, any number. They may change or go afterwards. `key` becomes null if
// the call fails. A key is wiped when it is freed.
enum hashdyno_status hashdyno_key_hmac(struct hashdyno_key **key,
                                       const struct hashdyno_algorithm *algorithm,
                                       const void *bytes,
                                       size_t len);

// As hashdyno_key_hmac, for the algorithm's own keyed mode: BLAKE2b takes 1 to 64 bytes, BLAKE2s 1
// to 32, BLAKE3 and HighwayHash 32, SipHash 16, Skein any number but 0.
enum hashdyno_status hashdyno_key_own(struct hashdyno_key **key,
                                      const struct hashdyno_algorithm *algorithm,
                                      const void *bytes,
                                      size_t len);

// As hashdyno_key_hmac, for a secret of XXH3 or XXH128: 136 to 1024 bytes.
enum hashdyno_status hashdyno_key_secret(struct hashdyno_key **key,
                                         const struct hashdyno_algorithm *algorithm,
                                         const void *bytes,
                                         size_t len);

// Makes a key of the seed of an xxHash, a Murmur3 or a SpookyHash; XXH32, murmur3a, murmur3c and
// spookyhash-32 take 32 bits.
enum hashdyno_status hashdyno_key_seed(struct hashdyno_key **key,
                                       const struct hashdyno_algorithm *algorithm,
                                       uint64_t seed);

// As hashdyno_key_hmac, for the derivation of keys by BLAKE3: `bytes` are the context, in UTF-8,
// which names what the keys are for. The messages are what keys are derived from, the codes of any
// length are the keys.
enum hashdyno_status hashdyno_key_derive(struct hashdyno_key **key,
                                         const struct hashdyno_algorithm *algorithm,
                                         const void *bytes,
                                         size_t len);

// The lengths in bytes of the shortest and the longest key that hashdyno_key_own takes, to `least`
// and `most`.
enum hashdyno_status hashdyno_key_lens(const struct hashdyno_algorithm *algorithm,
                                       size_t *least,
                                       size_t *most);

// Frees a key; null is allowed. Messages that were begun under it go on.
void hashdyno_key_free(struct hashdyno_key *key);

// The code of one whole message to `out`: `output_len` bytes, or any number under a key of
// BLAKE3's own.
enum hashdyno_status hashdyno_key_digest(const struct hashdyno_key *key,
                                         const void *message,
                                         size_t len,
                                         uint8_t *out,
                                         size_t out_len);

// The codes of `count` messages, as hashdyno_digest_many has them.
enum hashdyno_status hashdyno_key_digest_many(const struct hashdyno_key *key,
                                              const struct hashdyno_cpu *cpu,
                                              const void *const *messages,
                                              const size_t *lens,
                                              size_t count,
                                              uint8_t *out,
                                              size_t out_len);

// The codes of `count` messages, as hashdyno_digest_large_offsets has them.
enum hashdyno_status hashdyno_key_digest_large_offsets(const struct hashdyno_key *key,
                                                       const struct hashdyno_cpu *cpu,
                                                       const void *data,
                                                       size_t data_len,
                                                       const int64_t *offsets,
                                                       size_t count,
                                                       uint8_t *out,
                                                       size_t out_len);

// The codes of rows, as hashdyno_digest_rows has them.
enum hashdyno_status hashdyno_key_digest_rows(const struct hashdyno_key *key,
                                              const struct hashdyno_cpu *cpu,
                                              const void *data,
                                              size_t data_len,
                                              size_t width,
                                              uint8_t *out,
                                              size_t out_len);

// Begins a message under a key.
enum hashdyno_status hashdyno_keyed_new(struct hashdyno_keyed **keyed,
                                        const struct hashdyno_key *key);

// Takes the next bytes of the message.
enum hashdyno_status hashdyno_keyed_update(struct hashdyno_keyed *keyed,
                                           const void *bytes,
                                           size_t len);

// The code of all bytes taken to `out`, as hashdyno_key_digest has it. An empty message begins
// then.
enum hashdyno_status hashdyno_keyed_finish(struct hashdyno_keyed *keyed,
                                           uint8_t *out,
                                           size_t out_len);

// Frees a message; null is allowed.
void hashdyno_keyed_free(struct hashdyno_keyed *keyed);

// The digests of `count` messages, message i being the `lens[i]` bytes at `messages[i]` (null if
// there are none): that of message i to `out` from `i * output_len` on. `out_len` is `count *
// output_len`; `cpu` null: this machine's.
enum hashdyno_status hashdyno_digest_many(const struct hashdyno_algorithm *algorithm,
                                          const struct hashdyno_cpu *cpu,
                                          const void *const *messages,
                                          const size_t *lens,
                                          size_t count,
                                          uint8_t *out,
                                          size_t out_len);

// As hashdyno_digest_many, for messages that lie one after another in `data`: message i from
// `offsets[i]` up to `offsets[i + 1]`. There are `count + 1` offsets. Arrow's binary and string
// layout.
enum hashdyno_status hashdyno_digest_offsets(const struct hashdyno_algorithm *algorithm,
                                             const struct hashdyno_cpu *cpu,
                                             const void *data,
                                             size_t data_len,
                                             const int32_t *offsets,
                                             size_t count,
                                             uint8_t *out,
                                             size_t out_len);

// As hashdyno_digest_offsets, with 64-bit offsets: Arrow's large layout.
enum hashdyno_status hashdyno_digest_large_offsets(const struct hashdyno_algorithm *algorithm,
                                                   const struct hashdyno_cpu *cpu,
                                                   const void *data,
                                                   size_t data_len,
                                                   const int64_t *offsets,
                                                   size_t count,
                                                   uint8_t *out,
                                                   size_t out_len);

// As hashdyno_digest_offsets, for rows of `width` bytes, which is not 0: there are `data_len /
// width`, and no rest.
enum hashdyno_status hashdyno_digest_rows(const struct hashdyno_algorithm *algorithm,
                                          const struct hashdyno_cpu *cpu,
                                          const void *data,
                                          size_t data_len,
                                          size_t width,
                                          uint8_t *out,
                                          size_t out_len);

// The keys that `count` passwords make by PBKDF2 (RFC 8018) with HMAC over the algorithm, each
// with the salt of its number: password i being the `password_lens[i]` bytes at `passwords[i]`
// (null if there are none), salts alike. They are computed together and go to `out` one after
// another, all of one length: `out_len` is a multiple of `count`. No iterations are a wrong
// length, too. `cpu` null: this machine's.
enum hashdyno_status hashdyno_pbkdf2_many(const struct hashdyno_algorithm *algorithm,
                                          const struct hashdyno_cpu *cpu,
                                          const void *const *passwords,
                                          const size_t *password_lens,
                                          const void *const *salts,
                                          const size_t *salt_lens,
                                          size_t count,
                                          uint32_t iterations,
                                          uint8_t *out,
                                          size_t out_len);

// HASHDYNO_HASHER_SIZE of the library that is loaded, to be held against that of the header.
size_t hashdyno_hasher_size(void);

// The bytes of a hasher that this algorithm uses, a multiple of HASHDYNO_HASHER_ALIGN: 160 for
// MD5, nearly all for BLAKE3. 0 if it is no algorithm.
size_t hashdyno_hasher_size_of(const struct hashdyno_algorithm *algorithm);

// HASHDYNO_HASHER_ALIGN of the library that is loaded.
size_t hashdyno_hasher_align(void);

// The digest of one whole message to `out`, which is `output_len` bytes long, or any if the
// algorithm is extendable. `kernel` null: the best there is; `cpu` null: this machine's.
enum hashdyno_status hashdyno_digest(const struct hashdyno_algorithm *algorithm,
                                     const char *kernel,
                                     const struct hashdyno_cpu *cpu,
                                     const void *message,
                                     size_t len,
                                     uint8_t *out,
                                     size_t out_len);

// Begins a message, by the best kernel of this machine.
enum hashdyno_status hashdyno_start(struct hashdyno_hasher *hasher,
                                    const struct hashdyno_algorithm *algorithm);

// Begins a message, by a given kernel (null: the best) on a given CPU (null: this machine's).
enum hashdyno_status hashdyno_start_with(struct hashdyno_hasher *hasher,
                                         const struct hashdyno_algorithm *algorithm,
                                         const char *kernel,
                                         const struct hashdyno_cpu *cpu);

// The bytes of a hasher that a message under this key uses, a multiple of HASHDYNO_HASHER_ALIGN,
// HASHDYNO_HASHER_SIZE at most. 0 if the key is null or that of an HMAC: hashdyno_keyed_new takes
// that.
size_t hashdyno_hasher_size_under(const struct hashdyno_key *key);

// Begins a message under a key that is no HMAC, in a hasher of which there are `room` bytes; too
// few are a wrong length. The key may be freed. The hasher is copied as any other, but not saved;
// what it holds may tell of the key, and hashdyno_finish overwrites it: it is not started then.
enum hashdyno_status hashdyno_start_under(struct hashdyno_hasher *hasher,
                                          size_t room,
                                          const struct hashdyno_key *key);

// Takes the next bytes of the message.
enum hashdyno_status hashdyno_update(struct hashdyno_hasher *hasher, const void *bytes, size_t len);

// Takes the next bytes of many messages side by side, those of one algorithm in the lanes of a
// core's vectors: `lens[i]` bytes at `pieces[i]` for `hashers[i]`. It gives what hashdyno_update
// gives, one after another. Each hasher must be another one; one that stands there twice, or was
// not started, is an error, and then none has taken anything. The lanes are those of this machine,
// whatever kernel or CPU a hasher was started with.
enum hashdyno_status hashdyno_update_many(struct hashdyno_hasher *const *hashers,
                                          const void *const *pieces,
                                          const size_t *lens,
                                          size_t count);

// The digest of all bytes taken to `out`, which is `output_len` bytes long, or any if the
// algorithm is extendable. The hasher then begins an empty message, unless it was under a key.
enum hashdyno_status hashdyno_finish(struct hashdyno_hasher *hasher, uint8_t *out, size_t out_len);

// The algorithm of a hasher; null if it was not started.
const struct hashdyno_algorithm *hashdyno_algorithm_of(const struct hashdyno_hasher *hasher);

// The running hash as bytes, to `saved`; `len` says how many fit, and is told how many there are
// (HASHDYNO_MAX_SAVED_LEN is always enough; too few is a wrong length). They tell as much of the
// message as the hasher itself. A hasher under a key counts as not started here.
enum hashdyno_status hashdyno_save(const struct hashdyno_hasher *hasher,
                                   uint8_t *saved,
                                   size_t *len);

// Goes on with a hash that hashdyno_save made bytes of: the same version, a machine of the same
// byte order. The hasher has room for any algorithm, as the bytes may be of any. Damage is
// noticed; bytes forged on purpose may give a hasher that answers "a defect of hashdyno", but no
// worse.
enum hashdyno_status hashdyno_restore(struct hashdyno_hasher *hasher,
                                      const uint8_t *saved,
                                      size_t len);

// What a status says, as a sentence; never null, and for a number that is no status "unknown
// status".
const char *hashdyno_message(int32_t status);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* HASHDYNO_H */
