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
 * The version, the features of this CPU, and of each algorithm its name in hash(), the kernel in use and its specification.
 *
 * @return array{version: string, cpu: string, algorithms: array<string, array{algo: string, kernel: string, specified_in: string}>}
 */
function hashdyno_info(): array {}
