--TEST--
HMAC (RFC 2104) and PBKDF2 (RFC 8018) over the algorithms that PHP lacks, against the same written in PHP
--EXTENSIONS--
hashdyno
--FILE--
<?php
require __DIR__ . '/common.inc';
$blocks = ['blake3' => 64, 'sm3' => 64, 'md5-sha1' => 64, 'shake128' => 168, 'shake256' => 136, 'tiger2' => 64, 'snefru128' => 48,
    'keccak-512' => 72, 'streebog-256' => 64, 'streebog-512' => 64, 'blake-256' => 64, 'blake-512' => 128, 'blake2b-512' => 128,
    'blake2s-256' => 64, 'groestl-256' => 64, 'groestl-512' => 128, 'jh-512' => 64, 'skein256-256' => 32, 'skein512-512' => 64,
    'skein1024-1024' => 128];
foreach ($blocks as $name => $block) {
    $algo = ours()[$name];
    foreach (['', 'key', str_repeat('k', $block), str_repeat('k', $block + 1), str_repeat('k', 1000)] as $key) {
        $padded = str_pad(strlen($key) > $block ? hash($algo, $key, true) : $key, $block, "\0");
        $inner = hash($algo, ($padded ^ str_repeat("\x36", $block)) . 'message', true);
        check(hash_hmac($algo, 'message', $key) === hash($algo, ($padded ^ str_repeat("\x5c", $block)) . $inner), "HMAC over $algo");
    }
}
foreach (array_intersect(ours(), hash_hmac_algos()) as $algo) {
    $first = hash_hmac($algo, "salt\0\0\0\1", 'password', true);
    $second = hash_hmac($algo, $first, 'password', true);
    check(hash_pbkdf2($algo, 'password', 'salt', 2, 0, true) === ($first ^ $second), "PBKDF2 with $algo");
    check(hash_hkdf($algo, 'key', 1, '', 'salt') === hash_hmac($algo, "\1", hash_hmac($algo, 'key', 'salt', true), true)[0], "HKDF with $algo");
}
echo outcome(fn () => hash_hmac('crc64-xz', 'message', 'key')), "\n";
?>
--EXPECTF--
ValueError: hash_hmac(): Argument #1 ($algo) must be a valid cryptographic hashing algorithm
