<?php

/**
 * What the extension hashdyno declares, for editors and static analysers. The algorithms themselves are in hash(); a name that
 * PHP has, too, is ours with the prefix `hashdyno-`.
 */

/**
 * The digest of each message, under the message's key and in its order: many short messages in one call.
 *
 * @param string $algo any name of hashdyno_info(), PHP's names, with or without the prefix
 * @param array<string> $messages
 * @return array<string> in hexadecimal, or as they are if $binary
 * @throws ValueError there is no such algorithm
 * @throws TypeError a message is no string
 */
function hashdyno_many(string $algo, array $messages, bool $binary = false): array {}

/**
 * The digests of rows that all have $width bytes and lie one after another, as do the digests: the least that PHP can spend on a message.
 *
 * @param string $algo as for hashdyno_many()
 * @return string all digests one after another, in hexadecimal, or as they are if $binary; str_split() parts them
 * @throws ValueError there is no such algorithm; $width is less than 1; $rows is no multiple of $width long
 */
function hashdyno_rows(string $algo, string $rows, int $width, bool $binary = false): string {}

/**
 * The version, the features of this CPU, and of each algorithm its name in hash(), the kernel in use and its specification.
 *
 * @return array{version: string, cpu: string, algorithms: array<string, array{algo: string, kernel: string, specified_in: string}>}
 */
function hashdyno_info(): array {}
