<?php
// hashdyno's runner for PHP: hash(), and the plain functions where there is one. The protocol: docs/PROTOCOL.md.
// With the argument hashdyno: hash() with the algorithms of the extension hashdyno, under the names of the library.
declare(strict_types=1);

/** The plain function of an algorithm of hash(). */
const FUNCTIONS = ['md5' => 'md5', 'sha1' => 'sha1', 'crc32b' => 'crc32'];
const MAX_PAYLOAD = 1 << 30;

/** What is offered => its name in hash(). Without the argument, PHP's own, whether the extension is loaded or not. */
function algorithms(): array
{
    global $argv;
    $ours = extension_loaded('hashdyno') ? array_map(fn (array $one): string => $one['algo'], hashdyno_info()['algorithms']) : [];
    if (($argv[1] ?? '') === 'hashdyno') {
        return $ours;
    }
    $first = array_search(reset($ours), hash_algos(), true);
    $own = array_slice(hash_algos(), 0, $first === false ? null : $first);
    return array_combine($own, $own);
}

/** Does a job $calls times: the last digest, and the nanoseconds. A loop each, so that the calls are as a programmer writes them. */
function work(array $job, int $calls): array
{
    [$how, $name, $message] = $job;
    $digest = '';
    $begin = hrtime(true);
    switch ($how) {
        case 'empty':
            for ($i = 0; $i < $calls; $i++) {
            }
            break;
        case 'hash':
            for ($i = 0; $i < $calls; $i++) {
                $digest = hash($name, $message, true);
            }
            break;
        case 'md5':
            for ($i = 0; $i < $calls; $i++) {
                $digest = md5($message, true);
            }
            break;
        case 'sha1':
            for ($i = 0; $i < $calls; $i++) {
                $digest = sha1($message, true);
            }
            break;
        case 'crc32':
            for ($i = 0; $i < $calls; $i++) {
                $digest = crc32($message);
            }
            break;
    }
    return [is_int($digest) ? pack('N', $digest) : $digest, hrtime(true) - $begin];
}

/** The job of a line, its payload read: how to do it, the algorithm, the message. */
function job(array $words): array
{
    if ($words === ['job', 'empty']) {
        return ['empty', '', ''];
    }
    $options = [];
    foreach (array_slice($words, 3) as $word) {
        [$key, $value] = explode('=', $word, 2) + [1 => ''];
        $options[$key] = $value;
    }
    $message = payload($options['len'] ?? '');
    $name = $words[2];
    $known = $words[1] === 'digest' && isset(ALGORITHMS[$name]) && !array_diff_key($options, ['len' => 0, 'impl' => 0, 'out' => 0]);
    if (!$known || isset($options['out']) && $options['out'] !== (string) strlen(hash(ALGORITHMS[$name], '', true))) {
        throw new ValueError('cannot do: ' . implode(' ', $words));
    }
    return [match ($options['impl'] ?? 'hash') {
        'hash' => 'hash',
        'function' => function_of($name) ?? throw new ValueError("no plain function for $name"),
        default => throw new ValueError('no such implementation'),
    }, ALGORITHMS[$name], $message];
}

/** The plain function of what is offered under that name, if there is one: PHP's own alone have. */
function function_of(string $name): ?string
{
    return ALGORITHMS[$name] === $name ? FUNCTIONS[$name] ?? null : null;
}

function payload(string $len): string
{
    if (!preg_match('/^\d{1,10}$/D', $len) || (int) $len > MAX_PAYLOAD) {
        throw new ValueError('len must be a number of bytes up to ' . MAX_PAYLOAD);
    }
    $payload = $len === '0' ? '' : stream_get_contents(STDIN, (int) $len);
    if (strlen($payload) !== (int) $len) {
        fwrite(STDERR, "the input ends in the middle of the payload\n");
        exit(1);
    }
    return $payload;
}

function ready(array $job): string
{
    return 'ready ' . (bin2hex(work($job, 1)[0]) ?: '-');
}

function listing(): string
{
    $line = fn (string $name): string => "digest $name hash" . (function_of($name) ? ' function' : '') . "\n";
    return implode(array_map($line, array_keys(ALGORITHMS))) . 'end';
}

function greeting(): string
{
    $opcache = function_exists('opcache_get_status') ? opcache_get_status(false) : false;
    $facts = ['zts' => PHP_ZTS, 'debug' => PHP_DEBUG, 'opcache' => (int) (bool) $opcache,
        'jit' => (int) ($opcache['jit']['on'] ?? false), 'path' => rawurlencode(PHP_BINARY)];
    $name = 'php';
    if (isset($GLOBALS['argv'][1])) {
        $name = 'php+hashdyno';
        $facts['hashdyno'] = phpversion('hashdyno');
    }
    return "runner 1 $name " . rawurlencode(PHP_VERSION) . ' ' . implode(' ', array_map(fn ($key, $value) => "$key=$value", array_keys($facts), $facts));
}

define('ALGORITHMS', algorithms());
if (!ALGORITHMS) {
    exit("error the extension hashdyno is not loaded\n");
}
fwrite(STDOUT, greeting() . "\n");
$job = null;
while (($line = fgets(STDIN)) !== false) {
    $words = explode(' ', rtrim($line, "\n"));
    try {
        if ($words === ['list']) {
            $reply = listing();
        } elseif ($words[0] === 'job' && isset($words[1])) {
            $job = null;
            $ready = job($words);
            $reply = ready($ready);
            $job = $ready;
        } elseif ($job === null) {
            throw new ValueError('no job, or not understood: ' . implode(' ', $words));
        } elseif ($words === ['again']) {
            $reply = ready($job);
        } elseif (count($words) === 2 && $words[0] === 'run' && preg_match('/^\d{1,18}$/D', $words[1])) {
            $reply = 'ran ' . work($job, (int) $words[1])[1];
        } else {
            throw new ValueError('not understood: ' . implode(' ', $words));
        }
    } catch (Throwable $error) {
        $reply = 'error ' . strtr($error->getMessage(), "\r\n", '  ');
    }
    fwrite(STDOUT, $reply . "\n");
}
