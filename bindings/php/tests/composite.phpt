--TEST--
hashdyno_composite() and hashdyno_composite_file(): digests of files as clouds and networks name them
--EXTENSIONS--
hashdyno
--FILE--
<?php
require __DIR__ . '/common.inc';
/** A file that tells another length than it has, and cannot be rewound. */
class Pipe
{
    public $context;
    protected int $at = 0;
    private string $data;
    private int $len;

    /** `NAME://LENGTH/DATA` */
    public function stream_open(string $path, string $mode, int $options, ?string &$opened): bool
    {
        [, , $this->len, $this->data] = explode('/', $path, 4);
        return true;
    }

    public function stream_stat(): array
    {
        return ['mode' => 0100644, 'size' => $this->len];
    }

    public function stream_read(int $count): string
    {
        $read = substr($this->data, $this->at, $count);
        $this->at += strlen($read);
        return $read;
    }

    public function stream_eof(): bool
    {
        return $this->at >= strlen($this->data);
    }
}
/** The same, and can be rewound. */
class File extends Pipe
{
    public function stream_seek(int $offset, int $whence): bool
    {
        $this->at = $offset;
        return $whence === SEEK_SET;
    }

    public function stream_tell(): int
    {
        return $this->at;
    }
}
/** The digest of the digests of parts, one after another. */
function listed(string $algo, string $data, int $part): string
{
    return hash($algo, implode(array_map(fn (string $part): string => hash($algo, $part, true), str_split($data, $part))), true);
}
/** The digest of the file from its fourth byte on, by a process that has it as stdin. */
function of_stdin(string $algo, string $path): string
{
    $input = fopen($path, 'rb');
    fseek($input, 3);
    $command = [PHP_BINARY, '-n', '-d', 'extension_dir=' . ini_get('extension_dir'),
        '-d', 'extension=hashdyno', '-r', "echo hashdyno_composite_file('$algo', 'php://stdin');"];
    $process = proc_open($command, [$input, ['pipe', 'w']], $pipes);
    $said = stream_get_contents($pipes[1]);
    proc_close($process);
    return $said;
}
$slow = getenv('USE_ZEND_ALLOC') === '0'; // under valgrind
$len = $slow ? 200_000 : 9_000_000;
$data = pattern($len);
$path = tempnam(sys_get_temp_dir(), 'hashdyno');
file_put_contents($path, $data);
$expected = [
    ['dropbox', 0, bin2hex(listed('sha256', $data, 4 << 20))],
    ['s3-etag', $len - 1, bin2hex(listed('md5', $data, $len - 1)) . '-2'],
    ['s3-etag', $len + 1, md5($data)],
    ['git-blob', 0, sha1("blob $len\0$data")],
];
if (!$slow) {
    $expected[] = ['S3-SHA256', 0, base64_encode(listed('sha256', $data, 8 << 20)) . '-2'];
}
foreach ($expected as [$algo, $part, $digest]) {
    check(hashdyno_composite($algo, $data, $part) === $digest, $algo);
    check(hashdyno_composite_file($algo, $path, $part) === $digest, "$algo of a file");
    check(hashdyno_composite_file($algo, 'data://text/plain;base64,' . base64_encode($data), $part) === $digest, "$algo of a stream");
}
// By RHash 1.4.3, of the file `pattern`.
$small = pattern(5000);
$rhash = ['tth' => 'mi5hxrobq7rk44eaxqaijjhnqy6xgypmymvfvwa', 'aich' => '42jxviawxqdo3ka5hmrh7766qjoyqhhf',
    'ed2k' => 'f004216e08cefa2f891863ca8af406ac', 'btih' => '27a70ea55757d4d2afbf4b0c0df6e56b1306db36'];
foreach ($rhash as $algo => $digest) {
    check(hashdyno_composite($algo, $small, 0, 'folder/pattern') === $digest, $algo);
}
foreach (hashdyno_info()['composites'] as $algo) {
    check(hashdyno_composite_file($algo, $path) === hashdyno_composite($algo, $data, 0, $path), $algo);
    file_put_contents("$path.empty", '');
    check(hashdyno_composite_file($algo, "$path.empty") === hashdyno_composite($algo, '', 0, "$path.empty"), "$algo of nothing");
}
foreach (['git-blob', 'tth', 'btih'] as $algo) {
    $rest = hashdyno_composite($algo, substr($data, 3), 0, 'php://stdin');
    check(of_stdin($algo, $path) === $rest, "$algo of the rest of stdin");
}
unlink("$path.empty");
unlink($path);
check(@hashdyno_composite_file('tth', "$path.gone") === false, 'a file that is not there');
stream_wrapper_register('pipe', Pipe::class);
stream_wrapper_register('wrong', File::class);
$encoded = base64_encode($small);
foreach (['git-blob', 'btih', 'tth'] as $algo) {
    $filter = 'php://filter/read=convert.base64-encode/resource=data:,' . rawurlencode($small);
    check(hashdyno_composite_file($algo, $filter) === hashdyno_composite($algo, $encoded, 0, $filter), "$algo of a filter");
    foreach ([1, 4000, 5000, 5001, 70_000_000] as $len) {
        $file = "wrong://$len/$encoded";
        check(hashdyno_composite_file($algo, $file) === hashdyno_composite($algo, $encoded, 0, $file), "$algo of $len bytes");
    }
}
check(hashdyno_composite_file('git-blob', 'pipe://3/abc') === sha1("blob 3\0abc"), 'a pipe');
check(@hashdyno_composite_file('git-blob', 'pipe://4/abc') === false, 'a pipe that tells 4 bytes');
echo error_get_last()['message'], "\n";
echo outcome(fn () => hashdyno_composite('md5', '')), "\n";
echo outcome(fn () => hashdyno_composite('tth', '', 1024)), "\n";
echo outcome(fn () => hashdyno_composite('s3-etag', '', -1)), "\n";
echo outcome(fn () => hashdyno_composite_file('md5', __FILE__)), "\n";
?>
--EXPECT--
hashdyno_composite_file(): pipe://4/abc has not the length that it tells, and cannot be read again
ValueError: hashdyno_composite(): Argument #1 ($algo) must be a composite digest that hashdyno_info() names
ValueError: hashdyno_composite(): Argument #3 ($part_size) must be 0, or more where the parts may have any length
ValueError: hashdyno_composite(): Argument #3 ($part_size) must be 0, or more where the parts may have any length
ValueError: hashdyno_composite_file(): Argument #1 ($algo) must be a composite digest that hashdyno_info() names
