// HMAC of many short messages: hashdyno's rows beside OpenSSL's loops, interleaved in one process.
// Every code of the first round is compared. Prints the median of each way and of its ratio.
//
//   make bindings-c
//   cc -O2 -Ibindings/c/include -o hmac bindings/c/benches/hmac.c target/release/libhashdyno.a
//      -lcrypto -lpthread -ldl -lm
//   ./hmac [BYTES [ALGORITHM]]
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "hashdyno.h"

enum { ROWS = 1000, ROUNDS = 301, TURNS = 20, MOST = 64 };

static const char *algorithm = "sha256";
static const uint8_t key[32] = "a key of thirty-two bytes, kept";
static uint8_t *data, codes[ROWS * MOST];
static size_t width = 32, len;

static hashdyno_key *ours;
static EVP_MAC_CTX *mac;
static HMAC_CTX *context;
static const EVP_MD *digest;

static void rows(void) {
  if (hashdyno_key_digest_rows(ours, NULL, data, ROWS * width, width, codes, ROWS * len)) abort();
}

static void init_ex(void) {
  for (size_t row = 0; row < ROWS; row++) {
    unsigned n;
    HMAC_Init_ex(context, NULL, 0, NULL, NULL);
    HMAC_Update(context, data + row * width, width);
    HMAC_Final(context, codes + row * len, &n);
  }
}

static void evp_mac(void) {
  for (size_t row = 0; row < ROWS; row++) {
    size_t n;
    EVP_MAC_init(mac, NULL, 0, NULL);
    EVP_MAC_update(mac, data + row * width, width);
    EVP_MAC_final(mac, codes + row * len, &n, len);
  }
}

static void one_shot(void) {
  for (size_t row = 0; row < ROWS; row++) {
    unsigned n;
    HMAC(digest, key, sizeof key, data + row * width, width, codes + row * len, &n);
  }
}

static const struct {
  const char *name;
  void (*call)(void);
} ways[] = {
    {"hashdyno_key_digest_rows", rows},
    {"OpenSSL: HMAC_Init_ex, the key kept", init_ex},
    {"OpenSSL: EVP_MAC, the key kept", evp_mac},
    {"OpenSSL: HMAC()", one_shot},
};
enum { WAYS = sizeof ways / sizeof *ways };

static double median(double *of) {
  qsort(of, ROUNDS, sizeof *of, by_size);
  return of[ROUNDS / 2];
}

int main(int argc, char **argv) {
  if (argc > 1) width = strtoul(argv[1], NULL, 10);
  if (argc > 2) algorithm = argv[2];
  digest = EVP_get_digestbyname(algorithm);
  const hashdyno_algorithm *known = hashdyno_find(algorithm);
  if (!digest || !known || width == 0) {
    fprintf(stderr, "error: expected bytes of a message, and a digest of OpenSSL and hashdyno\n");
    return 2;
  }
  len = known->output_len;
  data = malloc(ROWS * width);
  for (size_t i = 0; i < ROWS * width; i++) data[i] = i % 251;
  if (hashdyno_key_hmac(&ours, known, key, sizeof key)) return 2;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST,
                                                          (char *)algorithm, 0),
                         OSSL_PARAM_construct_end()};
  mac = EVP_MAC_CTX_new(EVP_MAC_fetch(NULL, "HMAC", NULL));
  EVP_MAC_init(mac, key, sizeof key, params);
  context = HMAC_CTX_new();
  HMAC_Init_ex(context, key, sizeof key, digest, NULL);

  uint8_t expected[ROWS * MOST];
  static double ns[WAYS][ROUNDS], ratios[WAYS][ROUNDS];
  for (int round = 0; round < ROUNDS; round++) {
    for (int turn = 0; turn < WAYS; turn++) {
      int way = (turn + round) % WAYS;  // who follows whom changes
      memset(codes, 0, sizeof codes);
      double begin = seconds();
      for (int i = 0; i < TURNS; i++) ways[way].call();
      ns[way][round] = 1e9 * (seconds() - begin) / TURNS / ROWS;
      if (round == 0 && way == 0) memcpy(expected, codes, ROWS * len);
      if (memcmp(expected, codes, ROWS * len) != 0) {
        fprintf(stderr, "error: %s gives other codes\n", ways[way].name);
        return 1;
      }
    }
    for (int way = 0; way < WAYS; way++) ratios[way][round] = ns[way][round] / ns[0][round];
  }
  printf("HMAC-%s of %d messages of %zu bytes, %d rounds; %s\n", algorithm, ROWS, width, ROUNDS,
         OpenSSL_version(OPENSSL_VERSION));
  for (int way = 0; way < WAYS; way++) {
    double ratio = median(ratios[way]);
    printf("%-36s %7.1f ns a message  %6.2f times (middle half %.2f to %.2f)\n", ways[way].name,
           median(ns[way]), ratio, ratios[way][ROUNDS / 4], ratios[way][3 * ROUNDS / 4]);
  }
  return 0;
}
