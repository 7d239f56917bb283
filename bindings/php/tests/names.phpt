--TEST--
Every algorithm is in hash_algos(); none of PHP's own is replaced; HMAC over digests and not over checksums
--EXTENSIONS--
hashdyno
--FILE--
<?php
require __DIR__ . '/common.inc';
$builtin = array_diff(hash_algos(), registered());
check(count($builtin) >= 60, 'PHP has its own');
check(count(ours()) >= 100, 'there are a hundred of ours');
foreach (ours() as $name => $algo) {
    check(in_array($algo, hash_algos(), true), "$algo is in hash_algos()");
    check(hash($algo, 'abc') === hash(strtoupper($algo), 'abc'), "$algo in capitals");
}
foreach (['skein512-512', 'blake512', 'groestl512', 'jh512', 'keccak512', 'blake2b512', 'blake3', 'sm3', 'streebog512', 'shake128'] as $algo) {
    check(in_array($algo, registered(), true), "$algo is one of ours");
}
foreach ($builtin as $algo) {
    check(in_array("hashdyno-$algo", hash_algos(), true), "PHP's $algo has a twin");
    check(in_array($algo, hash_hmac_algos(), true) === in_array("hashdyno-$algo", hash_hmac_algos(), true), "HMAC over $algo");
}
foreach (['crc64-xz', 'cksum', 'sum-bsd', 'hashdyno-crc32b', 'hashdyno-xxh3'] as $algo) {
    check(!in_array($algo, hash_hmac_algos(), true), "no HMAC over $algo");
}
foreach (['blake3', 'skein256-256', 'skein1024-1024', 'sm3', 'blake2s'] as $algo) {
    check(in_array($algo, hash_hmac_algos(), true), "HMAC over $algo");
}
echo hash('skein512-512', ''), "\n";
?>
--EXPECT--
bc5b4c50925519c290cc634277ae3d6257212395cba733bbad37a4af0fa06af41fca7903d06564fea7a2d3730dbdb80c1f85562dfcc070334ea4d1d9e72cba7a
