//! Tiger's S-boxes, made again by the authors' generator.

#[path = "../src/digests/tiger/tables.rs"]
mod tables;

type Boxes = [[u64; 256]; 4];

/// The authors' generator: Tiger itself, five times over, shuffles the columns of boxes that start
/// out as the identity.
#[test]
fn boxes_are_what_the_authors_program_makes() {
    let mut columns: [[[u8; 8]; 256]; 4] = [std::array::from_fn(|entry| [entry as u8; 8]); 4];
    let seed = b"Tiger - A Fast New Hash Function, by Ross Anderson and Eli Biham";
    let words: [u64; 8] = std::array::from_fn(|word| u64::from_le_bytes(seed.as_chunks().0[word]));
    let mut chain = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0xf096_a5b4_c3b2_e187];
    for step in 0..5 * 256 * 4 {
        let (entry, which) = (step / 4 % 256, step % 4);
        if step % 3 == 0 {
            compress(&mut chain, words, &columns.map(|table| table.map(u64::from_le_bytes)));
        }
        for (column, other) in
            chain[step % 3].to_le_bytes().map(usize::from).into_iter().enumerate()
        {
            let value = columns[which][entry][column];
            columns[which][entry][column] =
                std::mem::replace(&mut columns[which][other][column], value);
        }
    }
    assert!(columns.map(|table| table.map(u64::from_le_bytes)) == tables::BOXES);
}

/// Tiger's compression of a block by given boxes, as the paper has it: three passes, a key schedule
/// between.
fn compress(chain: &mut [u64; 3], mut words: [u64; 8], boxes: &Boxes) {
    let [mut a, mut b, mut c] = *chain;
    for multiplier in [5, 7, 9] {
        if multiplier != 5 {
            schedule(&mut words);
        }
        for word in words {
            c ^= word;
            let byte = |number: u32| (c >> (8 * number)) as usize & 255;
            a = a.wrapping_sub(
                boxes[0][byte(0)] ^ boxes[1][byte(2)] ^ boxes[2][byte(4)] ^ boxes[3][byte(6)],
            );
            b = b.wrapping_add(
                boxes[3][byte(1)] ^ boxes[2][byte(3)] ^ boxes[1][byte(5)] ^ boxes[0][byte(7)],
            );
            b = b.wrapping_mul(multiplier);
            (a, b, c) = (b, c, a);
        }
    }
    *chain = [a ^ chain[0], b.wrapping_sub(chain[1]), c.wrapping_add(chain[2])];
}

fn schedule(x: &mut [u64; 8]) {
    x[0] = x[0].wrapping_sub(x[7] ^ 0xa5a5_a5a5_a5a5_a5a5);
    x[1] ^= x[0];
    x[2] = x[2].wrapping_add(x[1]);
    x[3] = x[3].wrapping_sub(x[2] ^ (!x[1] << 19));
    x[4] ^= x[3];
    x[5] = x[5].wrapping_add(x[4]);
    x[6] = x[6].wrapping_sub(x[5] ^ (!x[4] >> 23));
    x[7] ^= x[6];
    x[0] = x[0].wrapping_add(x[7]);
    x[1] = x[1].wrapping_sub(x[0] ^ (!x[7] << 19));
    x[2] ^= x[1];
    x[3] = x[3].wrapping_add(x[2]);
    x[4] = x[4].wrapping_sub(x[3] ^ (!x[2] >> 23));
    x[5] ^= x[4];
    x[6] = x[6].wrapping_add(x[5]);
    x[7] = x[7].wrapping_sub(x[6] ^ 0x0123_4567_89ab_cdef);
}
