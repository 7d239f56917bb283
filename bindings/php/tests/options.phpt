--TEST--
Options: seeds and secrets give what PHP's own algorithm gives, by our kernels; where PHP lacks the algorithm, they are refused
--EXTENSIONS--
hashdyno
--FILE--
<?php
require __DIR__ . '/common.inc';
$message = pattern(3000);
$seeds = [['seed' => 0x12345678], ['seed' => 0], ['seed' => -1], ['seed' => PHP_INT_MIN]];
$secrets = array_map(fn (int $len): array => ['secret' => strrev(pattern($len))], [136, 137, 192, 200, 256]);
$all = array_fill_keys(['murmur3a', 'murmur3c', 'murmur3f', 'xxh32', 'xxh64'], [...$seeds, $secrets[0]]);
$all['xxh3'] = $all['xxh128'] = [...$seeds, ...$secrets];
if (PHP_VERSION_ID >= 80200) { // before, what hash_pbkdf2() hands over as options is not to be looked at, so that no digest does
    $all['md5'] = [$seeds[0], $secrets[0]];
    check(str_starts_with(outcome(fn () => hash('blake3', 'x', options: $seeds[0])), 'ValueError'), 'blake3 with a seed');
}
$slow = getenv('USE_ZEND_ALLOC') === '0'; // under valgrind or a sanitizer
$lens = $slow ? [0, 1, 3, 4, 8, 9, 16, 17, 128, 129, 240, 241, 300, 1025, 3000] : [...range(0, 300), 511, 512, 513, 1023, 1024, 1025, 3000];
foreach ($all as $algo => $choices) {
    foreach ($choices as $number => $options) {
        $name = "$algo, option $number";
        $each = array_map(fn (int $len): string => substr($message, 0, $len), $lens);
        $own = array_map(fn (string $message): string => hash($algo, $message, options: $options), $each);
        check(hashdyno_many($algo, $each, false, $options) === $own, "$name, many");
        foreach ($each as $at => $whole) {
            check(hash("hashdyno-$algo", $whole, options: $options) === $own[$at], "$name, $lens[$at] bytes in one call");
        }
        $rows = array_map(fn (string $row): string => hash($algo, $row, options: $options), str_split($message, 5));
        check(hashdyno_rows($algo, $message, 5, false, $options) === implode($rows), "$name, rows");
        $first = hash_init("hashdyno-$algo", options: $options);
        hash_update($first, substr($message, 0, 777));
        $counts = isset($options['seed']) ? $algo !== 'md5' : in_array($algo, ['xxh3', 'xxh128'], true);
        check(str_contains(outcome(fn () => serialize($first)), 'cannot be serialized') === $counts, "$name is not serialised");
        $copy = hash_copy($first);
        $clone = clone $first;
        foreach ([$first, $copy, $clone] as $which => $hash) {
            hash_update($hash, substr($message, 777));
            check(hash_final($hash) === end($own), "$name in pieces, $which");
        }
        hash_init("hashdyno-$algo", options: $options); // dropped unfinished
    }
    $other = ['other' => 1];
    check(hash("hashdyno-$algo", $message, options: $other) === hash($algo, $message), "$algo with an option that nobody knows");
}
// What PHP's own says of a seed that is none, a secret that is longer than it takes, and both.
foreach (['xxh3', 'xxh128', 'xxh32', 'murmur3f'] as $algo) {
    foreach ([['seed' => '5'], ['seed' => null], ['secret' => pattern(300)], ['secret' => 5], ['seed' => 1, 'secret' => pattern(200)]] as $options) {
        $said = [];
        set_error_handler(function (int $level, string $text) use (&$said) {
            return $said[] = $text;
        });
        $outcomes = array_map(fn (string $algo): string => outcome(function () use ($algo, $options, &$digests) {
            return $digests[] = hash($algo, 'message', options: $options);
        }), [$algo, "hashdyno-$algo"]);
        restore_error_handler();
        check($outcomes[0] === $outcomes[1], "$algo: $outcomes[0], $outcomes[1]");
        $half = intdiv(count($said), 2);
        check(count($said) % 2 === 0 && array_slice($said, 0, $half) === array_slice($said, $half), "$algo: " . implode(', ', $said));
        check(count(array_unique($digests ?? [])) <= 1, "$algo: one digest");
        $digests = [];
    }
}
foreach (answers('keys.txt') as $line) {
    if ($line[0] === 'seed') {
        [, $name, , $seed, $spelt, $expected] = $line;
        $seed = unpack('J', hex2bin(str_pad(hexadecimal($seed), 16, '0', STR_PAD_LEFT)))[1]; // may be more than PHP_INT_MAX
        check(hash(ours()[$name], message($spelt), options: ['seed' => $seed]) === $expected, implode(' ', $line));
    }
}
echo outcome(fn () => hash_init('hashdyno-xxh3', options: ['secret' => 'short'])), "\n";
echo outcome(fn () => hash('hashdyno-xxh3', 'x', options: ['secret' => 'short'])), "\n";
echo outcome(fn () => hashdyno_many('xxh3', ['x'], options: ['secret' => 'short'])), "\n";
echo outcome(fn () => hash('crc64', 'x', options: $seeds[0])), "\n";
echo outcome(fn () => hash_init('crc64', options: ['secret' => 's'])), "\n";
echo outcome(fn () => hashdyno_rows('crc64', 'x', 1, false, ['seed' => 1])), "\n";

/** A number in hexadecimal. */
function hexadecimal(string $number): string
{
    for ($digits = ''; $number !== ''; $number = ltrim($quotient, '0')) {
        for ($at = $rest = 0, $quotient = ''; $at < strlen($number); $at++) {
            $rest = 10 * $rest + (int) $number[$at];
            $quotient .= intdiv($rest, 16);
            $rest %= 16;
        }
        $digits = dechex($rest) . $digits;
    }
    return $digits;
}
?>
--EXPECTF--
Error: xxh3: Secret length must be >= 136 bytes, 5 bytes passed
Error: xxh3: Secret length must be >= 136 bytes, 5 bytes passed
Error: xxh3: Secret length must be >= 136 bytes, 5 bytes passed
ValueError: hashdyno's crc64%stakes no option "seed" or "secret"
ValueError: hashdyno's crc64%stakes no option "seed" or "secret"
ValueError: hashdyno's crc64%stakes no option "seed" or "secret"
