--TEST--
A running hash: copied, serialised, refused where PHP refuses its own, dropped unfinished
--EXTENSIONS--
hashdyno
--FILE--
<?php
require __DIR__ . '/common.inc';
$message = pattern(2500);
foreach (ours() as $name => $algo) {
    foreach ([0, 1, 63, 64, 128, 1024, 1025, 2500] as $at) {
        $first = hash_init($algo);
        hash_update($first, substr($message, 0, $at));
        $copy = hash_copy($first);
        $clone = clone $first;
        $restored = unserialize(serialize($first));
        hash_init($algo); // dropped unfinished
        foreach ([$first, $copy, $clone, $restored] as $which => $hash) {
            hash_update($hash, substr($message, $at));
            check(hash_final($hash) === hash($algo, $message), "$algo, cut after $at bytes, $which");
        }
    }
}

$parts = fn (string $algo): array => hash_init($algo)->__serialize();
$saved = fn (array $parts): string => preg_replace('/^a/', 'O:11:"HashContext"', serialize($parts));
$restore = fn (array $parts): string => outcome(fn () => unserialize($saved($parts)));
[$algo, $options, $state, $magic, $members] = $parts('blake3');
echo $restore([$algo, $options, $state, $magic, $members]), "\n";
echo $restore([$algo, $options, substr($state, 0, -1), $magic, $members]), "\n";
echo $restore([$algo, $options, '', $magic, $members]), "\n";
echo $restore([$algo, $options, [1, 2, 3], $magic, $members]), "\n";
echo $restore([$algo, $options, $state, 2, $members]), "\n";
echo $restore(['sm3', $options, $state, $magic, $members]), "\n";
echo outcome(fn () => serialize(hash_init('blake3', HASH_HMAC, 'key'))), "\n";
$done = hash_init('blake3');
hash_final($done);
echo outcome(fn () => hash_update($done, 'x')), "\n";
echo outcome(fn () => hash_final($done)), "\n";
?>
--EXPECTF--
HashContext
Exception: Incomplete or ill-formed serialization data ("blake3"%Scode -1)
Exception: Incomplete or ill-formed serialization data ("blake3"%Scode -1)
Exception: Incomplete or ill-formed serialization data ("blake3"%Scode -1)
Exception: Incomplete or ill-formed serialization data ("blake3"%Scode -1)
Exception: Incomplete or ill-formed serialization data ("sm3"%Scode -1)
Exception: HashContext with HASH_HMAC option cannot be serialized
TypeError: hash_update(): Argument #1 ($context) must be a valid%sHash%s
TypeError: hash_final(): Argument #1 ($context) must be a valid%sHash%s
