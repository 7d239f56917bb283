--TEST--
hashdyno_rows(): the digests of rows of one width, one after another
--EXTENSIONS--
hashdyno
--FILE--
<?php
require __DIR__ . '/common.inc';
foreach (['md5', 'hashdyno-md5', 'sha256', 'crc32', 'blake3', 'skein1024-1024', 'xxh3'] as $algo) {
    $name = in_array($algo, hash_algos(), true) ? $algo : "hashdyno-$algo";
    foreach ([1, 5, 8, 64, 130] as $width) {
        $rows = str_split(pattern($width * 2100), $width);
        check(hashdyno_rows($algo, implode($rows), $width) === implode(array_map(fn ($row) => hash($name, $row), $rows)), "$algo, $width");
    }
}
foreach (ours() as $name => $algo) {
    check(hashdyno_rows($name, 'abcdef', 3, true) === hash($algo, 'abc', true) . hash($algo, 'def', true), $name);
}
$many = pattern(5 * 140_000); // of a result in large pages
check(hashdyno_rows('md5', $many, 5) === implode(hashdyno_many('md5', str_split($many, 5))), 'large');
var_dump(hashdyno_rows('md5', '', 7));
echo outcome(fn () => hashdyno_rows('no-such', 'abc', 3)), "\n";
echo outcome(fn () => hashdyno_rows('md5', 'abc', 0)), "\n";
echo outcome(fn () => hashdyno_rows('md5', 'abc', -1)), "\n";
echo outcome(fn () => hashdyno_rows('md5', 'abc', 2)), "\n";
echo outcome(fn () => hashdyno_rows('md5', 'abc', PHP_INT_MAX)), "\n";
echo outcome(fn () => hashdyno_rows('md5', 'abc')), "\n";
?>
--EXPECT--
string(0) ""
ValueError: hashdyno_rows(): Argument #1 ($algo) must be an algorithm that hashdyno_info() names
ValueError: hashdyno_rows(): Argument #3 ($width) must be greater than 0
ValueError: hashdyno_rows(): Argument #3 ($width) must be greater than 0
ValueError: hashdyno_rows(): Argument #2 ($rows) must be whole rows of 2 bytes, 3 bytes given
ValueError: hashdyno_rows(): Argument #2 ($rows) must be whole rows of 9223372036854775807 bytes, 3 bytes given
ArgumentCountError: hashdyno_rows() expects at least 3 arguments, 2 given
