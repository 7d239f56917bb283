--TEST--
hashdyno_info() and phpinfo()
--EXTENSIONS--
hashdyno
--FILE--
<?php
require __DIR__ . '/common.inc';
$info = hashdyno_info();
check(array_keys($info) === ['version', 'cpu', 'algorithms', 'composites'], 'the keys');
check($info['version'] === phpversion('hashdyno'), 'the version');
foreach ($info['algorithms'] as $name => $algorithm) {
    check(array_keys($algorithm) === ['algo', 'kernel', 'specified_in'] && !in_array('', $algorithm, true), $name);
}
ob_start();
(new ReflectionExtension('hashdyno'))->info();
check(str_contains(ob_get_clean(), 'CPU features'), 'phpinfo');
echo "done\n";
?>
--EXPECT--
done
