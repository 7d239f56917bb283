--TEST--
Our twins of PHP's own algorithms agree with them in all that hash has
--EXTENSIONS--
hashdyno
--FILE--
<?php
require __DIR__ . '/common.inc';
$file = tempnam(sys_get_temp_dir(), 'hashdyno');
file_put_contents($file, pattern(3000));
foreach (hash_algos() as $ours) {
    if (!str_starts_with($ours, 'hashdyno-')) {
        continue;
    }
    $php = substr($ours, strlen('hashdyno-'));
    foreach ([0, 1, 7, 31, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 239, 240, 241, 1000, 1024, 1025, 5000] as $len) {
        $message = pattern($len);
        check(hash($ours, $message) === hash($php, $message), "$php of $len bytes");
        check(hash($ours, $message, true) === hash($php, $message, true), "$php of $len bytes, binary");
    }
    check(hash_file($ours, $file) === hash_file($php, $file), "hash_file: $php");
    if (!in_array($php, hash_hmac_algos(), true)) {
        continue;
    }
    foreach ([0, 1, 32, 64, 65, 128, 129, 200] as $len) {
        $key = strrev(pattern($len));
        check(hash_hmac($ours, 'message', $key) === hash_hmac($php, 'message', $key), "HMAC over $php, key of $len bytes");
        $hash = hash_init($ours, HASH_HMAC, $key ?: 'k');
        hash_update_stream($hash, fopen($file, 'r'));
        check(hash_final($hash) === hash_hmac_file($php, $file, $key ?: 'k'), "HMAC over $php in pieces");
    }
    check(hash_pbkdf2($ours, 'password', 'salt', 3, 100) === hash_pbkdf2($php, 'password', 'salt', 3, 100), "PBKDF2 with $php");
    check(hash_hkdf($ours, 'key', 99, 'info', 'salt') === hash_hkdf($php, 'key', 99, 'info', 'salt'), "HKDF with $php");
}
unlink($file);
echo "done\n";
?>
--EXPECT--
done
