--TEST--
Keys: hashdyno_hmac_many(), the options "key" and "context", hashdyno_derive_key(); against PHP's own, libsodium and published vectors
--EXTENSIONS--
hashdyno
--FILE--
<?php
require __DIR__ . '/common.inc';

/** As vectors/keys.py makes keys. */
function secret(int $len): string
{
    return implode(array_map(fn (int $at): string => chr((7 * $at + 3) % 256), $len ? range(0, $len - 1) : []));
}

/** Messages that fill lanes, of which none is as long as the next. */
function messages(int $count): array
{
    return array_map(fn (int $at): string => substr(pattern(700), $at % 7, $at * 37 % 300), range(0, $count - 1));
}

// HMAC over everything that has it: PHP's own where PHP has the algorithm.
$slow = getenv('USE_ZEND_ALLOC') === '0'; // under valgrind or a sanitizer
$messages = messages($slow ? 40 : 300);
$has_hmac = array_filter(array_intersect(ours(), hash_hmac_algos()), fn (string $name): bool => !preg_match('/^(turbo)?shake|^kt|xof/', $name), ARRAY_FILTER_USE_KEY);
foreach ($has_hmac as $name => $algo) {
    $own = str_starts_with($algo, 'hashdyno-') ? substr($algo, strlen('hashdyno-')) : $algo;
    foreach (array_map(secret(...), [0, 20, 200]) as $key) {
        $expected = array_map(fn (string $message): string => hash_hmac($own, $message, $key), $messages);
        check(hashdyno_hmac_many($name, $messages, $key) === $expected, "HMAC over $name");
    }
    check(hashdyno_hmac_many($algo, ['k' => 'abc', 7 => ''], 'key', true) === ['k' => hash_hmac($own, 'abc', 'key', true), 7 => hash_hmac($own, '', 'key', true)], "HMAC over $name under keys");
}
check(count($has_hmac) >= 60, count($has_hmac) . ' digests have an HMAC');
check(hashdyno_hmac_many('sha256', [], 'key') === [], 'no messages');

// The keyed modes, whole, in pieces, of files, of many and of rows.
$path = tempnam(sys_get_temp_dir(), 'hashdyno');
$keyed = function (string $algo, string $message, string $key): string {
    $options = ['key' => $key];
    $code = hashdyno_many($algo, [$message], true, $options)[0];
    if (PHP_VERSION_ID < 80200 && in_array($algo, hash_hmac_algos(), true)) {
        return $code; // hash() of PHP 8.1 has no options for digests
    }
    $hash = hash_init($algo, options: $options);
    foreach (str_split($message, 77) as $piece) {
        hash_update($hash, $piece);
        $hash = mt_rand(0, 1) ? hash_copy($hash) : $hash;
    }
    check(hash_final($hash, true) === $code, "$algo in pieces");
    check(hash($algo, $message, true, $options) === $code, "$algo whole");
    return $code;
};
$fingerprint = fn (string $codes): string => substr(hash('sha256', $codes), 0, 32);
$counted = implode(array_map(chr(...), range(0, 255)));
$lens = ['blake2b' => 256, 'blake2s' => 256, 'siphash' => 64, 'highwayhash' => 65];
$keys = ['blake2b' => 64, 'blake2s' => 32, 'siphash' => 16, 'highwayhash' => 32];
$of_python = [0, 1, 3, 8, 31, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 200, 256, 1000];
$chunked = [0, 1, 2, 3, 4, 5, 6, 7, 8, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025, 2048, 2049, 3072, 3073, 4096, 4097, 5120, 5121, 6144, 6145,
    7168, 7169, 8192, 8193, 16384, 31744, 102400];
$tried = 0;
foreach (answers('keys.txt') as $line) {
    [$what, $name] = $line;
    $family = explode('-', $name)[0];
    $codes = '';
    if ($what === 'keyed' && isset(ours()[$name]) && !$slow) {
        for ($len = 1; $len <= $keys[$family]; $len++) {
            foreach ($of_python as $message) {
                $codes .= $keyed(ours()[$name], pattern($message), secret($len));
            }
        }
    } elseif ($what === 'kat' && isset($lens[$family])) {
        $algo = ours()[['blake2b' => 'blake2b-512', 'blake2s' => 'blake2s-256'][$name] ?? $name];
        for ($len = 0; $len < $lens[$family]; $len++) {
            $codes .= $keyed($algo, substr($counted, 0, $len), substr($counted, 0, $keys[$family]));
        }
    } elseif ($name === 'blake3-derive_key') {
        foreach ($chunked as $len) {
            $codes .= hashdyno_derive_key('blake3', pattern($len), 'BLAKE3 2019-12-27 16:29:52 test vectors context', 131);
        }
    } else {
        continue;
    }
    $tried++;
    check($fingerprint($codes) === $line[3], "the vectors of $what $name");
}
check($tried >= ($slow ? 8 : 10), "$tried vectors");
$elvish = ['key' => 'whats the Elvish word for friend'];
check(hashdyno_many('blake3', [pattern(1)], false, $elvish) === ['6d7878dfff2f485635d39013278ae14f1454b8c0a3a2d34bc1ab38228a80c95b'], "BLAKE3's own vector");
$all = ['blake3' => 32, 'blake2b-512' => 64, 'blake2s-256' => 20, 'skein512-512' => 200, 'skein256-256' => 1, 'siphash-2-4' => 16, 'siphash-1-3-128' => 16, 'highwayhash-256' => 32];
foreach ($all as $name => $len) {
    $options = ['key' => secret($len)];
    $expected = array_map(fn (string $message): string => bin2hex($keyed(ours()[$name], $message, secret($len))), $messages);
    check(hashdyno_many($name, $messages, false, $options) === $expected, "$name of many");
    $rows = pattern(40 * 9);
    check(hashdyno_rows($name, $rows, 9, false, $options) === implode(hashdyno_many($name, str_split($rows, 9), false, $options)), "$name of rows");
    check(hashdyno_rows($name, $rows, 9, true, $options) === implode(hashdyno_many($name, str_split($rows, 9), true, $options)), "$name of rows, binary");
    check($expected[5] !== hashdyno_many($name, [$messages[5]])[0], "$name without the key");
    if (PHP_VERSION_ID >= 80200) {
        file_put_contents($path, pattern(100_000));
        check(hash_file(ours()[$name], $path, true, $options) === $keyed(ours()[$name], pattern(100_000), secret($len)), "$name of a file");
        check(str_contains(outcome(fn () => serialize(hash_init(ours()[$name], options: $options))), 'cannot be serialized'), "$name under a key is not serialised");
        hash_init(ours()[$name], options: $options); // dropped unfinished
    }
}
unlink($path);
check(hashdyno_derive_key('blake3', 'material', 'context') === hashdyno_many('blake3', ['material'], true, ['context' => 'context'])[0], 'derivation as an option');
check(strlen(hashdyno_derive_key('blake3', '', 'context', 1000)) === 1000, 'a long key');
if (function_exists('sodium_crypto_generichash')) {
    foreach ([16, 32, 33, 64] as $len) {
        foreach ($messages as $message) {
            check($keyed(ours()['blake2b-512'], $message, secret($len)) === sodium_crypto_generichash($message, secret($len), 64), "libsodium's BLAKE2b, a key of $len bytes");
        }
    }
    foreach ($messages as $message) {
        $code = sodium_crypto_shorthash($message, secret(16));
        check(in_array($keyed(ours()['siphash-2-4'], $message, secret(16)), [$code, strrev($code)], true), "libsodium's SipHash");
    }
}

// What is no key.
$refused = [
    fn () => hashdyno_hmac_many('crc32b', [], 'key'),
    fn () => hashdyno_hmac_many('no-such', [], 'key'),
    fn () => hashdyno_hmac_many('ascon-hash256', [], 'key'),
    fn () => hashdyno_hmac_many('shake128', [], 'key'),
    fn () => hashdyno_hmac_many('sha256', ['x', 5], 'key'),
    fn () => hashdyno_many('blake3', ['x'], options: ['key' => 'short']),
    fn () => hashdyno_many('blake2b-512', ['x'], options: ['key' => '']),
    fn () => hashdyno_many('skein512-512', ['x'], options: ['key' => '']),
    fn () => hashdyno_many('sha256', ['x'], options: ['key' => 'key']),
    fn () => hashdyno_many('blake3', ['x'], options: ['key' => 5]),
    fn () => hashdyno_many('blake3', ['x'], options: ['key' => 'x', 'seed' => 5]),
    fn () => hashdyno_many('sha256', ['x'], options: ['context' => 'c']),
    fn () => hashdyno_many('blake3', ['x'], options: ['context' => "\xff"]),
    fn () => hashdyno_rows('siphash-2-4', 'xx', 1, false, ['key' => 'x']),
    fn () => hash('siphash-2-4', 'x', options: ['key' => 'x']),
    fn () => hash_init('hashdyno-crc32b', options: ['key' => 'x']),
    fn () => hashdyno_derive_key('sha256', 'x', 'c'),
    fn () => hashdyno_derive_key('blake3', 'x', "\xff"),
    fn () => hashdyno_derive_key('blake3', 'x', 'c', -1),
];
foreach ($refused as $call) {
    echo outcome($call), "\n";
}
?>
--EXPECT--
ValueError: hashdyno_hmac_many(): Argument #1 ($algo) must be a valid cryptographic hashing algorithm
ValueError: hashdyno_hmac_many(): Argument #1 ($algo) must be an algorithm that hashdyno_info() names
ValueError: hashdyno_hmac_many(): Argument #1 ($algo) must be a valid cryptographic hashing algorithm
ValueError: hashdyno_hmac_many(): Argument #1 ($algo) must be a valid cryptographic hashing algorithm
TypeError: hashdyno_hmac_many(): Argument #2 ($messages) must be an array of strings, int found in it
ValueError: hashdyno's blake3 takes an option "key" of 32 bytes, 5 bytes given
ValueError: hashdyno's blake2b-512 takes an option "key" of 1 to 64 bytes, 0 bytes given
ValueError: hashdyno's skein512-512 takes an option "key" of 1 or more bytes, 0 bytes given
ValueError: hashdyno's sha256 takes no option "key"
TypeError: hashdyno's blake3 takes an option "key" of type string, int given
ValueError: hashdyno's blake3 takes only one of the options "key", "context", "seed" and "secret"
ValueError: hashdyno's sha256 takes no option "context"
ValueError: hashdyno's blake3 takes an option "context" in UTF-8
ValueError: hashdyno's siphash-2-4 takes an option "key" of 16 bytes, 1 bytes given
ValueError: hashdyno's siphash-2-4 takes an option "key" of 16 bytes, 1 bytes given
ValueError: hashdyno's crc32b takes no option "key"
ValueError: hashdyno_derive_key(): Argument #1 ($algo) must be an algorithm that derives keys: blake3
ValueError: hashdyno_derive_key(): Argument #3 ($context) must be valid UTF-8
ValueError: hashdyno_derive_key(): Argument #4 ($length) must be greater than or equal to 0
