--TEST--
hashdyno_pbkdf2_many(): the keys of many passwords, against hash_pbkdf2()
--EXTENSIONS--
hashdyno
--FILE--
<?php
require __DIR__ . '/common.inc';
$passwords = $salts = [];
for ($i = 0; $i < 70; $i++) {
    $passwords[] = pattern($i * 7 % 150);
    $salts[] = "salt $i" . pattern($i % 40);
}
/** Each by PHP's own. */
function each_of(string $algo, array $passwords, array $salts, int $iterations, int $length, bool $binary): array
{
    $keys = [];
    foreach ($passwords as $key => $password) {
        $keys[$key] = hash_pbkdf2($algo, $password, $salts[$key], $iterations, $length, $binary);
    }
    return $keys;
}
foreach (array_intersect(ours(), hash_hmac_algos()) as $name => $algo) {
    if (preg_match('/^(turbo)?shake|^kt|xof/', $name)) {
        continue; // of any length: no HMAC but PHP's
    }
    $own = str_starts_with($algo, 'hashdyno-') ? substr($algo, strlen('hashdyno-')) : $algo;
    $few = array_slice($passwords, 0, 9);
    foreach ([[1, 0, false], [2, 33, false], [3, 50, true], [2, 0, true]] as [$iterations, $length, $binary]) {
        $expected = each_of($own, $few, $salts, $iterations, $length, $binary);
        check(hashdyno_pbkdf2_many($name, $few, $salts, $iterations, $length, $binary) === $expected, "$name, $iterations, $length");
    }
}
foreach (['sha1', 'sha256', 'sha512', 'md5', 'sha3-256'] as $algo) {
    $expected = each_of($algo, $passwords, $salts, 100, 0, false);
    check(hashdyno_pbkdf2_many($algo, $passwords, $salts, 100) === $expected, "many by $algo");
}
$mixed = ['a' => 'x', 7 => 'y', -3 => ''];
$theirs = [-3 => 'third', 'b' => 'unused', 7 => 'second', 'a' => 'first'];
check(hashdyno_pbkdf2_many('sha256', $mixed, $theirs, 2) === each_of('sha256', $mixed, $theirs, 2, 0, false), 'under keys');
check(hashdyno_pbkdf2_many('sha256', [], [], 1) === [], 'no passwords');
foreach ([
    fn () => hashdyno_pbkdf2_many('crc32b', ['x'], ['s'], 1),
    fn () => hashdyno_pbkdf2_many('crc32b', [], [], 1),
    fn () => hashdyno_pbkdf2_many('no-such', ['x'], ['s'], 1),
    fn () => hashdyno_pbkdf2_many('sha256', ['x'], [1 => 's'], 1),
    fn () => hashdyno_pbkdf2_many('sha256', ['x', 5], ['s', 's'], 1),
    fn () => hashdyno_pbkdf2_many('sha256', ['x'], [null], 1),
    fn () => hashdyno_pbkdf2_many('sha256', ['x'], ['s'], 0),
    fn () => hashdyno_pbkdf2_many('sha256', ['x'], ['s'], 1 << 32),
    fn () => hashdyno_pbkdf2_many('sha256', ['x'], ['s'], 1, -1),
] as $call) {
    echo outcome($call), "\n";
}
?>
--EXPECT--
ValueError: hashdyno_pbkdf2_many(): Argument #1 ($algo) must be a valid cryptographic hashing algorithm
ValueError: hashdyno_pbkdf2_many(): Argument #1 ($algo) must be a valid cryptographic hashing algorithm
ValueError: hashdyno_pbkdf2_many(): Argument #1 ($algo) must be an algorithm that hashdyno_info() names
ValueError: hashdyno_pbkdf2_many(): Argument #3 ($salts) must have a salt under each key of argument #2 ($passwords)
TypeError: hashdyno_pbkdf2_many(): Argument #2 ($passwords) must be an array of strings, int found in it
TypeError: hashdyno_pbkdf2_many(): Argument #3 ($salts) must be an array of strings, null found in it
ValueError: hashdyno_pbkdf2_many(): Argument #4 ($iterations) must be greater than 0
ValueError: hashdyno_pbkdf2_many(): Argument #4 ($iterations) must be less than or equal to 4294967295
ValueError: hashdyno_pbkdf2_many(): Argument #5 ($length) must be greater than or equal to 0
