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
 * A digest by which clouds and networks name files, made from the digests of the parts of $data: dropbox, s3-etag, tth, git-blob ...
 *
 * @param string $algo a composite digest that hashdyno_info() names, in any case
 * @param int $part_size length of the parts in bytes, for s3-etag, s3-sha256, s3-sha1, s3-crc32c, s3-crc32 and btih; 0: the usual one
 * @param string $filename the name of the file, which btih depends on
 * @return string as programs write it: in hexadecimal, but tth and aich in Base32 and S3's checksums in Base64; the number of S3's
 *     parts behind a hyphen
 * @throws ValueError there is no such digest, or its parts have no such length
 */
function hashdyno_composite(string $algo, string $data, int $part_size = 0, string $filename = ""): string {}

/**
 * The same of a file, or of whatever PHP's streams read. False, and a warning: it cannot be read.
 *
 * @throws ValueError as for hashdyno_composite()
 */
function hashdyno_composite_file(string $algo, string $filename, int $part_size = 0): string|false {}

/**
 * The version, the features of this CPU, of each algorithm its name in hash(), the kernel in use and its specification, and the names of
 * the composite digests.
 *
 * @return array{version: string, cpu: string, algorithms: array<string, array{algo: string, kernel: string, specified_in: string}>, composites: list<string>}
 */
function hashdyno_info(): array {}
