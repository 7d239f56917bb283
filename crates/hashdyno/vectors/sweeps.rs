//! Prints lines of sweeps.txt, `name check sweep engine`, by crates of others: `cargo run --release
//! > FILE`, then `sweeps.py FILE`. No part of any crate here: put it as src/main.rs into an empty
//! project with these dependencies: blake-hash = "=0.4.1", blake2 = "=0.11.0", blake3 = "=1.8.7",
//! digest = "=0.11.3", groestl = "=0.11.0", jh = "=0.2.0", md-5 = "=0.11.0", sha1 = "=0.11.0", sha3
//! = "=0.12.0", crc = "=3.4.0", skein = "=0.2.0", sm3 = "=0.5.0", streebog = "=0.11.0", tiger =
//! "=0.3.0"

use digest::Digest;
use digest::consts::*;
fn sweep(name: &str, source: &str, f: impl Fn(&[u8]) -> Vec<u8>) {
    let hex = |b: Vec<u8>| b.iter().map(|x| format!("{x:02x}")).collect::<String>();
    let p: Vec<u8> = (0..4096).map(|i| (i % 251) as u8).collect();
    let all: Vec<u8> = (0..4096).flat_map(|n| f(&p[..n])).collect();
    println!("{name} {} {} {source}", hex(f(b"123456789")), hex(f(&all)));
}
fn rc<D: Digest>(name: &str, source: &str) {
    sweep(name, source, |m| D::digest(m).to_vec());
}
fn old<D: blake_hash::Digest>(name: &str, source: &str) {
    sweep(name, source, |m| D::digest(m).to_vec());
}
/// `CRC_16_ARC` is crc16-arc.
fn crc_of(name: &str, width: u8, f: impl Fn(&[u8]) -> u128) {
    let name = name.to_lowercase().replacen("crc_", "crc", 1).replace('_', "-");
    let name = match name.as_str() {
        "crc32-iso-hdlc" => "crc32b",
        "crc32-iscsi" => "crc32c",
        "crc32-bzip2" => "crc32-aal5",
        name => name,
    };
    sweep(name, "crc-crate-3.4.0", |m| {
        f(m).to_be_bytes()[16 - usize::from(width).div_ceil(8)..].to_vec()
    });
}
fn main() {
    let b = "blake-hash-0.4.1";
    old::<blake_hash::Blake224>("blake-224", b);
    old::<blake_hash::Blake256>("blake-256", b);
    old::<blake_hash::Blake384>("blake-384", b);
    old::<blake_hash::Blake512>("blake-512", b);
    let g = "rustcrypto-groestl-0.11.0";
    rc::<groestl::Groestl224>("groestl-224", g);
    rc::<groestl::Groestl256>("groestl-256", g);
    rc::<groestl::Groestl384>("groestl-384", g);
    rc::<groestl::Groestl512>("groestl-512", g);
    let j = "rustcrypto-jh-0.2.0";
    rc::<jh::Jh224>("jh-224", j);
    rc::<jh::Jh256>("jh-256", j);
    rc::<jh::Jh384>("jh-384", j);
    rc::<jh::Jh512>("jh-512", j);
    let k = "rustcrypto-sha3-0.12.0";
    rc::<sha3::Keccak224>("keccak-224", k);
    rc::<sha3::Keccak256>("keccak-256", k);
    rc::<sha3::Keccak384>("keccak-384", k);
    rc::<sha3::Keccak512>("keccak-512", k);
    let s = "rustcrypto-skein-0.2.0";
    rc::<skein::Skein512<U28>>("skein512-224", s);
    rc::<skein::Skein512<U32>>("skein512-256", s);
    rc::<skein::Skein512<U48>>("skein512-384", s);
    rc::<skein::Skein512<U64>>("skein512-512", s);
    rc::<skein::Skein256<U32>>("skein256-256", s);
    rc::<skein::Skein1024<U128>>("skein1024-1024", s);
    let s = "rustcrypto-streebog-0.11.0";
    rc::<streebog::Streebog256>("streebog-256", s);
    rc::<streebog::Streebog512>("streebog-512", s);
    rc::<tiger::Tiger2>("tiger2", "rustcrypto-tiger-0.3.0");
    rc::<sm3::Sm3>("sm3", "rustcrypto-sm3-0.5.0");
    sweep("blake3", "blake3-crate-1.8.7", |m| blake3::hash(m).as_bytes().to_vec());
    sweep("md5-sha1", "rustcrypto-md5-sha1-0.11.0", |m| {
        [md5::Md5::digest(m).to_vec(), sha1::Sha1::digest(m).to_vec()].concat()
    });
    macro_rules! b2 {
        ($($n:literal $t:ident $u:ty),*) => {
            $(rc::<blake2::$t<$u>>($n, "rustcrypto-blake2-0.11.0");)*
        }
    }
    b2!(
        "blake2b-128" Blake2b U16, "blake2b-160" Blake2b U20, "blake2b-224" Blake2b U28,
        "blake2b-256" Blake2b U32, "blake2b-384" Blake2b U48, "blake2b-512" Blake2b U64,
        "blake2s-128" Blake2s U16, "blake2s-160" Blake2s U20, "blake2s-224" Blake2s U28,
        "blake2s-256" Blake2s U32
    );
    macro_rules! crcs { ($($word:ty: $($name:ident)*;)*) => {$($({
        static ENGINE: crc::Crc<$word, crc::Table<1>> =
            crc::Crc::<$word, crc::Table<1>>::new(&crc::$name);
        crc_of(stringify!($name), crc::$name.width, |m| ENGINE.checksum(m) as u128);
    })*)*} }
    crcs! {
        u8: CRC_3_GSM CRC_3_ROHC CRC_4_G_704 CRC_4_INTERLAKEN CRC_5_EPC_C1G2 CRC_5_G_704
            CRC_5_USB CRC_6_CDMA2000_A CRC_6_CDMA2000_B CRC_6_DARC CRC_6_G_704 CRC_6_GSM
            CRC_7_MMC CRC_7_ROHC CRC_7_UMTS CRC_8_AUTOSAR CRC_8_BLUETOOTH CRC_8_CDMA2000
            CRC_8_DARC CRC_8_DVB_S2 CRC_8_GSM_A CRC_8_GSM_B CRC_8_HITAG CRC_8_I_432_1
            CRC_8_I_CODE CRC_8_LTE CRC_8_MAXIM_DOW CRC_8_MIFARE_MAD CRC_8_NRSC_5
            CRC_8_OPENSAFETY CRC_8_ROHC CRC_8_SAE_J1850 CRC_8_SMBUS CRC_8_TECH_3250 CRC_8_WCDMA;
        u16: CRC_10_ATM CRC_10_CDMA2000 CRC_10_GSM CRC_11_FLEXRAY CRC_11_UMTS CRC_12_CDMA2000
            CRC_12_DECT CRC_12_GSM CRC_12_UMTS CRC_13_BBC CRC_14_DARC CRC_14_GSM CRC_15_CAN
            CRC_15_MPT1327 CRC_16_ARC CRC_16_CDMA2000 CRC_16_CMS CRC_16_DDS_110 CRC_16_DECT_R
            CRC_16_DECT_X CRC_16_DNP CRC_16_EN_13757 CRC_16_GENIBUS CRC_16_GSM CRC_16_IBM_3740
            CRC_16_IBM_SDLC CRC_16_ISO_IEC_14443_3_A CRC_16_KERMIT CRC_16_LJ1200 CRC_16_M17
            CRC_16_MAXIM_DOW CRC_16_MCRF4XX CRC_16_MODBUS CRC_16_NRSC_5 CRC_16_OPENSAFETY_A
            CRC_16_OPENSAFETY_B CRC_16_PROFIBUS CRC_16_RIELLO CRC_16_SPI_FUJITSU CRC_16_T10_DIF
            CRC_16_TELEDISK CRC_16_TMS37157 CRC_16_UMTS CRC_16_USB CRC_16_XMODEM;
        u32: CRC_17_CAN_FD CRC_21_CAN_FD CRC_24_BLE CRC_24_FLEXRAY_A CRC_24_FLEXRAY_B
            CRC_24_INTERLAKEN CRC_24_LTE_A CRC_24_LTE_B CRC_24_OPENPGP CRC_24_OS_9 CRC_30_CDMA
            CRC_31_PHILIPS CRC_32_AIXM CRC_32_AUTOSAR CRC_32_BASE91_D CRC_32_BZIP2
            CRC_32_CD_ROM_EDC CRC_32_CKSUM CRC_32_ISCSI CRC_32_ISO_HDLC CRC_32_JAMCRC CRC_32_MEF
            CRC_32_MPEG_2 CRC_32_XFER;
        u64: CRC_40_GSM CRC_64_ECMA_182 CRC_64_GO_ISO CRC_64_MS CRC_64_NVME CRC_64_REDIS
            CRC_64_WE CRC_64_XZ;
        u128: CRC_82_DARC;
    }
    const KOOPMAN: crc::Algorithm<u32> = crc::Algorithm {
        width: 32,
        poly: 0x741b8cd7,
        init: !0,
        refin: true,
        refout: true,
        xorout: !0,
        check: 0,
        residue: 0,
    };
    let koopman = crc::Crc::<u32>::new(&KOOPMAN);
    crc_of("CRC_32_KOOPMAN", 32, |m| koopman.checksum(m).into());
}
