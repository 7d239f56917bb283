--TEST--
hashdyno_composite_file(): a stream whose own code ends the script leaves no memory behind
--EXTENSIONS--
hashdyno
--SKIPIF--
<?php
getenv('USE_ZEND_ALLOC') !== '0' or die('skip valgrind and sanitizers keep what is freed');
is_readable('/proc/self/status') or die('skip nothing tells the memory of a process');
?>
--FILE--
<?php
class Broken
{
    public $context;

    public function stream_open(string $path, string $mode, int $options, ?string &$opened): bool
    {
        return true;
    }

    public function stream_stat(): array
    {
        return [];
    }

    public function stream_eof(): bool
    {
        return false;
    }

    public function stream_read(int $count): string
    {
        eval('function twice() {} function twice() {}');
        return '';
    }
}
/** In KiB. */
function size(): int
{
    preg_match('/VmSize:\s+(\d+)/', file_get_contents('/proc/self/status'), $found);
    return (int) $found[1];
}
stream_wrapper_register('broken', Broken::class);
$before = size();
register_shutdown_function(function () use ($before) {
    echo size() - $before < 32 << 10 ? 'given back' : 'kept', "\n";
});
hashdyno_composite_file('tth', 'broken://');
?>
--EXPECTF--
Fatal error: Cannot redeclare %a
given back
