--TEST--
hashdyno_many(): the digests of many messages, under their keys
--EXTENSIONS--
hashdyno
--FILE--
<?php
require __DIR__ . '/common.inc';
$messages = [];
for ($i = 0; $i < 2500; $i++) {
    $messages[] = pattern($i % 300);
}
foreach (['md5', 'hashdyno-md5', 'MD5', 'sha256', 'crc32', 'haval256,5', 'blake3', 'skein1024-1024', 'xxh3'] as $algo) {
    $name = in_array(strtolower($algo), hash_algos(), true) ? $algo : "hashdyno-$algo";
    check(hashdyno_many($algo, $messages) === array_map(fn ($message) => hash($name, $message), $messages), $algo);
    check(hashdyno_many($algo, $messages, true) === array_map(fn ($message) => hash($name, $message, true), $messages), "$algo, binary");
}
foreach (ours() as $name => $algo) {
    check(hashdyno_many($name, ['', 'abc']) === [hash($algo, ''), hash($algo, 'abc')], $name);
}
$keys = array_map(fn ($i) => substr('abcdefghi', $i % 3), range(0, 3000));
foreach ([1, 3, 7, 8] as $len) {
    $alike = array_map(fn ($key) => substr($key, 0, $len), $keys);
    check(hashdyno_many('md5', $alike) === array_map(md5(...), $alike), "all of $len bytes");
}
$alike = array_map(fn ($i) => sprintf('%05d', $i), range(0, 4999));
$other = 'other';
foreach ([0, 1, 2047, 2048, 4095, 4999] as $at) {
    foreach (['', 'sixsix', pattern(100)] as $one) {
        check(hashdyno_many('md5', [$at => $one] + $alike) === array_map(md5(...), [$at => $one] + $alike), "one under key $at");
        $mixed = $alike;
        $mixed[$at] = $one;
        check(hashdyno_many('md5', $mixed) === array_map(md5(...), $mixed), "all alike but the one at $at");
    }
    $mixed[$at] = &$other;
    check(hashdyno_many('md5', $mixed) === array_map(md5(...), $mixed), "all alike, a reference at $at");
    unset($mixed[$at]);
    check(hashdyno_many('md5', $mixed) === array_map(md5(...), $mixed), "all alike, a hole at $at");
    $mixed = $alike;
    $mixed[$at] = 5;
    check(str_starts_with(outcome(fn () => hashdyno_many('md5', $mixed)), 'TypeError'), "all alike, a number at $at");
}
$tiny = array_map(fn ($i) => substr('abcdefg', 0, $i % 8), range(0, 3000));
check(hashdyno_many('md5', $tiny) === array_map(md5(...), $tiny), 'shorter than 8 bytes');
$reference = 'abc';
$keyed = ['a' => 'x', 7 => 'y', 'b' => &$reference, -3 => ''];
check(hashdyno_many('md5', $keyed) === array_map(md5(...), $keyed), 'keys');
$holes = ['x', 'y', 'z'];
unset($holes[1]);
check(hashdyno_many('md5', $holes) === array_map(md5(...), $holes), 'holes');
$gone = $messages;
array_walk($messages, function ($_, $key) use (&$gone) {
    if ($key % 3 || $key > 2000) {
        unset($gone[$key]);
    }
});
check(hashdyno_many('md5', $gone) === array_map(md5(...), $gone), 'many holes, some at the end');
$big = array_fill_keys(array_map(fn ($i) => "k$i", range(1, 3000)), 'v');
check(hashdyno_many('sha1', $big) === array_map(sha1(...), $big), 'many keys');
var_dump(hashdyno_many('md5', []));
echo outcome(fn () => hashdyno_many('no-such', [])), "\n";
echo outcome(fn () => hashdyno_many("md5\0", [])), "\n";
echo outcome(fn () => hashdyno_many('md5', ['x', 5])), "\n";
echo outcome(fn () => hashdyno_many('md5', [...$messages, null])), "\n";
echo outcome(fn () => hashdyno_many('md5', ['k' => []])), "\n";
echo outcome(fn () => hashdyno_many('md5')), "\n";
?>
--EXPECT--
array(0) {
}
ValueError: hashdyno_many(): Argument #1 ($algo) must be an algorithm that hashdyno_info() names
ValueError: hashdyno_many(): Argument #1 ($algo) must be an algorithm that hashdyno_info() names
TypeError: hashdyno_many(): Argument #2 ($messages) must be an array of strings, int found in it
TypeError: hashdyno_many(): Argument #2 ($messages) must be an array of strings, null found in it
TypeError: hashdyno_many(): Argument #2 ($messages) must be an array of strings, array found in it
ArgumentCountError: hashdyno_many() expects at least 2 arguments, 1 given
