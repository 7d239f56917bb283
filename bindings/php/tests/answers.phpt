--TEST--
Every algorithm gives the known answers, those of php-src's own tests among them: hash(), hash_file(), in pieces, by hashdyno_many()
--EXTENSIONS--
hashdyno
--FILE--
<?php
require __DIR__ . '/common.inc';
$pattern = pattern(4096);
$file = tempnam(sys_get_temp_dir(), 'hashdyno');
file_put_contents($file, $pattern);
$slow = getenv('USE_ZEND_ALLOC') === '0';
$vectors = 0;
foreach (answers('sweeps.txt') as [$name, $expected, $sweep]) {
    $algo = ours()[$name] ?? die("there is no $name\n");
    check(hash($algo, '123456789') === $expected, "$algo of 123456789");
    check(hashdyno_many($name, ['123456789']) === [$expected], "hashdyno_many: $name");
    check(hash_file($algo, $file) === hash($algo, $pattern), "hash_file: $algo");
    foreach (answers("$name.txt") as $words) {
        if ($words[0] !== 'vector' || $slow && strlen(message($words[1])) > 10000) {
            continue;
        }
        [, $spelt, $digest] = $words;
        if (strlen($digest) === strlen($expected)) { // others are of extendable digests, at another length
            $message = message($spelt);
            $half = intdiv(strlen($message), 2);
            $hash = hash_init($algo);
            hash_update($hash, substr($message, 0, $half));
            hash_update($hash, substr($message, $half));
            check(hash($algo, $message) === $digest && hash_final($hash) === $digest, "$algo of $spelt");
            $vectors++;
        }
    }
    if (!$slow) { // under valgrind this alone would take minutes
        $sweeping = hash_init($algo);
        for ($len = 0; $len < 4096; $len++) {
            hash_update($sweeping, hash($algo, substr($pattern, 0, $len), true));
        }
        check(hash_final($sweeping) === $sweep, "$algo of every length up to 4095");
    }
}
unlink($file);
check($vectors > 1000, "only $vectors vectors");
echo "done\n";
?>
--EXPECT--
done
