<?php

/**
 * What the extension hashdyno declares, for editors and static analysers. The algorithms themselves
 * are in hash(); a name that PHP has, too, is ours with the prefix `hashdyno-`.
 */

/**
 * The digest of each message, under the message's key and in its order: many short messages in one
 * call.
 *
 * @param string $algo any name of hashdyno_info(), PHP's names, with or without the prefix
 * @param array<string> $messages
 * @param array{seed?: int, secret?: string, key?: string, context?: string} $options `seed` and
 *     `secret` as PHP's murmur3 and xxHash take them; `key` of the keyed mode of BLAKE2, BLAKE3,
 *     Skein, SipHash and HighwayHash; `context` of BLAKE3's derivation of keys. hash(), hash_file()
 *     and hash_init() take the same
 * @return array<string> in hexadecimal, or as they are if $binary
 * @throws ValueError there is no such algorithm; it takes no such option, or none of that length
 * @throws TypeError a message is no string
 */
function hashdyno_many(
    string $algo, array $messages, bool $binary = false, array $options = []
): array {}

/**
 * The HMAC of each message, under the message's key in the array and in its order: hash_hmac() of
 * many short messages in one call.
 *
 * @param string $algo a digest of a fixed length, or blake3, by any name as for hashdyno_many()
 * @param array<string> $messages
 * @param string $key of the HMAC, of any length
 * @return array<string> in hexadecimal, or as they are if $binary
 * @throws ValueError there is no such algorithm, or it has no HMAC
 * @throws TypeError a message is no string
 */
function hashdyno_hmac_many(
    string $algo, array $messages, #[\SensitiveParameter] string $key, bool $binary = false
): array {}

/**
 * The digests of rows that all have $width bytes and lie one after another, as do the digests: the
 * least that PHP can spend on a message.
 *
 * @param string $algo as for hashdyno_many(), as are $options
 * @return string all digests one after another, in hexadecimal, or as they are if $binary;
 *     str_split() parts them
 * @throws ValueError there is no such algorithm; $width is less than 1; $rows is no multiple of
 *     $width long; $options as for hashdyno_many()
 */
function hashdyno_rows(
    string $algo, string $rows, int $width, bool $binary = false, array $options = []
): string {}

/**
 * BLAKE3's derivation of a key from another: what hash_hkdf() is to HMAC.
 *
 * @param string $algo blake3
 * @param string $key what the key is derived from, and not a password
 * @param string $context what the derived key is for, in UTF-8, and shared by no two uses
 * @param int $length of the derived key in bytes; 0: 32
 * @return string the key, as it is
 * @throws ValueError the algorithm derives no keys; $context is not UTF-8; $length is less than 0
 */
function hashdyno_derive_key(
    string $algo, #[\SensitiveParameter] string $key, string $context, int $length = 0
): string {}

/**
 * The key of each password, under the password's key in the array and in its order: hash_pbkdf2()
 * of many passwords in one call.
 *
 * @param string $algo as for hashdyno_hmac_many()
 * @param array<string> $passwords
 * @param array<string> $salts of each password, under its key
 * @param int $length of each result, as hash_pbkdf2() has it: bytes if $binary, else hexadecimal
 *     digits; 0: a whole digest
 * @return array<string> in hexadecimal, or as they are if $binary
 * @throws ValueError there is no such algorithm, or it has no HMAC; a password has no salt;
 *     $iterations is less than 1 or more than 4294967295; $length is less than 0
 * @throws TypeError a password or a salt is no string
 */
function hashdyno_pbkdf2_many(
    string $algo, #[\SensitiveParameter] array $passwords, array $salts, int $iterations,
    int $length = 0, bool $binary = false
): array {}

/**
 * A digest by which clouds and networks name files, made from the digests of the parts of $data:
 * dropbox, s3-etag, tth, git-blob ...
 *
 * @param string $algo a composite digest that hashdyno_info() names, in any case
 * @param int $part_size length of the parts in bytes, for s3-etag, s3-sha256, s3-sha1, s3-crc32c,
 *     s3-crc32 and btih; 0: the usual one
 * @param string $filename the name of the file, which btih depends on
 * @return string as programs write it: in hexadecimal, but tth and aich in Base32 and S3's
 *     checksums in Base64; the number of S3's parts behind a hyphen
 * @throws ValueError there is no such digest, or its parts have no such length
 */
function hashdyno_composite(
    string $algo, string $data, int $part_size = 0, string $filename = ""
): string {}

/**
 * The same of a file, or of whatever PHP's streams read. False, and a warning: it cannot be read.
 *
 * @throws ValueError as for hashdyno_composite()
 */
function hashdyno_composite_file(
    string $algo, string $filename, int $part_size = 0
): string|false {}

/**
 * The version, the features of this CPU, of each algorithm its name in hash(), the kernel in use
 * and its specification, and the names of the composite digests.
 *
 * @return array{version: string, cpu: string,
 *     algorithms: array<string, array{algo: string, kernel: string, specified_in: string}>,
 *     composites: list<string>}
 */
function hashdyno_info(): array {}
