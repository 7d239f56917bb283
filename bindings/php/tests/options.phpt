--TEST--
Options: with a seed or a secret PHP's own algorithm computes under our name; where PHP lacks the algorithm, they are refused
--EXTENSIONS--
hashdyno
--FILE--
<?php
require __DIR__ . '/common.inc';
$message = pattern(3000);
$seed = ['seed' => 0x12345678];
$all = ['murmur3a' => [$seed], 'murmur3c' => [$seed], 'murmur3f' => [$seed], 'xxh32' => [$seed], 'xxh64' => [$seed]];
if (PHP_VERSION_ID >= 80200) { // before, what hash_pbkdf2() hands over as options is not to be looked at, so that no digest does
    $all['md5'] = [$seed];
    check(str_starts_with(outcome(fn () => hash('blake3', 'x', options: $seed)), 'ValueError'), 'blake3 with a seed');
}
$all['xxh3'] = $all['xxh128'] = [$seed, ['secret' => pattern(200)]];
foreach ($all as $algo => $choices) {
    foreach ($choices as $options) {
        $expected = hash($algo, $message, options: $options);
        check(hash("hashdyno-$algo", $message, options: $options) === $expected, "$algo in one call");
        $first = hash_init("hashdyno-$algo", options: $options);
        hash_update($first, substr($message, 0, 777));
        check(str_contains(outcome(fn () => serialize($first)), 'cannot be serialized'), "$algo is not serialised");
        $copy = hash_copy($first);
        $clone = clone $first;
        foreach ([$first, $copy, $clone] as $which => $hash) {
            hash_update($hash, substr($message, 777));
            check(hash_final($hash) === $expected, "$algo in pieces, $which");
        }
    }
    $other = ['other' => 1];
    check(hash("hashdyno-$algo", $message, options: $other) === hash($algo, $message), "$algo with an option that nobody knows");
}
echo outcome(fn () => hash_init('hashdyno-xxh3', options: ['secret' => 'short'])), "\n";
echo outcome(fn () => hash('hashdyno-xxh3', 'x', options: ['secret' => 'short'])), "\n";
echo outcome(fn () => hash('crc64', 'x', options: $seed)), "\n";
echo outcome(fn () => hash_init('crc64', options: ['secret' => 's'])), "\n";
?>
--EXPECTF--
Error: xxh3: Secret length must be >= 136 bytes, 5 bytes passed
Error: xxh3: Secret length must be >= 136 bytes, 5 bytes passed
ValueError: hashdyno's crc64%stakes no option "seed" or "secret"
ValueError: hashdyno's crc64%stakes no option "seed" or "secret"
