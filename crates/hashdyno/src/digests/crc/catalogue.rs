//! The CRCs of Greg Cook's catalogue of parametrised CRC algorithms
//! (<https://reveng.sourceforge.io/crc-catalogue/>) that the family `crc` has not, and Koopman's
//! CRC-32K.
//!
//! They share their kernels, which take parameters when they run: a CRC of so many bits is one of
//! 64 bits whose polynomial is multiplied by a power of x, and the remainder is multiplied by it.
//! [`darc`] alone is longer than 64 bits.

use entry::{Entry, admits, finish, start};

use super::BitOrder;
use super::parameters::Parameters;
use crate::kernel::kernels;
use crate::modes::Modes;
use crate::registry::CATALOGUE;
use crate::{Digest, Kernel, Security};

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod darc;
mod entry;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod factors;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub(super) use darc::{CRC82_DARC, PARAMETERS as DARC};
pub(super) use entry::parameters;

/// Bytes are taken least significant bit first.
struct Lsb;

impl BitOrder for Lsb {
    const MSB_FIRST: bool = false;
}

/// Bytes are taken most significant bit first.
struct Msb;

impl BitOrder for Msb {
    const MSB_FIRST: bool = true;
}

const REFLECTED: &[Kernel] = kernels![
    x86_64::vpclmulqdq::<Lsb>(),
    x86_64::vpclmulqdq_avx2::<Lsb>(),
    x86_64::pclmulqdq::<Lsb>();
    aarch64::pmull::<Lsb>();
    entry::portable(),
];

const PLAIN: &[Kernel] = kernels![
    x86_64::vpclmulqdq::<Msb>(),
    x86_64::vpclmulqdq_avx2::<Msb>(),
    x86_64::pclmulqdq::<Msb>();
    aarch64::pmull::<Msb>();
    entry::portable(),
];

const MODES: Modes = Modes { admits, ..Modes::NONE };

const fn base(width: usize, reflected_in: bool) -> Digest {
    Digest {
        family: CATALOGUE,
        specified_in: "",
        security: Security::Checksum,
        output_len: width.div_ceil(8),
        block_len: 1,
        finish,
        one: if reflected_in { REFLECTED } else { PLAIN },
        modes: &MODES,
        ..Digest::BASE
    }
}

/// Declares CRCs: name of the static, name, aliases, where it is specified; width, polynomial,
/// initial value, whether bytes are taken least significant bit first, whether the result is given
/// so, what is added to it, as the catalogue writes them.
macro_rules! catalogue {
    ($($id:ident $name:literal [$($alias:literal),*] $specified_in:literal
        $width:literal $polynomial:literal $init:literal $refin:literal $refout:literal
        $xorout:literal;)*) => {
        /// Their places among [`ENTRIES`].
        #[allow(non_camel_case_types, reason = "they are the names of the statics")]
        #[repr(usize)]
        enum Place { $($id),* }

        $(static $id: Digest = Digest {
            name: $name,
            aliases: &[$($alias),*],
            specified_in: $specified_in,
            start: start::<{ Place::$id as usize }>,
            ..base($width, $refin)
        };)*

        /// What each is computed with.
        static ENTRIES: &[&Entry] = &[$({
            static ENTRY: Entry = Entry::new(Parameters {
                width: $width,
                polynomial: $polynomial,
                init: $init,
                refin: $refin,
                refout: $refout,
                xorout: $xorout,
            });
            &ENTRY
        }),*];

        /// The digests of this family.
        pub(crate) const DIGESTS: &[&Digest] = &[$(&$id,)* &CRC82_DARC];
    };
}

named! {} // found by their names alone

catalogue! {
    CRC3_GSM "crc3-gsm" ["crc-3/gsm"] "ETSI TS 100 909"
        3 0x3 0x0 false false 0x7;
    CRC3_ROHC "crc3-rohc" ["crc-3/rohc"] "RFC 3095"
        3 0x3 0x7 true true 0x0;
    CRC4_G_704 "crc4-g-704" ["crc-4/g-704", "crc-4/itu"] "ITU-T G.704"
        4 0x3 0x0 true true 0x0;
    CRC4_INTERLAKEN "crc4-interlaken" ["crc-4/interlaken"] "Interlaken Protocol Definition 1.2"
        4 0x3 0xf false false 0xf;
    CRC5_EPC_C1G2 "crc5-epc-c1g2" ["crc-5/epc-c1g2", "crc-5/epc"]
        "GS1 EPC UHF Gen2 Air Interface Protocol"
        5 0x9 0x9 false false 0x0;
    CRC5_G_704 "crc5-g-704" ["crc-5/g-704", "crc-5/itu"] "ITU-T G.704"
        5 0x15 0x0 true true 0x0;
    CRC5_USB "crc5-usb" ["crc-5/usb"] "USB 2.0, 8.3.5"
        5 0x5 0x1f true true 0x1f;
    CRC6_CDMA2000_A "crc6-cdma2000-a" ["crc-6/cdma2000-a"] "3GPP2 C.S0002-E"
        6 0x27 0x3f false false 0x0;
    CRC6_CDMA2000_B "crc6-cdma2000-b" ["crc-6/cdma2000-b"] "3GPP2 C.S0002-E"
        6 0x7 0x3f false false 0x0;
    CRC6_DARC "crc6-darc" ["crc-6/darc"] "ETSI EN 300 751"
        6 0x19 0x0 true true 0x0;
    CRC6_G_704 "crc6-g-704" ["crc-6/g-704", "crc-6/itu"] "ITU-T G.704"
        6 0x3 0x0 true true 0x0;
    CRC6_GSM "crc6-gsm" ["crc-6/gsm"] "ETSI TS 100 909"
        6 0x2f 0x0 false false 0x3f;
    CRC7_MMC "crc7-mmc" ["crc-7/mmc", "crc-7", "crc7"] "JEDEC JESD84, MultiMediaCard"
        7 0x9 0x0 false false 0x0;
    CRC7_ROHC "crc7-rohc" ["crc-7/rohc"] "RFC 3095"
        7 0x4f 0x7f true true 0x0;
    CRC7_UMTS "crc7-umts" ["crc-7/umts"] "3GPP TS 25.427"
        7 0x45 0x0 false false 0x0;
    CRC8_AUTOSAR "crc8-autosar" ["crc-8/autosar", "crc-8/8h2f"]
        "AUTOSAR, Specification of CRC Routines"
        8 0x2f 0xff false false 0xff;
    CRC8_BLUETOOTH "crc8-bluetooth" ["crc-8/bluetooth"] "Bluetooth Core Specification"
        8 0xa7 0x0 true true 0x0;
    CRC8_CDMA2000 "crc8-cdma2000" ["crc-8/cdma2000"] "3GPP2 C.S0002-E"
        8 0x9b 0xff false false 0x0;
    CRC8_DARC "crc8-darc" ["crc-8/darc"] "ETSI EN 300 751"
        8 0x39 0x0 true true 0x0;
    CRC8_DVB_S2 "crc8-dvb-s2" ["crc-8/dvb-s2"] "ETSI EN 302 307"
        8 0xd5 0x0 false false 0x0;
    CRC8_GSM_A "crc8-gsm-a" ["crc-8/gsm-a", "crc-8/sae-j1850-zero"] "ETSI TS 100 909"
        8 0x1d 0x0 false false 0x0;
    CRC8_GSM_B "crc8-gsm-b" ["crc-8/gsm-b"] "ETSI TS 100 909"
        8 0x49 0x0 false false 0xff;
    CRC8_HITAG "crc8-hitag" ["crc-8/hitag"] "Philips, HTS transponder IC, revision 3.1"
        8 0x1d 0xff false false 0x0;
    CRC8_I_432_1 "crc8-i-432-1" ["crc-8/i-432-1", "crc-8/itu"] "ITU-T I.432.1"
        8 0x7 0x0 false false 0x55;
    CRC8_I_CODE "crc8-i-code" ["crc-8/i-code"] "Philips, SL2 ICS11, revision 3.0"
        8 0x1d 0xfd false false 0x0;
    CRC8_LTE "crc8-lte" ["crc-8/lte"] "3GPP TS 36.212"
        8 0x9b 0x0 false false 0x0;
    CRC8_MAXIM_DOW "crc8-maxim-dow" ["crc-8/maxim-dow", "crc-8/maxim", "dow-crc"]
        "Maxim, Application Note 27"
        8 0x31 0x0 true true 0x0;
    CRC8_MIFARE_MAD "crc8-mifare-mad" ["crc-8/mifare-mad"] "NXP AN10787"
        8 0x1d 0xc7 false false 0x0;
    CRC8_NRSC_5 "crc8-nrsc-5" ["crc-8/nrsc-5"] "NRSC-5-D, 1017s, Audio Transport"
        8 0x31 0xff false false 0x0;
    CRC8_OPENSAFETY "crc8-opensafety" ["crc-8/opensafety"] "EPSG WDP 304, openSAFETY"
        8 0x2f 0x0 false false 0x0;
    CRC8_ROHC "crc8-rohc" ["crc-8/rohc"] "RFC 3095"
        8 0x7 0xff true true 0x0;
    CRC8_SAE_J1850 "crc8-sae-j1850" ["crc-8/sae-j1850"] "AUTOSAR, Specification of CRC Routines"
        8 0x1d 0xff false false 0xff;
    CRC8_SMBUS "crc8-smbus" ["crc-8/smbus", "crc-8", "crc8"]
        "System Management Bus Specification 2.0"
        8 0x7 0x0 false false 0x0;
    CRC8_TECH_3250 "crc8-tech-3250" ["crc-8/tech-3250", "crc-8/aes", "crc-8/ebu"] "EBU Tech 3250"
        8 0x1d 0xff true true 0x0;
    CRC8_WCDMA "crc8-wcdma" ["crc-8/wcdma"] "A. Richardson, WCDMA Design Handbook, 2005"
        8 0x9b 0x0 true true 0x0;
    CRC10_ATM "crc10-atm" ["crc-10/atm", "crc-10", "crc-10/i-610"] "ITU-T I.610"
        10 0x233 0x0 false false 0x0;
    CRC10_CDMA2000 "crc10-cdma2000" ["crc-10/cdma2000"] "3GPP2 C.S0002-E"
        10 0x3d9 0x3ff false false 0x0;
    CRC10_GSM "crc10-gsm" ["crc-10/gsm"] "ETSI TS 100 909"
        10 0x175 0x0 false false 0x3ff;
    CRC11_FLEXRAY "crc11-flexray" ["crc-11/flexray", "crc-11"]
        "FlexRay Protocol Specification 3.0.1"
        11 0x385 0x1a false false 0x0;
    CRC11_UMTS "crc11-umts" ["crc-11/umts"] "3GPP TS 25.427"
        11 0x307 0x0 false false 0x0;
    CRC12_CDMA2000 "crc12-cdma2000" ["crc-12/cdma2000"] "3GPP2 C.S0002-E"
        12 0xf13 0xfff false false 0x0;
    CRC12_DECT "crc12-dect" ["crc-12/dect", "x-crc-12"] "ETSI EN 300 175-3"
        12 0x80f 0x0 false false 0x0;
    CRC12_GSM "crc12-gsm" ["crc-12/gsm"] "ETSI TS 100 909"
        12 0xd31 0x0 false false 0xfff;
    CRC12_UMTS "crc12-umts" ["crc-12/umts", "crc-12/3gpp"] "3GPP TS 25.212"
        12 0x80f 0x0 false true 0x0;
    CRC13_BBC "crc13-bbc" ["crc-13/bbc"] "BBC Research Department Report 1982-02"
        13 0x1cf5 0x0 false false 0x0;
    CRC14_DARC "crc14-darc" ["crc-14/darc"] "ETSI EN 300 751"
        14 0x805 0x0 true true 0x0;
    CRC14_GSM "crc14-gsm" ["crc-14/gsm"] "ETSI TS 100 909"
        14 0x202d 0x0 false false 0x3fff;
    CRC15_CAN "crc15-can" ["crc-15/can", "crc-15", "crc15"] "Bosch, CAN 2.0 Specification"
        15 0x4599 0x0 false false 0x0;
    CRC15_MPT1327 "crc15-mpt1327" ["crc-15/mpt1327"] "MPT 1327"
        15 0x6815 0x0 false false 0x1;
    CRC16_ARC "crc16-arc" ["crc-16/arc", "crc-16", "crc-16/lha", "crc-ibm", "crc16"]
        "AUTOSAR, Specification of CRC Routines"
        16 0x8005 0x0 true true 0x0;
    CRC16_CDMA2000 "crc16-cdma2000" ["crc-16/cdma2000"] "3GPP2 C.S0002-E"
        16 0xc867 0xffff false false 0x0;
    CRC16_CMS "crc16-cms" ["crc-16/cms"] "RevEng catalogue: Samsung mobiles"
        16 0x8005 0xffff false false 0x0;
    CRC16_DDS_110 "crc16-dds-110" ["crc-16/dds-110"] "ELV, DDS 10 and DDS 110"
        16 0x8005 0x800d false false 0x0;
    CRC16_DECT_R "crc16-dect-r" ["crc-16/dect-r", "r-crc-16"] "ETSI EN 300 175-3"
        16 0x589 0x0 false false 0x1;
    CRC16_DECT_X "crc16-dect-x" ["crc-16/dect-x", "x-crc-16"] "ETSI EN 300 175-3"
        16 0x589 0x0 false false 0x0;
    CRC16_DNP "crc16-dnp" ["crc-16/dnp"] "IEEE 1815, DNP3"
        16 0x3d65 0x0 true true 0xffff;
    CRC16_EN_13757 "crc16-en-13757" ["crc-16/en-13757"] "EN 13757-4"
        16 0x3d65 0x0 false false 0xffff;
    CRC16_GENIBUS "crc16-genibus" [
        "crc-16/genibus", "crc-16/darc", "crc-16/epc", "crc-16/epc-c1g2", "crc-16/i-code"
    ] "GS1 EPC UHF Gen2 Air Interface Protocol"
        16 0x1021 0xffff false false 0xffff;
    CRC16_GSM "crc16-gsm" ["crc-16/gsm"] "ETSI TS 100 909"
        16 0x1021 0x0 false false 0xffff;
    CRC16_IBM_3740 "crc16-ibm-3740" ["crc-16/ibm-3740", "crc-16/autosar", "crc-16/ccitt-false"]
        "AUTOSAR, Specification of CRC Routines"
        16 0x1021 0xffff false false 0x0;
    CRC16_IBM_SDLC "crc16-ibm-sdlc" [
        "crc-16/ibm-sdlc", "crc-16/iso-hdlc", "crc-16/iso-iec-14443-3-b", "crc-16/x-25",
        "crc-b", "x-25"
    ] "ITU-T T.30"
        16 0x1021 0xffff true true 0xffff;
    CRC16_ISO_IEC_14443_3_A "crc16-iso-iec-14443-3-a" ["crc-16/iso-iec-14443-3-a", "crc-a"]
        "ISO/IEC 14443-3"
        16 0x1021 0xc6c6 true true 0x0;
    CRC16_KERMIT "crc16-kermit" [
        "crc-16/kermit", "crc-16/bluetooth", "crc-16/ccitt", "crc-16/ccitt-true",
        "crc-16/v-41-lsb", "crc-ccitt", "kermit"
    ] "ITU-T V.41"
        16 0x1021 0x0 true true 0x0;
    CRC16_LJ1200 "crc16-lj1200" ["crc-16/lj1200"] "RevEng catalogue: LoJack transponders"
        16 0x6f63 0x0 false false 0x0;
    CRC16_M17 "crc16-m17" ["crc-16/m17"] "M17 Protocol Specification 1.0"
        16 0x5935 0xffff false false 0x0;
    CRC16_MAXIM_DOW "crc16-maxim-dow" ["crc-16/maxim-dow", "crc-16/maxim"] "Maxim, DS1921G"
        16 0x8005 0x0 true true 0xffff;
    CRC16_MCRF4XX "crc16-mcrf4xx" ["crc-16/mcrf4xx"] "Microchip AN752"
        16 0x1021 0xffff true true 0x0;
    CRC16_MODBUS "crc16-modbus" ["crc-16/modbus", "modbus"] "Modbus Protocol Reference Guide, J"
        16 0x8005 0xffff true true 0x0;
    CRC16_NRSC_5 "crc16-nrsc-5" ["crc-16/nrsc-5"] "NRSC-5-D, 1020s, Station Information Service"
        16 0x80b 0xffff true true 0x0;
    CRC16_OPENSAFETY_A "crc16-opensafety-a" ["crc-16/opensafety-a"] "EPSG WDP 304, openSAFETY"
        16 0x5935 0x0 false false 0x0;
    CRC16_OPENSAFETY_B "crc16-opensafety-b" ["crc-16/opensafety-b"] "EPSG WDP 304, openSAFETY"
        16 0x755b 0x0 false false 0x0;
    CRC16_PROFIBUS "crc16-profibus" ["crc-16/profibus", "crc-16/iec-61158-2"]
        "IEC 61158-2, PROFIBUS"
        16 0x1dcf 0xffff false false 0xffff;
    CRC16_RIELLO "crc16-riello" ["crc-16/riello"] "RevEng catalogue: Riello power supplies"
        16 0x1021 0xb2aa true true 0x0;
    CRC16_SPI_FUJITSU "crc16-spi-fujitsu" ["crc-16/spi-fujitsu", "crc-16/aug-ccitt"]
        "Fujitsu, MB88121B User's Manual"
        16 0x1021 0x1d0f false false 0x0;
    CRC16_T10_DIF "crc16-t10-dif" ["crc-16/t10-dif", "crc16-t10dif"] "INCITS T10, 03-111r0"
        16 0x8bb7 0x0 false false 0x0;
    CRC16_TELEDISK "crc16-teledisk" ["crc-16/teledisk"] "RevEng catalogue: TeleDisk images"
        16 0xa097 0x0 false false 0x0;
    CRC16_TMS37157 "crc16-tms37157" ["crc-16/tms37157"] "Texas Instruments, TMS37157"
        16 0x1021 0x89ec true true 0x0;
    CRC16_UMTS "crc16-umts" ["crc-16/umts", "crc-16/buypass", "crc-16/verifone"]
        "Verifone, TCLOAD Reference Manual; 3GPP TS 25.212"
        16 0x8005 0x0 false false 0x0;
    CRC16_USB "crc16-usb" ["crc-16/usb"] "USB 2.0, 8.3.5"
        16 0x8005 0xffff true true 0xffff;
    CRC16_XMODEM "crc16-xmodem" [
        "crc-16/xmodem", "crc-16/acorn", "crc-16/lte", "crc-16/v-41-msb", "xmodem", "zmodem"
    ] "ITU-T V.41"
        16 0x1021 0x0 false false 0x0;
    CRC17_CAN_FD "crc17-can-fd" ["crc-17/can-fd"] "Bosch, CAN with Flexible Data-Rate 1.0"
        17 0x1685b 0x0 false false 0x0;
    CRC21_CAN_FD "crc21-can-fd" ["crc-21/can-fd"] "Bosch, CAN with Flexible Data-Rate 1.0"
        21 0x102899 0x0 false false 0x0;
    CRC24_BLE "crc24-ble" ["crc-24/ble"] "Bluetooth Core Specification"
        24 0x65b 0x555555 true true 0x0;
    CRC24_FLEXRAY_A "crc24-flexray-a" ["crc-24/flexray-a"] "FlexRay Protocol Specification 3.0.1"
        24 0x5d6dcb 0xfedcba false false 0x0;
    CRC24_FLEXRAY_B "crc24-flexray-b" ["crc-24/flexray-b"] "FlexRay Protocol Specification 3.0.1"
        24 0x5d6dcb 0xabcdef false false 0x0;
    CRC24_INTERLAKEN "crc24-interlaken" ["crc-24/interlaken"] "Interlaken Protocol Definition 1.2"
        24 0x328b63 0xffffff false false 0xffffff;
    CRC24_LTE_A "crc24-lte-a" ["crc-24/lte-a"] "3GPP TS 36.212"
        24 0x864cfb 0x0 false false 0x0;
    CRC24_LTE_B "crc24-lte-b" ["crc-24/lte-b"] "3GPP TS 36.212"
        24 0x800063 0x0 false false 0x0;
    CRC24_OPENPGP "crc24-openpgp" ["crc-24/openpgp", "crc-24", "crc24"] "RFC 4880, 6"
        24 0x864cfb 0xb704ce false false 0x0;
    CRC24_OS_9 "crc24-os-9" ["crc-24/os-9"] "Microware, OS-9 System Programmer's Manual"
        24 0x800063 0xffffff false false 0xffffff;
    CRC30_CDMA "crc30-cdma" ["crc-30/cdma"] "YD/T 1838.3"
        30 0x2030b9c7 0x3fffffff false false 0x3fffffff;
    CRC31_PHILIPS "crc31-philips" ["crc-31/philips"] "RevEng catalogue: Philips televisions"
        31 0x4c11db7 0x7fffffff false false 0x7fffffff;
    CRC32_AIXM "crc32-aixm" ["crc-32/aixm", "crc-32q", "crc32q"] "EUROCONTROL, AIXM Primer 4.5"
        32 0x814141ab 0x0 false false 0x0;
    CRC32_AUTOSAR "crc32-autosar" ["crc-32/autosar"] "AUTOSAR, Specification of CRC Routines"
        32 0xf4acfb13 0xffffffff true true 0xffffffff;
    CRC32_BASE91_D "crc32-base91-d" ["crc-32/base91-d", "crc-32d", "crc32d"]
        "P. Koopman, 32-Bit CRCs for Internet Applications, 2002"
        32 0xa833982b 0xffffffff true true 0xffffffff;
    CRC32_AAL5 "crc32-aal5" ["crc-32/aal5", "crc-32/dect-b", "b-crc-32"] "ITU-T I.363.5"
        32 0x4c11db7 0xffffffff false false 0xffffffff;
    CRC32_CD_ROM_EDC "crc32-cd-rom-edc" ["crc-32/cd-rom-edc"] "ECMA-130"
        32 0x8001801b 0x0 true true 0x0;
    CRC32_CKSUM "crc32-cksum" ["crc-32/cksum", "crc-32/posix"]
        "RevEng catalogue: POSIX cksum without the length"
        32 0x4c11db7 0x0 false false 0xffffffff;
    CRC32_JAMCRC "crc32-jamcrc" ["crc-32/jamcrc", "jamcrc"] "Altera, crc MegaCore Function"
        32 0x4c11db7 0xffffffff true true 0x0;
    CRC32_KOOPMAN "crc32-koopman" ["crc-32/koopman", "crc-32k", "crc32k"]
        "P. Koopman, 32-Bit CRCs for Internet Applications, 2002; Go hash/crc32"
        32 0x741b8cd7 0xffffffff true true 0xffffffff;
    CRC32_MEF "crc32-mef" ["crc-32/mef"] "Multiscale Electrophysiology File Format 3.0"
        32 0x741b8cd7 0xffffffff true true 0x0;
    CRC32_MPEG_2 "crc32-mpeg-2" ["crc-32/mpeg-2"] "ITU-T H.222.0"
        32 0x4c11db7 0xffffffff false false 0x0;
    CRC32_XFER "crc32-xfer" ["crc-32/xfer"] "RevEng catalogue: XFER 5.1"
        32 0xaf 0x0 false false 0x0;
    CRC40_GSM "crc40-gsm" ["crc-40/gsm"] "ETSI TS 100 909"
        40 0x4820009 0x0 false false 0xffffffffff;
    CRC64_ECMA_182 "crc64-ecma-182" ["crc-64/ecma-182"] "ECMA-182"
        64 0x42f0e1eba9ea3693 0x0 false false 0x0;
    CRC64_GO_ISO "crc64-go-iso" ["crc-64/go-iso"] "ISO 3309; Go hash/crc64"
        64 0x1b 0xffffffffffffffff true true 0xffffffffffffffff;
    CRC64_MS "crc64-ms" ["crc-64/ms"] "Microsoft MS-FCIADS"
        64 0x259c84cba6426349 0xffffffffffffffff true true 0x0;
    CRC64_REDIS "crc64-redis" ["crc-64/redis"] "Redis, crc64.c"
        64 0xad93d23594c935a9 0x0 true true 0x0;
    CRC64_WE "crc64-we" ["crc-64/we"] "W. Ehrhardt, CRC/Hash plugin for FAR Manager"
        64 0x42f0e1eba9ea3693 0xffffffffffffffff false false 0xffffffffffffffff;
}
