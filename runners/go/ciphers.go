package main

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/hex"
	"errors"
	"regexp"
	"time"
)

// cipherLine is a job line behind "job cipher"; the standard library has no ECB and no CCM.
var cipherLine = regexp.MustCompile(`^job cipher (aes-(128|192|256)-(cbc|ctr|gcm)) ` +
	`(encrypt|decrypt) len=(\d+) key=([0-9a-fA-F]+) iv=([0-9a-fA-F]+)$`)

// ciphers are the offers, by name.
func ciphers() []string {
	var lines []string
	for _, mode := range []string{"cbc", "ctr", "gcm"} {
		for _, bits := range []string{"128", "192", "256"} {
			lines = append(lines, "cipher aes-"+bits+"-"+mode+" encrypt decrypt")
		}
	}
	return lines
}

// crypt makes a job of a cipher. The key is expanded once; the output is another slice, made
// before.
func crypt(match []string, input []byte) (job, error) {
	mode, encrypt := match[3], match[4] == "encrypt"
	key, err := hex.DecodeString(match[6])
	if err != nil || match[2] != map[int]string{16: "128", 24: "192", 32: "256"}[len(key)] {
		return nil, errors.New("the key has another length")
	}
	iv, err := hex.DecodeString(match[7])
	if err != nil || len(iv) != map[string]int{"cbc": 16, "ctr": 16, "gcm": 12}[mode] ||
		len(input)%16 != 0 {
		return nil, errors.New("the initialisation vector or the message has another length")
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	if mode == "gcm" {
		return sealOrOpen(block, encrypt, iv, input)
	}
	output := make([]byte, len(input))
	once := func() { cipher.NewCTR(block, iv).XORKeyStream(output, input) }
	if mode == "cbc" && encrypt {
		once = func() { cipher.NewCBCEncrypter(block, iv).CryptBlocks(output, input) }
	} else if mode == "cbc" {
		once = func() { cipher.NewCBCDecrypter(block, iv).CryptBlocks(output, input) }
	}
	return func(calls int) ([]byte, time.Duration, error) {
		begin := time.Now()
		for i := 0; i < calls; i++ {
			once()
		}
		return output, time.Since(begin), nil
	}, nil
}

func sealOrOpen(block cipher.Block, encrypt bool, nonce, input []byte) (job, error) {
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	room := make([]byte, 0, len(input)+aead.Overhead())
	if encrypt {
		return func(calls int) ([]byte, time.Duration, error) {
			var sealed []byte
			begin := time.Now()
			for i := 0; i < calls; i++ {
				sealed = aead.Seal(room, nonce, input, nil)
			}
			return sealed, time.Since(begin), nil
		}, nil
	}
	return func(calls int) ([]byte, time.Duration, error) {
		var opened []byte
		var err error
		begin := time.Now()
		for i := 0; i < calls && err == nil; i++ {
			opened, err = aead.Open(room, nonce, input, nil)
		}
		return opened, time.Since(begin), err
	}, nil
}
