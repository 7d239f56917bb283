//! What the padding of a message is made with in registers.

pub(super) static ZEROS: [u8; 16] = [0; 16];

/// From place 16 - n on, the order that moves the last n bytes down, with zeros above.
pub(super) static DOWN: [u8; 32] = {
    let (mut order, mut place) = ([0x80; 32], 0);
    while place < 16 {
        order[place as usize] = place;
        place += 1;
    }
    order
};

/// From place 16 - n on, a mark in place n.
pub(super) static MARK: [u8; 32] = {
    let mut mark = [0; 32];
    mark[16] = 0x80;
    mark
};
