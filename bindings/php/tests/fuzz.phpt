--TEST--
Random calls: algorithm, length, pieces, copies, serialisation, wrong arguments. HASHDYNO_FUZZ=COUNT for others and more, HASHDYNO_SEED=N to repeat
--EXTENSIONS--
hashdyno
--FILE--
<?php
require __DIR__ . '/common.inc';

/** The digest in one call, by PHP itself where PHP has the algorithm. */
function answer(string $algo, string $message, string $key): string
{
    $algo = str_starts_with($algo, 'hashdyno-') ? substr($algo, strlen('hashdyno-')) : $algo;
    return $key === '' ? hash($algo, $message) : hash_hmac($algo, $message, $key);
}

/** One random walk: a message hashed in pieces while its context is copied, saved and misused. Returns the number of calls. */
function walk(array $algos, string $pool): int
{
    $algo = $algos[mt_rand(0, count($algos) - 1)];
    $hmac = mt_rand(0, 4) === 0 && in_array($algo, hash_hmac_algos(), true);
    $key = $hmac ? substr($pool, 0, mt_rand(1, 300)) : '';
    $hash = $hmac ? hash_init($algo, HASH_HMAC, $key) : hash_init($algo);
    $message = '';
    for ($calls = 2; mt_rand(0, 6) !== 0; $calls++) {
        $piece = substr($pool, mt_rand(0, 5000), mt_rand(0, 3) ? mt_rand(0, 140) : mt_rand(0, 3000));
        switch (mt_rand(0, 9)) {
            case 0:
                $other = hash_copy($hash);
                hash_update($other, $piece);
                check(hash_final($other) === answer($algo, $message . $piece, $key), "a copy of $algo");
                $hash = hash_copy($hash); // the first is dropped
                $calls += 4;
                break;
            case 1:
                if (!$hmac) {
                    $hash = unserialize(serialize($hash));
                } else {
                    check(str_contains(outcome(fn () => serialize($hash)), 'Exception'), "HMAC over $algo is not serialised");
                }
                break;
            case 2:
                $saved = $hmac ? 'O:11:"HashContext":0:{}' : serialize($hash);
                $saved[mt_rand(0, strlen($saved) - 1)] = chr(mt_rand(0, 255));
                @outcome(fn () => unserialize($saved));
                break;
            case 3:
                outcome(fn () => hash_init($algo, mt_rand(0, 3), mt_rand(0, 1) ? '' : 'k', ['seed' => mt_rand()]));
                outcome(fn () => hash($algo, [], true));
                outcome(fn () => hash_pbkdf2($algo, 'p', 's', mt_rand(-1, 2), mt_rand(-1, 40)));
                $options = [['key', 'context', 'seed', 'secret'][mt_rand(0, 3)] => mt_rand(0, 3) ? substr($pool, 0, mt_rand(0, 300)) : mt_rand()];
                @outcome(fn () => hash_update(hash_init($algo, options: $options), $piece)); // dropped unfinished
                @outcome(fn () => hashdyno_many($algo, [$piece, 'x'], true, $options));
                @outcome(fn () => hashdyno_rows($algo, $piece, mt_rand(1, 3), true, $options));
                outcome(fn () => hashdyno_hmac_many($algo, [$piece, 'x'], $piece));
                outcome(fn () => hashdyno_derive_key($algo, $piece, 'c', mt_rand(-1, 100)));
                outcome(fn () => hashdyno_pbkdf2_many($algo, ['p', $piece], ['s', $piece], mt_rand(-1, 2), mt_rand(-1, 40)));
                $calls += 8;
                break;
            case 4:
                $rows = array_map(fn () => mt_rand(0, 40) ? substr($pool, mt_rand(0, 99), mt_rand(0, 200)) : null, array_fill(0, mt_rand(0, 30), 0));
                if (!in_array(null, $rows, true)) {
                    check(hashdyno_many($algo, $rows) === array_map(fn ($row) => hash($algo, $row), $rows), "hashdyno_many: $algo");
                    $calls += count($rows);
                } else {
                    outcome(fn () => hashdyno_many($algo, $rows));
                }
                break;
            case 5:
                $width = mt_rand(1, 40);
                $rows = substr($pool, 0, $width * mt_rand(0, 60) + (mt_rand(0, 9) ? 0 : 1));
                $digests = outcome(fn () => check(hashdyno_rows($algo, $rows, $width) === implode(hashdyno_many($algo, $rows === '' ? [] : str_split($rows, $width))), "hashdyno_rows: $algo"));
                check($digests === 'null' || strlen($rows) % $width !== 0, "hashdyno_rows of $algo: $digests");
                $calls++;
                break;
            default:
                hash_update($hash, $piece);
                $message .= $piece;
        }
    }
    if (mt_rand(0, 3)) { // else dropped unfinished
        check(hash_final($hash) === answer($algo, $message, $key), "$algo of " . strlen($message) . ' bytes in pieces');
        check(str_starts_with(outcome(fn () => hash_update($hash, 'x')), 'TypeError'), "$algo after its end");
        $calls += 3;
    }
    return $calls;
}

$wanted = getenv('HASHDYNO_FUZZ');
$seed = (int) (getenv('HASHDYNO_SEED') ?: ($wanted ? random_int(1, PHP_INT_MAX >> 32) : 1));
$left = (int) ($wanted ?: (getenv('USE_ZEND_ALLOC') === '0' ? 5000 : 50000));
mt_srand($seed);
$algos = array_values(ours());
$pool = pattern(9000);
ob_start();
while ($left > 0) {
    $left -= walk($algos, $pool);
}
$wrong = ob_get_clean();
echo $wrong === '' ? "done\n" : "HASHDYNO_SEED=$seed\n$wrong";
?>
--EXPECT--
done
