//! Photos and films, byte by byte: no more of each than says when and by what it was taken.

/// What a camera writes: `YYYY:MM:DD HH:MM:SS`, its offset from UTC if it knows it, its model.
pub fn tiff(date: &str, offset: Option<&str>, model: &str) -> Vec<u8> {
    const MODEL: u16 = 0x0110;
    const EXIF: u16 = 0x8769;
    const DATE: u16 = 0x9003;
    const OFFSET: u16 = 0x9011;
    let mut texts = vec![(DATE, date)];
    texts.extend(offset.map(|offset| (OFFSET, offset)));
    let exif_at = 8 + 2 + 2 * 12 + 4;
    let mut data_at = exif_at + 2 + texts.len() * 12 + 4;
    let mut data = Vec::new();
    let mut text = |tag: u16, text: &str| {
        let bytes = [text.as_bytes(), b"\0"].concat();
        let entry = entry(tag, 2, bytes.len(), data_at);
        data_at += bytes.len();
        data.extend(bytes);
        entry
    };
    let mut file = b"II*\0\x08\0\0\0\x02\0".to_vec();
    file.extend(text(MODEL, model));
    file.extend(entry(EXIF, 4, 1, exif_at));
    file.extend([0; 4]);
    file.extend((texts.len() as u16).to_le_bytes());
    texts.iter().for_each(|(tag, value)| file.extend(text(*tag, value)));
    file.extend([0; 4]);
    file.extend(data);
    file.extend([0; 300]);
    file
}

/// The same in a JPEG.
pub fn jpeg(tiff: &[u8]) -> Vec<u8> {
    let len = (2 + 6 + tiff.len()) as u16;
    [
        b"\xff\xd8\xff\xe1",
        &len.to_be_bytes()[..],
        b"Exif\0\0",
        tiff,
        b"\xff\xda\0\x08\x01\x01\0\0\x3f\0",
        &[0x55; 400],
        b"\xff\xd9",
    ]
    .concat()
}

/// In a PNG.
pub fn png(tiff: &[u8]) -> Vec<u8> {
    let chunk = |kind: &[u8], data: &[u8]| {
        let body = [kind, data].concat();
        let crc = hashdyno::find("crc32b").unwrap().digest(&body);
        [&(data.len() as u32).to_be_bytes()[..], &body, &crc].concat()
    };
    let head = chunk(b"IHDR", b"\0\0\0\x01\0\0\0\x01\x08\0\0\0\0");
    [b"\x89PNG\r\n\x1a\n", &head[..], &chunk(b"eXIf", tiff), &chunk(b"IEND", b"")].concat()
}

/// In a HEIC.
pub fn heic(tiff: &[u8]) -> Vec<u8> {
    let exif = [&[0, 0, 0, 6][..], b"Exif\0\0", tiff].concat();
    let head = unit(b"ftyp", b"heic\0\0\0\0heicmif1");
    let infe = unit(b"infe", b"\x02\0\0\0\0\x01\0\0Exif\0");
    let meta = |exif_at: u32| {
        let place = [&exif_at.to_be_bytes()[..], &(exif.len() as u32).to_be_bytes()].concat();
        let iloc = [b"\0\0\0\0\x44\0\0\x01\0\x01\0\0\0\x01", &place[..]].concat();
        let handler = unit(b"hdlr", b"\0\0\0\0\0\0\0\0pict\0\0\0\0\0\0\0\0\0\0\0\0\0");
        let body = [
            &[0; 4][..],
            &handler,
            &unit(b"iinf", &[b"\0\0\0\0\0\x01", &infe[..]].concat()),
            &unit(b"iloc", &iloc),
        ]
        .concat();
        unit(b"meta", &body)
    };
    let exif_at = head.len() + meta(0).len() + 8;
    [head, meta(exif_at as u32), unit(b"mdat", &exif)].concat()
}

/// An MP4 whose header has this time, in seconds since 1904, UTC.
pub fn mp4(created: u32) -> Vec<u8> {
    [
        unit(b"ftyp", b"isom\0\0\x02\0isommp42"),
        unit(b"moov", &movie_head(created)),
        unit(b"mdat", &[0; 500]),
    ]
    .concat()
}

/// The same with a header of 64 bits.
pub fn mp4_long(created: u64) -> Vec<u8> {
    [
        unit(b"ftyp", b"isom\0\0\x02\0isommp42"),
        unit(b"moov", &long_movie_head(created)),
        unit(b"mdat", &[0; 500]),
    ]
    .concat()
}

/// A film of QuickTime's, with Apple's creation date and model beside the header's time.
pub fn quicktime(created: u32, date: &str, model: &str) -> Vec<u8> {
    film(&movie_head(created), date, model)
}

/// The same with a header of 64 bits.
pub fn quicktime_long(created: u64, date: &str, model: &str) -> Vec<u8> {
    film(&long_movie_head(created), date, model)
}

fn film(head: &[u8], date: &str, model: &str) -> Vec<u8> {
    let keys = [("com.apple.quicktime.creationdate", date), ("com.apple.quicktime.model", model)];
    let names = keys.map(|(key, _)| unit(b"mdta", key.as_bytes()));
    let values =
        keys.map(|(_, value)| unit(b"data", &[b"\0\0\0\x01\0\0\0\0", value.as_bytes()].concat()));
    let item = |index: u8, value: &[u8]| unit(&[0, 0, 0, index], value);
    let list = [item(1, &values[0]), item(2, &values[1])].concat();
    let handler = unit(b"hdlr", b"\0\0\0\0\0\0\0\0mdta\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    let meta = [
        handler,
        unit(b"keys", &[&[0, 0, 0, 0, 0, 0, 0, 2][..], &names.concat()].concat()),
        unit(b"ilst", &list),
    ]
    .concat();
    let movie = [head, &unit(b"meta", &meta)].concat();
    [unit(b"ftyp", b"qt  \0\0\x02\0qt  \0\0\0\0"), unit(b"mdat", &[0; 5000]), unit(b"moov", &movie)]
        .concat()
}

/// Seconds from 1904 to 1970.
pub const SINCE_1904: u32 = 2_082_844_800;

fn movie_head(created: u32) -> Vec<u8> {
    let times = [created, created, 600, 600].map(u32::to_be_bytes).concat();
    unit(b"mvhd", &[&[0; 4][..], &times, &[0; 76], &[0, 0, 0, 2]].concat())
}

fn long_movie_head(created: u64) -> Vec<u8> {
    let times = [created, created].map(u64::to_be_bytes).concat();
    let body = [
        &[1, 0, 0, 0][..],
        &times,
        &600u32.to_be_bytes(),
        &600u64.to_be_bytes(),
        &[0; 76],
        &[0, 0, 0, 2],
    ]
    .concat();
    unit(b"mvhd", &body)
}

fn unit(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    [&(body.len() as u32 + 8).to_be_bytes()[..], kind, body].concat()
}

fn entry(tag: u16, kind: u16, count: usize, value: usize) -> Vec<u8> {
    [
        &tag.to_le_bytes()[..],
        &kind.to_le_bytes(),
        &(count as u32).to_le_bytes(),
        &(value as u32).to_le_bytes(),
    ]
    .concat()
}
