<?php
// Copies php-src's tests of ext/hash so that they test ours: adapt.php FROM TO. What differs from
// PHP's own is in twins.inc.
declare(strict_types=1);

/** Tests of what is PHP's own. */
const LEFT_OUT = [
    'bug81714.phpt' =>
        'asks that a message names "md5", where ours names "hashdyno-md5"; else it passes',
    'hash_serialize_003.phpt' => "compares a serialised hash with PHP's own layout; "
        . 'ours has its own, and 001, 002 and 004 pass',
    'sensitive_parameter.phpt' => 'prints the trace of a call, in which the functions of twins.inc '
        . 'are; there is no digest in it',
];

/** In a namespace a class must be named where it is used. */
const CLASSES = 'ArgumentCountError, Error, Exception, HashContext, ReflectionClass, '
    . 'ReflectionExtension, Throwable, TypeError, ValueError';

[, $from, $to] = $argv;
@mkdir($to, 0777, true);
$head = '$1 namespace twins; use ' . CLASSES . '; require_once "' . __DIR__ . '/twins.inc";';
foreach (glob("$from/*") as $file) {
    $name = basename($file);
    $text = file_get_contents($file);
    if (isset(LEFT_OUT[$name])) {
        echo "left out: $name: ", LEFT_OUT[$name], "\n";
        continue;
    }
    if (str_ends_with($name, '.phpt')) {
        $text = preg_replace('/^(--FILE--\R<\?php)\b/m', $head, $text, 1, $count);
        $count === 1 or exit("error: the code of $file does not start with <?php\n");
    }
    file_put_contents("$to/$name", $text);
}
