<?php
// PHP's own functions against ours, call cost included: each pair in turn, in one run. Prints;
// asserts nothing but equal answers.
//   php -d extension=hashdyno bench.php [--rounds N] [--record FILE] [LENGTH ...]
// LENGTH: every twin at these lengths, after the pairs that the documents ask for. FILE takes JSON
// lines: the machine and the versions, then each pair with the nanoseconds a call of every round.
declare(strict_types=1);

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

/**
 * Times both in turn, now one first, now the other. Prints the fastest of each and their ratio,
 * then the median of the paired ratios with its quartiles: where the two disagree, the machine was
 * busy.
 */
function pair(string $what, Closure $php, Closure $ours): void
{
    global $rounds, $series;
    $php() === $ours() or throw new LogicException("$what: the answers differ");
    $calls = [calls($php), calls($ours)];
    $times = $ratios = [];
    for ($round = 0; $round < $rounds; $round++) {
        $one = [];
        foreach ($round % 2 ? [0, 1] : [1, 0] as $side) {
            $one[$side] = sample([$php, $ours][$side], $calls[$side]) / $calls[$side];
        }
        $times[0][] = round($one[0], 2);
        $times[1][] = round($one[1], 2);
        $ratios[] = $one[0] / $one[1];
    }
    $series[] = ['line' => 'series', 'what' => $what, 'calls' => $calls,
        'php_ns' => $times[0], 'hashdyno_ns' => $times[1]];
    printf("%-48s %12.0f ns %12.0f ns %8.2f %10.2f  (%.2f to %.2f)\n", $what,
        min($times[0]), min($times[1]), min($times[0]) / min($times[1]),
        quantile($ratios, 0.5), quantile($ratios, 0.25), quantile($ratios, 0.75));
}

/** hash() of PHP's own and of our twin. */
function twins(string $algo, int $len): void
{
    $message = substr(str_repeat('hashdyno', intdiv($len, 8) + 1), 0, $len);
    $twin = "hashdyno-$algo"; // put together once: PHP's own name is, too
    pair("hash('$algo'), $len bytes", fn () => hash($algo, $message),
        fn () => hash($twin, $message));
}

/** What was measured, where and when. */
function head(array $info): array
{
    global $rounds, $lengths;
    $cpu = (string) @file_get_contents('/proc/cpuinfo');
    return [
        'line' => 'head',
        'schema' => 1,
        'date' => gmdate('Y-m-d\TH:i:sP'),
        'command' => rtrim("bindings/php/bench.php --rounds $rounds " . implode(' ', $lengths)),
        'machine' => [
            'cpu' => preg_match('/^model name\s*:\s*(.*)$/m', $cpu, $found)
                ? $found[1] : php_uname('m'),
            'features' => $info['cpu'],
            'cores' => preg_match_all('/^processor\b/m', $cpu),
            'kernel' => php_uname('r'),
        ],
        'load' => sys_getloadavg()[0],
        'versions' => ['php' => PHP_VERSION, 'hashdyno' => $info['version']],
        'kernels' => array_column($info['algorithms'], 'kernel', 'algo'),
        'rounds' => $rounds,
    ];
}

$rounds = 101;
$record = null;
$series = $lengths = [];
for ($words = array_slice($argv, 1); $words; ) {
    match ($word = array_shift($words)) {
        '--rounds' => $rounds = max(1, (int) array_shift($words)),
        '--record' => $record = array_shift($words),
        default => $lengths[] = preg_match('/^\d+$/', $word)
            ? (int) $word : exit("error: '$word' is no length in bytes\n"),
    };
}
$info = hashdyno_info();
$head = head($info);
printf("PHP %s, hashdyno %s, %d rounds each; CPU: %s\n", PHP_VERSION, $info['version'], $rounds,
    $info['cpu']);
printf("%-48s %15s %15s %8s %10s  %s\n", 'fastest sample of each', 'PHP',
    'hashdyno', 'ratio', 'paired', '(quartiles)');

$rows = implode(array_map(fn (int $i): string => sprintf('%05d', $i), range(0, 99_999)));
// Each as long as it must be: sprintf leaves its strings in buffers of hundreds of bytes.
$short = str_split($rows, 5);
$rows5000 = substr($rows, 0, 5000);
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
    pair("100,000 of 5 bytes: hash('$algo'), hashdyno_many", fn () => $loop($algo),
        fn () => hashdyno_many($algo, $short));
}
$hmacs = function (string $algo) use ($short): array {
    $codes = [];
    foreach ($short as $message) {
        $codes[] = hash_hmac($algo, $message, 'a key of some length');
    }
    return $codes;
};
foreach (['md5', 'sha1', 'sha256', 'sha512'] as $algo) {
    pair("100,000 of 5 bytes: hash_hmac('$algo'), hashdyno_hmac_many", fn () => $hmacs($algo),
        fn () => hashdyno_hmac_many($algo, $short, 'a key of some length'));
}
foreach (['xxh3', 'murmur3f'] as $algo) {
    $seed = ['seed' => 1];
    pair("hash('$algo') with a seed, 5000 bytes",
        fn () => hash($algo, $rows5000, options: $seed),
        fn () => hash("hashdyno-$algo", $rows5000, options: $seed));
    pair("hash('$algo') with a seed, 5 bytes",
        fn () => hash($algo, 'hello', options: $seed),
        fn () => hash("hashdyno-$algo", 'hello', options: $seed));
}
$passwords = array_slice($short, 0, 100);
$pbkdf2 = fn (): array => array_map(
    fn (string $password): string => hash_pbkdf2('sha256', $password, 'salt', 1000), $passwords);
pair("100 passwords: hash_pbkdf2('sha256', 1000), hashdyno_pbkdf2_many", $pbkdf2,
    fn () => hashdyno_pbkdf2_many('sha256', $passwords, array_fill(0, 100, 'salt'), 1000));
pair('100,000 of 5 bytes: md5(), hashdyno_rows', fn () => implode($md5s()),
    fn () => hashdyno_rows('md5', $rows, 5));
twins('haval256,5', 5000);
twins('sha256', 5000);

foreach ($lengths as $len) {
    foreach (hash_algos() as $algo) {
        if (in_array("hashdyno-$algo", hash_algos(), true)) {
            twins($algo, $len);
        }
    }
}
if ($record !== null) {
    file_put_contents($record, implode("\n", array_map(
        fn (array $line): string => json_encode($line, JSON_UNESCAPED_SLASHES),
        [$head, ...$series])) . "\n") !== false or exit(1);
}
