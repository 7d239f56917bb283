//! The order in which many messages are taken.

use std::ops::Range;

use crate::Messages;

/// How many messages are put in order at a time.
const WINDOW: usize = 1024;

/// Classes of length above this are one.
const CLASSES: usize = 64;

/// How many messages are looked up at a time.
const AT_HAND: usize = 16;

/// The messages in the order of their length, window by window, the longest first.
pub(crate) struct Queue<'a, C> {
    /// The class of a length, which grows with it: how many blocks it makes, or 0 for the shortest.
    class: C,
    window: Window<'a>,
    /// The next messages with their numbers, the last of them first.
    at_hand: [(usize, &'a [u8]); AT_HAND],
    count: usize,
}

impl<'a, C: Fn(usize) -> usize> Queue<'a, C> {
    /// All of these, none of them taken yet.
    #[inline(always)]
    pub(crate) fn new(messages: Messages<'a>, class: C) -> Self {
        let window = Window { messages, total: messages.len(), first: 0, len: 0, left: 0..0, shortest: 0, order: [0; WINDOW] };
        Self { class, window, at_hand: [(0, &[]); AT_HAND], count: 0 }
    }

    /// How many messages are left.
    pub(crate) fn left(&self) -> usize {
        let Window { total, first, len, left, .. } = &self.window;
        total - first - len + left.len() + self.count
    }

    /// The next message, with its number.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<(usize, &'a [u8])> {
        if self.count == 0 {
            self.load_if_empty();
            self.count = self.window.look_up(&mut self.at_hand);
        }
        self.count = self.count.checked_sub(1)?;
        Some(self.at_hand[self.count % AT_HAND])
    }

    /// Takes messages of class 0, which are shorter than 8 bytes: a multiple of `lanes` of them, up to what is room for; none if
    /// there are not so many in the window.
    #[inline(always)]
    pub(crate) fn take_shortest(&mut self, lanes: usize, shortest: &mut Shortest) -> usize {
        self.load_if_empty();
        if self.window.left.end <= self.window.shortest { 0 } else { self.window.take_shortest(lanes, shortest) }
    }

    #[inline(always)]
    fn load_if_empty(&mut self) {
        if self.window.left.is_empty() && self.window.first + self.window.len < self.window.total {
            self.load();
        }
    }

    /// Puts the next window in order.
    fn load(&mut self) {
        let window = &mut self.window;
        window.first += window.len;
        window.len = WINDOW.min(window.total - window.first);
        window.left = 0..window.len;
        let (least, most) = window.messages.lens(window.first..window.first + window.len);
        let (lowest, highest) = ((self.class)(least), (self.class)(most));
        if lowest == highest {
            window.keep_order();
            window.shortest = if lowest == 0 { 0 } else { window.len };
        } else {
            let mut classes = [0; WINDOW];
            for (number, class) in classes[..window.len].iter_mut().enumerate() {
                *class = (self.class)(window.messages.message(window.first + number).len()).min(CLASSES - 1) as u8;
            }
            window.sort(&classes);
        }
    }
}

/// Messages shorter than eight bytes.
pub(crate) struct Shortest {
    /// The bytes of each, the first lowest, with a mark behind them.
    pub(crate) words: [u64; Self::MOST],
    /// How many they are, times 8.
    pub(crate) bits: [u32; Self::MOST],
    /// Their numbers.
    pub(crate) numbers: [usize; Self::MOST],
}

impl Shortest {
    /// How many there may be.
    const MOST: usize = 64;

    /// Room for them.
    pub(crate) fn new() -> Self {
        Self { words: [0; Self::MOST], bits: [0; Self::MOST], numbers: [0; Self::MOST] }
    }
}

/// Some messages in order.
struct Window<'a> {
    /// All messages.
    messages: Messages<'a>,
    /// How many they are.
    total: usize,
    /// The number of the window's first message.
    first: usize,
    /// How many messages the window began with.
    len: usize,
    /// What of the order is left.
    left: Range<usize>,
    /// Where in the order the shortest begin.
    shortest: usize,
    /// The window's messages in order, counted from its first.
    order: [u16; WINDOW],
}

impl<'a> Window<'a> {
    fn keep_order(&mut self) {
        (0..).zip(&mut self.order[..self.len]).for_each(|(number, place)| *place = number);
    }

    /// A sort by counting.
    #[inline(never)]
    fn sort(&mut self, classes: &[u8; WINDOW]) {
        let mut counts = [0u16; CLASSES];
        for class in &classes[..self.len] {
            counts[usize::from(*class) % CLASSES] += 1;
        }
        self.shortest = self.len - usize::from(counts[0]);
        let mut end = 0;
        for count in counts.iter_mut().rev() {
            (*count, end) = (end, end + *count);
        }
        for (number, class) in (0..).zip(&classes[..self.len]) {
            let place = &mut counts[usize::from(*class) % CLASSES];
            self.order[usize::from(*place) % WINDOW] = number;
            *place += 1;
        }
    }

    /// Takes the next messages, the last of them first, and says how many.
    #[inline(never)]
    fn look_up(&mut self, messages: &mut [(usize, &'a [u8]); AT_HAND]) -> usize {
        let count = AT_HAND.min(self.left.len());
        let (first, order) = (self.first, &self.order[self.left.start..][..count]);
        let numbers = order.iter().rev().map(|number| first + usize::from(*number));
        let each = numbers.zip(messages);
        match self.messages {
            Messages::Slices(slices) => each.for_each(|(number, to)| *to = (number, slices[number])),
            Messages::Offsets { data, offsets } => each.for_each(|(number, to)| {
                *to = (number, &data[offsets[number] as usize..offsets[number + 1] as usize]);
            }),
            Messages::LargeOffsets { data, offsets } => each.for_each(|(number, to)| {
                *to = (number, &data[offsets[number] as usize..offsets[number + 1] as usize]);
            }),
            Messages::Rows { data, width } => each.for_each(|(number, to)| *to = (number, &data[number * width..][..width])),
        }
        self.left.start += count;
        count
    }

    #[inline(never)]
    fn take_shortest(&mut self, lanes: usize, shortest: &mut Shortest) -> usize {
        let Range { start, end } = self.left;
        let count = (end - start.max(self.shortest).min(end)).min(Shortest::MOST) / lanes * lanes;
        self.left.end -= count;
        let (first, order) = (self.first, &self.order[end - count..end]);
        let numbers = order.iter().map(|number| first + usize::from(*number));
        for (number, to) in numbers.clone().zip(&mut shortest.numbers) {
            *to = number;
        }
        let each = numbers.zip(shortest.words.iter_mut().zip(&mut shortest.bits));
        match self.messages {
            Messages::Slices(slices) => each.for_each(|(number, to)| {
                let message = slices[number];
                put(crate::words::few(message) as u64, message.len(), to);
            }),
            Messages::Offsets { data, offsets } => each.for_each(|(number, to)| {
                let (start, end) = (offsets[number] as usize, offsets[number + 1] as usize);
                put(within(data, start, end), end - start, to);
            }),
            Messages::LargeOffsets { data, offsets } => each.for_each(|(number, to)| {
                let (start, end) = (offsets[number] as usize, offsets[number + 1] as usize);
                put(within(data, start, end), end - start, to);
            }),
            Messages::Rows { data, width } => {
                each.for_each(|(number, to)| put(within(data, number * width, (number + 1) * width), width, to));
            }
        }
        count
    }
}

#[inline(always)]
fn put(word: u64, len: usize, (to, bits): (&mut u64, &mut u32)) {
    let mark = 0x80 << (8 * len);
    (*to, *bits) = (word & ((mark >> 7) - 1) | mark, 8 * len as u32);
}

/// At least the bytes of `data` from `start` to `end`, fewer than 8, the first lowest.
#[inline(always)]
fn within(data: &[u8], start: usize, end: usize) -> u64 {
    match data.get(start..).and_then(<[u8]>::first_chunk) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => crate::words::few(&data[start..end]) as u64,
    }
}
