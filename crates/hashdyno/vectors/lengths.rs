//! Prints Skein of every length by the crate of others, for lengths.py. No part of any crate here:
//! put it as src/main.rs into an empty project with these dependencies: digest = "=0.11.3", skein =
//! "=0.2.0"

use digest::{Digest, consts::*};

macro_rules! print {
    ($($len:ident)*) => {$(
        print::<skein::Skein256<$len>>("skein256");
        print::<skein::Skein512<$len>>("skein512");
        print::<skein::Skein1024<$len>>("skein1024");
    )*};
}

fn print<D: Digest>(name: &str) {
    let message: Vec<u8> = (0..200).map(|i| (i * 131 + 17 * 200 + (i >> 8)) as u8).collect();
    let digest = D::digest(message);
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    println!("{name} {} {hex}", 8 * digest.len());
}

#[rustfmt::skip]
fn main() {
    print!(U1 U2 U3 U4 U5 U6 U7 U8 U9 U10 U11 U12 U13 U14 U15 U16 U17 U18 U19 U20 U21 U22 U23 U24
           U25 U26 U27 U28 U29 U30 U31 U32);
    print!(U33 U34 U35 U36 U37 U38 U39 U40 U41 U42 U43 U44 U45 U46 U47 U48 U49 U50 U51 U52 U53 U54
           U55 U56 U57 U58 U59 U60 U61 U62);
    print!(U63 U64 U65 U66 U67 U68 U69 U70 U71 U72 U73 U74 U75 U76 U77 U78 U79 U80 U81 U82 U83 U84
           U85 U86 U87 U88 U89 U90 U91 U92);
    print!(U93 U94 U95 U96 U97 U98 U99 U100 U101 U102 U103 U104 U105 U106 U107 U108 U109 U110 U111
           U112 U113 U114 U115 U116 U117);
    print!(U118 U119 U120 U121 U122 U123 U124 U125 U126 U127 U128);
}
