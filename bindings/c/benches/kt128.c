// KT128 of one message: hashdyno beside XKCP's KangarooTwelve, interleaved in one process.
// Every digest is compared. Prints the median of each program and of the ratio.
//
//   make bindings-c
//   git clone https://github.com/XKCP/K12
//   cc -O3 -march=native -Ibindings/c/include -IK12/lib -IK12/lib/Optimized64 -o kt128
//      bindings/c/benches/kt128.c K12/lib/KangarooTwelve*.c K12/lib/KT-threadpool-sequential.c
//      K12/lib/Optimized64/*{opt64,timesN-*,runtimeDispatch}.c K12/lib/Optimized64/*.s
//      target/release/libhashdyno.a -lpthread -ldl -lm
//   ./kt128 [BYTES]
#include <KangarooTwelve.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "hashdyno.h"

enum { ROUNDS = 1001, LEN = 32 };

int main(int argc, char **argv) {
  size_t bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 1 << 20;
  const hashdyno_algorithm *known = hashdyno_find("kt128");
  uint8_t *data = malloc(bytes + 1), ours[LEN], theirs[LEN];
  if (!known || known->output_len != LEN || !data) return 2;
  for (size_t i = 0; i < bytes; i++) data[i] = i % 251;

  static double own[ROUNDS], their[ROUNDS], ratios[ROUNDS];
  for (int round = 0; round < ROUNDS; round++) {
    for (int turn = 0; turn < 2; turn++) {
      double begin = seconds();
      if ((turn + round) % 2) {  // who follows whom changes
        if (hashdyno_digest(known, NULL, NULL, data, bytes, ours, LEN)) return 2;
        own[round] = seconds() - begin;
      } else {
        if (KT128(data, bytes, theirs, LEN, NULL, 0)) return 2;
        their[round] = seconds() - begin;
      }
    }
    ratios[round] = their[round] / own[round];
    if (memcmp(ours, theirs, LEN) != 0) {
      fprintf(stderr, "error: the digests differ\n");
      return 1;
    }
  }
  qsort(own, ROUNDS, sizeof *own, by_size);
  qsort(their, ROUNDS, sizeof *their, by_size);
  qsort(ratios, ROUNDS, sizeof *ratios, by_size);
  int half = ROUNDS / 2, quarter = ROUNDS / 4;
  printf("KT128 of %zu bytes, %d rounds\n", bytes, ROUNDS);
  printf("hashdyno %10.1f us\n", 1e6 * own[half]);
  printf("XKCP     %10.1f us  %.3f times (middle half %.3f to %.3f)\n", 1e6 * their[half],
         ratios[half], ratios[quarter], ratios[ROUNDS - 1 - quarter]);
  return 0;
}
