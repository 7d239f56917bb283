//! Snefru's sixteen S-boxes, two for each pass (R. Merkle, 1990; made from RAND's million random
//! digits).

/// The words of `boxes.txt`, of eight hexadecimal digits each.
pub(super) const BOXES: [[u32; 256]; 16] = {
    let text = include_bytes!("boxes.txt");
    let (mut boxes, mut digits, mut at) = ([[0; 256]; 16], 0, 0);
    while at < text.len() {
        if let Some(digit) = (text[at] as char).to_digit(16) {
            let word: &mut u32 = &mut boxes[digits / 8 / 256][digits / 8 % 256];
            *word = *word << 4 | digit;
            digits += 1;
        }
        at += 1;
    }
    assert!(digits == 8 * 256 * 16);
    boxes
};
