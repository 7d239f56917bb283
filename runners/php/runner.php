<?php
// hashdyno's runner for PHP: hash(), the plain functions where there is one, and openssl_encrypt().
// The protocol: docs/PROTOCOL.md. With the argument hashdyno: hash() with the algorithms of the
// extension hashdyno, under the names of the library, and its hashdyno_many().
declare(strict_types=1);

/** The plain function of an algorithm of hash(). */
const FUNCTIONS = ['md5' => 'md5', 'sha1' => 'sha1', 'crc32b' => 'crc32'];
const MAX_PAYLOAD = 1 << 30;
const MAX_SPELLED = 16 << 10;
/** OPENSSL_RAW_DATA | OPENSSL_ZERO_PADDING, which a PHP without OpenSSL does not know. */
const CIPHER_OPTIONS = 3;
/** The ciphers of the protocol, HMAC and the envelope apart. */
const CIPHERS = '/^(aes-\\d+-(ecb|cbc|ctr|ccm|gcm|xts)|camellia-\\d+-cbc|'
    . '(des|des-ede3|bf|cast5|idea|rc2|seed)-cbc|rc4|chacha20-poly1305)$/';
const TAGGED = '/(ccm|gcm|poly1305)$/';
/** The digests of the protocol's HMACs. */
const HMACS = ['hmac-md5' => 'md5', 'hmac-sha1' => 'sha1', 'hmac-sha256' => 'sha256',
    'hmac-sha512' => 'sha512'];
const ENVELOPE = 'aes-256-cbc-envelope';
const ENVELOPED = 'aes-256-cbc';

/**
 * What is offered => its name in hash(). Without the argument, PHP's own, whether the extension is
 * loaded or not.
 */
function algorithms(): array
{
    global $argv;
    $ours = extension_loaded('hashdyno')
        ? array_map(fn (array $one): string => $one['algo'], hashdyno_info()['algorithms']) : [];
    if (($argv[1] ?? '') === 'hashdyno') {
        return $ours;
    }
    $first = array_search(reset($ours), hash_algos(), true);
    $own = array_slice(hash_algos(), 0, $first === false ? null : $first);
    return array_combine($own, $own);
}

/**
 * Does a job $calls times: the last digest (of many messages an array of them), and the
 * nanoseconds. A loop each, so that the calls are as a programmer writes them.
 */
function work(array $job, int $calls): array
{
    [$how, $name, $message, $key, $iv, $tag] = $job + [3 => '', '', ''];
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
        case 'many hash':
            for ($i = 0; $i < $calls; $i++) {
                $digest = [];
                foreach ($message as $one) {
                    $digest[] = hash($name, $one, true);
                }
            }
            break;
        case 'many md5':
            for ($i = 0; $i < $calls; $i++) {
                $digest = [];
                foreach ($message as $one) {
                    $digest[] = md5($one, true);
                }
            }
            break;
        case 'many sha1':
            for ($i = 0; $i < $calls; $i++) {
                $digest = [];
                foreach ($message as $one) {
                    $digest[] = sha1($one, true);
                }
            }
            break;
        case 'many crc32':
            for ($i = 0; $i < $calls; $i++) {
                $digest = [];
                foreach ($message as $one) {
                    $digest[] = crc32($one);
                }
            }
            break;
        case 'many hashdyno_many':
            for ($i = 0; $i < $calls; $i++) {
                $digest = hashdyno_many($name, $message, true);
            }
            break;
        case 'encrypt':
            for ($i = 0; $i < $calls; $i++) {
                $digest = openssl_encrypt($message, $name, $key, CIPHER_OPTIONS, $iv);
            }
            break;
        case 'decrypt':
            for ($i = 0; $i < $calls; $i++) {
                $digest = openssl_decrypt($message, $name, $key, CIPHER_OPTIONS, $iv);
            }
            break;
        case 'seal':
            for ($i = 0; $i < $calls; $i++) {
                $digest = openssl_encrypt($message, $name, $key, CIPHER_OPTIONS, $iv, $tag);
            }
            $digest .= $tag;
            break;
        case 'unseal':
            for ($i = 0; $i < $calls; $i++) {
                $digest = openssl_decrypt($message, $name, $key, CIPHER_OPTIONS, $iv, $tag);
            }
            break;
        case 'authenticate':
            for ($i = 0; $i < $calls; $i++) {
                $digest = hash_hmac($name, $message, $key, true);
            }
            break;
        case 'wrap':
            for ($i = 0; $i < $calls; $i++) {
                $drawn = openssl_random_pseudo_bytes(16);
                $digest = base64_encode(openssl_encrypt($message, $name, $key, 0, $iv)
                    . '::' . $iv);
            }
            break;
        case 'unwrap':
            for ($i = 0; $i < $calls; $i++) {
                [$sealed, $own] = explode('::', base64_decode($message), 2);
                $digest = openssl_decrypt($sealed, $name, $key, 0, $own);
            }
            break;
        case 'open':
            for ($i = 0; $i < $calls; $i++) {
                $file = fopen($name, 'rb');
                $digest = fread($file, 4096);
                fclose($file);
            }
            break;
    }
    if ($digest === false) {
        throw new ValueError('openssl_encrypt or openssl_decrypt failed, or the tag is wrong');
    }
    $elapsed = hrtime(true) - $begin;
    $bytes = fn (string|int $one): string => is_int($one) ? pack('N', $one) : $one;
    return [implode(array_map($bytes, (array) $digest)), $elapsed];
}

/** The job of a line, its payload read: how to do it, the algorithm, the message. */
function job(array $words): array
{
    if ($words === ['job', 'empty']) {
        return ['empty', '', ''];
    }
    if (count($words) === 3 && $words[1] === 'open') {
        return ['open', payload(preg_replace('/^len=/', '', $words[2])), ''];
    }
    $isCipher = $words[1] === 'cipher';
    $options = [];
    foreach (array_slice($words, $isCipher ? 4 : 3) as $word) {
        [$key, $value] = explode('=', $word, 2) + [1 => ''];
        $options[$key] = $value;
    }
    $isMany = $words[1] === 'many';
    $message = $isMany ? messages($options['lens'] ?? '') : payload($options['len'] ?? '');
    $name = $words[2];
    if ($isCipher) {
        return cipher($name, $words[3], $message, $options);
    }
    $length = $isMany ? 'lens' : 'len';
    $known = ($isMany || $words[1] === 'digest') && isset(ALGORITHMS[$name])
        && !array_diff_key($options, [$length => 0, 'impl' => 0, 'out' => 0]);
    if (!$known || isset($options['out'])
            && $options['out'] !== (string) strlen(hash(ALGORITHMS[$name], '', true))) {
        throw new ValueError('cannot do: ' . implode(' ', $words));
    }
    $how = match ($options['impl'] ?? ($isMany && HAS_MANY ? 'hashdyno_many' : 'hash')) {
        'hash' => 'hash',
        'function' => function_of($name) ?? throw new ValueError("no plain function for $name"),
        'hashdyno_many' => $isMany && HAS_MANY
            ? 'hashdyno_many' : throw new ValueError('many messages, by the extension, only'),
        default => throw new ValueError('no such implementation'),
    };
    return [$isMany ? "many $how" : $how, ALGORITHMS[$name], $message];
}

/** The plain function of what is offered under that name, if there is one: PHP's own alone have. */
function function_of(string $name): ?string
{
    return ALGORITHMS[$name] === $name ? FUNCTIONS[$name] ?? null : null;
}

/**
 * The job of a cipher: whole blocks, no padding; where there is a tag, it follows the ciphertext.
 * The envelope is document 002's.
 */
function cipher(string $name, string $direction, string $message, array $options): array
{
    [$key, $iv] = array_map(hex2bin(...), [$options['key'] ?? '', $options['iv'] ?? '']);
    if (isset(hmacs()[$name]) && $direction === 'authenticate' && $iv === '') {
        return ['authenticate', hmacs()[$name], $message, $key];
    }
    $tagged = (bool) preg_match(TAGGED, $name);
    $enveloped = $name === ENVELOPE;
    $own = $enveloped ? ENVELOPED : $name;
    $fits = in_array($name, ciphers(), true) && strlen($iv) === openssl_cipher_iv_length($own)
        && (!function_exists('openssl_cipher_key_length')
            || strlen($key) === openssl_cipher_key_length($own));
    $known = !array_diff_key($options, ['len' => 0, 'key' => 0, 'iv' => 0])
        && in_array($direction, ['encrypt', 'decrypt'], true);
    if (!$fits || !$known || !$enveloped && strlen($message) % 16 !== 0) {
        throw new ValueError("cannot do: $name $direction");
    }
    if ($enveloped) {
        return [$direction === 'encrypt' ? 'wrap' : 'unwrap', ENVELOPED, $message, $key, $iv];
    }
    if (!$tagged || $direction === 'encrypt') {
        return [$tagged ? 'seal' : $direction, $name, $message, $key, $iv];
    }
    return ['unseal', $name, substr($message, 0, -16), $key, $iv, substr($message, -16)];
}

/** The ciphers of the protocol that this PHP has. */
function ciphers(): array
{
    if (isset($GLOBALS['argv'][1]) || !function_exists('openssl_encrypt')) {
        return [];
    }
    $own = array_values(preg_grep(CIPHERS, openssl_get_cipher_methods()));
    return in_array(ENVELOPED, $own, true) ? [...$own, ENVELOPE] : $own;
}

/** The HMACs that there are => the name of their digest in hash_hmac(). */
function hmacs(): array
{
    $named = array_map(fn (string $digest): string => ALGORITHMS[$digest] ?? '', HMACS);
    return array_intersect($named, hash_hmac_algos());
}

/** The messages of a job, their lengths with commas between. */
function messages(string $lens): array
{
    if (!preg_match('/^\d{1,10}(,\d{1,10})*$/D', $lens)) {
        throw new ValueError('lens must be numbers of bytes with commas between');
    }
    $lens = array_map(intval(...), explode(',', $lens));
    $bytes = payload((string) array_sum($lens));
    $messages = [];
    $at = 0;
    foreach ($lens as $len) {
        $messages[] = substr($bytes, $at, $len);
        $at += $len;
    }
    return $messages;
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
    [$answer, $took] = work($job, 1);
    if (strlen($answer) > MAX_SPELLED) {
        return 'ready +' . strlen($answer) . " $took\n$answer";
    }
    return 'ready ' . (bin2hex($answer) ?: '-') . " $took\n";
}

function listing(): string
{
    $line = fn (string $name): string => "digest $name hash"
        . (function_of($name) ? ' function' : '') . "\n";
    $many = fn (string $name): string => HAS_MANY ? "many $name hashdyno_many\n" : '';
    $cipher = fn (string $name): string => "cipher $name encrypt decrypt\n";
    $names = array_keys(ALGORITHMS);
    return implode(array_map($line, $names)) . implode(array_map($many, $names))
        . implode(array_map($cipher, ciphers()))
        . implode(array_map(fn (string $name): string => "cipher $name authenticate\n",
            array_keys(hmacs()))) . 'end';
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
    return "runner 1 $name " . rawurlencode(PHP_VERSION) . ' ' . implode(' ',
        array_map(fn ($key, $value) => "$key=$value", array_keys($facts), $facts));
}

define('ALGORITHMS', algorithms());
if (!ALGORITHMS) {
    exit("error the PHP extension hashdyno\n");
}
/** Whether the extension takes many messages in one call: its own algorithms only. */
define('HAS_MANY', isset($argv[1]) && function_exists('hashdyno_many'));
fwrite(STDOUT, greeting() . "\n");
$job = null;
while (($line = fgets(STDIN)) !== false) {
    $words = explode(' ', rtrim($line, "\n"));
    try {
        if ($words === ['list']) {
            $reply = listing() . "\n";
        } elseif ($words[0] === 'job' && isset($words[1])) {
            $job = null;
            $ready = job($words);
            $reply = ready($ready);
            $job = $ready;
        } elseif ($job === null) {
            throw new ValueError('no job, or not understood: ' . implode(' ', $words));
        } elseif ($words === ['again']) {
            $reply = ready($job);
        } elseif (count($words) === 2 && $words[0] === 'run'
                && preg_match('/^\d{1,18}$/D', $words[1])) {
            $reply = 'ran ' . work($job, (int) $words[1])[1] . "\n";
        } else {
            throw new ValueError('not understood: ' . implode(' ', $words));
        }
    } catch (Throwable $error) {
        $reply = 'error ' . strtr($error->getMessage(), "\r\n", '  ') . "\n";
    }
    if (@fwrite(STDOUT, $reply) === false) {
        exit(1); // the host is gone
    }
}
