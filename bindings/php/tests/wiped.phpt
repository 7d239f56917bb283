--TEST--
hashdyno_many() and hashdyno_rows(): no key stays in memory where memory_limit ends the script
--EXTENSIONS--
hashdyno
--SKIPIF--
<?php
getenv('USE_ZEND_ALLOC') !== '0' or die('skip valgrind and sanitizers know no memory_limit');
is_readable('/proc/self/mem') or die('skip nothing tells the memory of a process');
?>
--FILE--
<?php
require __DIR__ . '/common.inc';
/** How often the key is in the memory of the library when the call has ended the script. */
function left_by(string $call): string
{
    $code = <<<'PHP'
        $key = implode(array_map(fn (int $at): string => chr(97 + $at * 7 % 26), range(0, 31)));
        $messages = array_fill(0, 100_000, 'message');
        $rows = str_repeat('message', 100_000);
        register_shutdown_function(function () use ($key): void {
            ini_set('memory_limit', -1);
            preg_match('/^(\w+)-(\w+) .*\[heap\]$/m', file_get_contents('/proc/self/maps'), $heap);
            $memory = fopen('/proc/self/mem', 'rb');
            fseek($memory, hexdec($heap[1]));
            $bytes = stream_get_contents($memory, hexdec($heap[2]) - hexdec($heap[1]));
            echo strlen($bytes) > 0 ? substr_count($bytes, $key) : 'unknown';
        });
        ini_set('memory_limit', memory_get_usage(true) + (4 << 20));
        PHP;
    $command = [PHP_BINARY, '-n', '-d', 'extension_dir=' . ini_get('extension_dir'),
        '-d', 'extension=hashdyno', '-d', 'display_errors=0', '-r', "$code $call"];
    $process = proc_open($command, [1 => ['pipe', 'w']], $pipes);
    $said = stream_get_contents($pipes[1]);
    proc_close($process);
    return $said;
}
echo left_by("hashdyno_many('blake3', \$messages, false, ['key' => \$key]); echo 'done';"), "\n";
echo left_by("hashdyno_rows('blake3', \$rows, 7, false, ['key' => \$key]); echo 'done';"), "\n";
?>
--EXPECT--
0
0
