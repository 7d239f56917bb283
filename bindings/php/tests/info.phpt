--TEST--
hashdyno_info(), phpinfo(), and the refusal of options that would be ignored
--EXTENSIONS--
hashdyno
--FILE--
<?php
require __DIR__ . '/common.inc';
$info = hashdyno_info();
check(array_keys($info) === ['version', 'cpu', 'algorithms'], 'the keys');
check($info['version'] === phpversion('hashdyno'), 'the version');
foreach ($info['algorithms'] as $name => $algorithm) {
    check(array_keys($algorithm) === ['algo', 'kernel', 'specified_in'] && !in_array('', $algorithm, true), $name);
}
ob_start();
(new ReflectionExtension('hashdyno'))->info();
check(str_contains(ob_get_clean(), 'CPU features'), 'phpinfo');
echo outcome(fn () => hash('hashdyno-xxh32', 'x', false, ['seed' => 1])), "\n";
echo outcome(fn () => hash_init('hashdyno-xxh3', 0, '', ['secret' => str_repeat('s', 136)])), "\n";
echo outcome(fn () => hash('hashdyno-xxh32', 'x', false, ['other' => 1])), "\n";
?>
--EXPECT--
ValueError: hashdyno's xxh32 does not take the option "seed"
ValueError: hashdyno's xxh3 does not take the option "secret"
string
