//! Snefru's sixteen S-boxes, two for each pass (R. Merkle, 1990; made from RAND's million random
//! digits).

mod first;
mod last;

pub(super) const BOXES: [[u32; 256]; 16] = both(&first::BOXES, &last::BOXES);

const fn both(first: &[[u32; 256]; 8], last: &[[u32; 256]; 8]) -> [[u32; 256]; 16] {
    let (mut boxes, mut at) = ([[0; 256]; 16], 0);
    while at < 8 {
        boxes[at] = first[at];
        boxes[8 + at] = last[at];
        at += 1;
    }
    boxes
}
