<?php
// PHP's own functions against ours, call cost included: each pair in turn, in one run. Prints; asserts nothing but equal answers.
//   php -d extension=hashdyno bench.php [LENGTH ...]     every twin at these lengths, after the pairs that the documents ask for
declare(strict_types=1);

const ROUNDS = 101;
const SAMPLE_NS = 200_000; // short, so that few samples are interrupted

/** Nanoseconds that $calls calls take. */
function sample(Closure $work, int $calls): int
{
    $begin = hrtime(true);
    for ($i = 0; $i < $calls; $i++) {
        $work();
    }
    return hrtime(true) - $begin;
}

/** Calls that fill a sample. */
function calls(Closure $work): int
{
    for ($calls = 1; ($took = sample($work, $calls)) < SAMPLE_NS / 4; $calls *= 2);
    return max(1, intdiv($calls * SAMPLE_NS, $took));
}

function quantile(array $values, float $at): float
{
    sort($values);
    return $values[(int) round($at * (count($values) - 1))];
}

/** Times both in turn, now one first, now the other. Prints the fastest of each and their ratio, then the median of the paired
ratios with its quartiles: where the two disagree, the machine was busy. */
function pair(string $what, Closure $php, Closure $ours): void
{
    $php() === $ours() or throw new LogicException("$what: the answers differ");
    $calls = [calls($php), calls($ours)];
    $times = $ratios = [];
    for ($round = 0; $round < ROUNDS; $round++) {
        $one = [];
        foreach ($round % 2 ? [0, 1] : [1, 0] as $side) {
            $one[$side] = sample([$php, $ours][$side], $calls[$side]) / $calls[$side];
        }
        $times[0][] = $one[0];
        $times[1][] = $one[1];
        $ratios[] = $one[0] / $one[1];
    }
    printf("%-48s %12.0f ns %12.0f ns %8.2f %10.2f  (%.2f to %.2f)\n", $what, min($times[0]), min($times[1]),
        min($times[0]) / min($times[1]), quantile($ratios, 0.5), quantile($ratios, 0.25), quantile($ratios, 0.75));
}

/** hash() of PHP's own and of our twin. */
function twins(string $algo, int $len): void
{
    $message = substr(str_repeat('hashdyno', intdiv($len, 8) + 1), 0, $len);
    pair("hash('$algo'), $len bytes", fn () => hash($algo, $message), fn () => hash("hashdyno-$algo", $message));
}

$info = hashdyno_info();
printf("PHP %s, hashdyno %s, %d rounds each; CPU: %s\n", PHP_VERSION, $info['version'], ROUNDS, $info['cpu']);
printf("%-48s %15s %15s %8s %10s  %s\n", 'fastest sample of each', 'PHP', 'hashdyno', 'ratio', 'paired', '(quartiles)');

$short = array_map(fn (int $i): string => sprintf('%05d', $i), range(0, 99_999));
$loop = function (string $algo) use ($short): array {
    $digests = [];
    foreach ($short as $message) {
        $digests[] = hash($algo, $message);
    }
    return $digests;
};
$md5s = function () use ($short): array {
    $digests = [];
    foreach ($short as $message) {
        $digests[] = md5($message);
    }
    return $digests;
};
pair('100,000 of 5 bytes: md5(), hashdyno_many', $md5s, fn () => hashdyno_many('md5', $short));
foreach (['sha1', 'sha256', 'crc32b'] as $algo) {
    pair("100,000 of 5 bytes: hash('$algo'), hashdyno_many", fn () => $loop($algo), fn () => hashdyno_many($algo, $short));
}
twins('haval256,5', 5000);
twins('sha256', 5000);

foreach (array_slice($argv, 1) as $len) {
    foreach (hash_algos() as $algo) {
        if (in_array("hashdyno-$algo", hash_algos(), true)) {
            twins($algo, (int) $len);
        }
    }
}
