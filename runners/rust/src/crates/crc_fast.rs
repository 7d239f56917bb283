//! All CRCs of the crate crc-fast that we have, too.
//!
//! `checksum` is the call for a whole message. It takes the CRC as a value and gives 64 bits for
//! CRCs of every width, so the number is cut to the width first.

use crc_fast::CrcAlgorithm::*;
use crc_fast::checksum;

use crate::functions::Functions;

const CRATE: &str = "crc-fast";

/// Adds CRCs: our name, theirs, the integer.
macro_rules! crcs {
    ($functions:ident: $($name:literal $theirs:ident $word:ty;)*) => {$(
        $functions.add($name, CRATE, size_of::<$word>(), |message, out| {
            out.copy_from_slice(&(checksum($theirs, message) as $word).to_be_bytes());
        });
    )*};
}

pub(super) fn add(functions: &mut Functions) {
    // PHP's order of the bytes
    functions.add("crc32-bzip2", CRATE, 4, |message, out| {
        out.copy_from_slice(&(checksum(Crc32Bzip2, message) as u32).to_le_bytes());
    });
    crcs! { functions:
        "crc32b" Crc32IsoHdlc u32;
        "crc32c" Crc32Iscsi u32;
        "crc64-nvme" Crc64Nvme u64;
        "crc64-xz" Crc64Xz u64;
        "crc32-aal5" Crc32Bzip2 u32;
        "crc16-arc" Crc16Arc u16;
        "crc16-cdma2000" Crc16Cdma2000 u16;
        "crc16-cms" Crc16Cms u16;
        "crc16-dds-110" Crc16Dds110 u16;
        "crc16-dect-r" Crc16DectR u16;
        "crc16-dect-x" Crc16DectX u16;
        "crc16-dnp" Crc16Dnp u16;
        "crc16-en-13757" Crc16En13757 u16;
        "crc16-genibus" Crc16Genibus u16;
        "crc16-gsm" Crc16Gsm u16;
        "crc16-ibm-3740" Crc16Ibm3740 u16;
        "crc16-ibm-sdlc" Crc16IbmSdlc u16;
        "crc16-iso-iec-14443-3-a" Crc16IsoIec144433A u16;
        "crc16-kermit" Crc16Kermit u16;
        "crc16-lj1200" Crc16Lj1200 u16;
        "crc16-m17" Crc16M17 u16;
        "crc16-maxim-dow" Crc16MaximDow u16;
        "crc16-mcrf4xx" Crc16Mcrf4xx u16;
        "crc16-modbus" Crc16Modbus u16;
        "crc16-nrsc-5" Crc16Nrsc5 u16;
        "crc16-opensafety-a" Crc16OpensafetyA u16;
        "crc16-opensafety-b" Crc16OpensafetyB u16;
        "crc16-profibus" Crc16Profibus u16;
        "crc16-riello" Crc16Riello u16;
        "crc16-spi-fujitsu" Crc16SpiFujitsu u16;
        "crc16-t10-dif" Crc16T10Dif u16;
        "crc16-teledisk" Crc16Teledisk u16;
        "crc16-tms37157" Crc16Tms37157 u16;
        "crc16-umts" Crc16Umts u16;
        "crc16-usb" Crc16Usb u16;
        "crc16-xmodem" Crc16Xmodem u16;
        "crc32-aixm" Crc32Aixm u32;
        "crc32-autosar" Crc32Autosar u32;
        "crc32-base91-d" Crc32Base91D u32;
        "crc32-cd-rom-edc" Crc32CdRomEdc u32;
        "crc32-cksum" Crc32Cksum u32;
        "crc32-jamcrc" Crc32Jamcrc u32;
        "crc32-mef" Crc32Mef u32;
        "crc32-mpeg-2" Crc32Mpeg2 u32;
        "crc32-xfer" Crc32Xfer u32;
        "crc64-ecma-182" Crc64Ecma182 u64;
        "crc64-go-iso" Crc64GoIso u64;
        "crc64-ms" Crc64Ms u64;
        "crc64-redis" Crc64Redis u64;
        "crc64-we" Crc64We u64;
    }
}
