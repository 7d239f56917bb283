//! The order in which many messages are taken.

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::ptr;

use crate::Messages;
use crate::parts::lanes::Word;
use crate::parts::prefetch::fetch;

/// How many messages are put in order at a time.
const WINDOW: usize = 1024;

/// How many of the shortest messages are taken at a time, at most: a multiple of 24 and of 8 lanes;
/// of 16 and of 32 it makes 64.
const MAX_TINY: usize = 72;

/// How many classes of work there are.
const CLASSES: usize = 256;

/// Bytes of a cache line.
const LINE: usize = 64;

/// Shorter rows are not fetched: lanes read them nearly whole, one after another, and a CPU fetches
/// those ahead by itself. On Zen 4, fetches for rows of 140 bytes cost 6 %.
const LONG: usize = 256;

/// Bytes of messages that are expected in a core's own cache. Larger batches come from engines and
/// files, whose rows were written long before. Where a loop hashes the same 1,000 rows of 1,000
/// bytes again and again, the fetches cost MD5 a sixth on Zen 5, and a hundredth on Zen 4.
const CACHED: usize = 512 << 10;

/// Messages shorter than this fit into 64 bits with the mark.
pub(crate) const TINY_LEN: usize = 8;

/// The most bytes of a message that are fetched at once.
const MAX_FETCHED: usize = 1024;

/// The messages in the order of their length, window by window, the longest first.
pub(crate) struct Queue<'a, C> {
    /// The work that a length makes, which grows with it, in blocks: 0 for the shortest.
    blocks: C,
    /// Whether the messages of no blocks are those that [`Queue::take_shortest`] takes.
    pub(crate) takes_shortest: bool,
    window: Window<'a>,
}

impl<'a, C: Fn(usize) -> usize> Queue<'a, C> {
    /// All of these, none of them taken yet.
    #[inline(always)]
    pub(crate) fn new(messages: Messages<'a>, blocks: C) -> Self {
        let window = Window {
            messages,
            total: messages.len(),
            first: 0,
            len: 0,
            left: 0..0,
            shortest: 0,
            is_far: false,
            order: [0; WINDOW],
        };
        Self { blocks, takes_shortest: false, window }
    }

    /// Takes the next messages of a window with their numbers, as many as there are and is room
    /// for; none at the end of all.
    #[inline(always)]
    pub(crate) fn take(&mut self, group: &mut [(usize, &'a [u8])]) -> usize {
        self.load_if_empty();
        self.window.take(group)
    }

    /// Takes messages of no blocks, which are shorter than 8 bytes: a multiple of `lanes` of them,
    /// up to what is room for; none if there are not so many in the window.
    #[inline(always)]
    pub(crate) fn take_shortest<W: Word>(
        &mut self,
        lanes: usize,
        shortest: &mut Shortest<W>,
    ) -> usize {
        self.load_if_empty();
        if self.window.left.end <= self.window.shortest {
            0
        } else {
            self.window.take_shortest(lanes, shortest)
        }
    }

    /// Fetches the first lines of the messages that are taken next, and puts their addresses into
    /// `rows`. A row without a message gets null. Returns false if the messages are in a cache, and
    /// then leaves `rows` unchanged.
    #[inline(always)]
    pub(crate) fn next_rows(&self, rows: &mut [*const u8]) -> bool {
        if self.window.is_far {
            self.window.next_rows(rows);
        }
        self.window.is_far
    }

    /// Fetches the `count` messages that are taken next, if they are in no cache.
    #[inline(always)]
    pub(crate) fn fetch_next(&self, count: usize) {
        if self.window.is_far {
            self.window.fetch_next(count);
        }
    }

    /// Leaves out the first messages, so many, before any are taken.
    #[inline(always)]
    pub(crate) fn skip(&mut self, count: usize) {
        self.window.first += count;
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
        window.is_far = most > LONG && window.extent(most) > CACHED;
        let (lowest, highest) = (class((self.blocks)(least)), class((self.blocks)(most)));
        // Messages of one block each are not sorted for the sake of some shortest among them: to
        // sort takes longer than those save.
        let is_of_one_block = self.takes_shortest && (lowest, highest) == (0, 1);
        if lowest == highest || is_of_one_block && !window.is_mostly_short() {
            window.keep_order();
            window.shortest = if highest == 0 { 0 } else { window.len };
        } else {
            let mut classes = [0; WINDOW];
            for (number, place) in classes[..window.len].iter_mut().enumerate() {
                *place = class((self.blocks)(window.messages.message(window.first + number).len()));
            }
            window.sort(&classes);
        }
    }
}

/// The class of so many blocks: one for each number up to 63, and eight for each octave above, so
/// that the work of messages that come together does not differ by more than an eighth.
#[inline(always)]
fn class(blocks: usize) -> u8 {
    if blocks < 64 {
        return blocks as u8;
    }
    let octave = blocks.ilog2();
    let class = 64 + 8 * (octave as usize - 6) + (blocks >> (octave - 3)) % 8;
    class.min(CLASSES - 1) as u8
}

/// Messages shorter than eight bytes.
pub(crate) struct Shortest<W> {
    /// The first four or eight bytes of each, the first lowest, with the mark behind them, and
    /// zeros.
    pub(crate) low: [W; MAX_TINY],
    /// The next four, where words have no more.
    pub(crate) high: [W; MAX_TINY],
    /// How many bits they have.
    pub(crate) bits: [W; MAX_TINY],
    /// Their numbers.
    pub(crate) numbers: [usize; MAX_TINY],
    mark: u8,
}

impl<W: Word> Shortest<W> {
    /// Room for them.
    pub(crate) fn new(mark: u8) -> Self {
        let zeros = [W::cut(0); MAX_TINY];
        Self { low: zeros, high: zeros, bits: zeros, numbers: [0; MAX_TINY], mark }
    }

    #[inline(always)]
    fn put(&mut self, place: usize, word: u64, len: usize) {
        let (bits, place) = (8 * len as u64, place % MAX_TINY);
        let word = word & ((1 << bits) - 1) | u64::from(self.mark) << bits;
        (self.low[place], self.high[place], self.bits[place]) =
            (W::cut(word), W::cut(word >> 32), W::cut(bits));
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
    /// Whether its messages are expected in no cache, and a CPU does not fetch them by itself.
    is_far: bool,
    /// The window's messages in order, counted from its first.
    order: [u16; WINDOW],
}

impl<'a> Window<'a> {
    /// Bytes of the buffer that the messages are part of, or of all messages, if each is as long as
    /// `most`. A part of a large buffer is in no cache, even if this call has a small part.
    fn extent(&self, most: usize) -> usize {
        match self.messages {
            Messages::Slices(_) => most.saturating_mul(self.total),
            Messages::Offsets { data, .. }
            | Messages::LargeOffsets { data, .. }
            | Messages::Rows { data, .. } => data.len(),
        }
    }

    fn keep_order(&mut self) {
        (0..).zip(&mut self.order[..self.len]).for_each(|(number, place)| *place = number);
    }

    /// Whether most are shorter than eight bytes, by every seventeenth: lengths may recur after a
    /// power of two.
    #[inline(never)]
    fn is_mostly_short(&self) -> bool {
        let numbers = || (self.first..self.first + self.len).step_by(17);
        let is_short = |number: &usize| self.messages.message(*number).len() < TINY_LEN;
        4 * numbers().filter(is_short).count() > 3 * numbers().count()
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

    /// Takes the next messages with their numbers, and says how many.
    #[inline(never)]
    fn take(&mut self, group: &mut [(usize, &'a [u8])]) -> usize {
        let count = group.len().min(self.left.len());
        let (first, order) = (self.first, &self.order[self.left.start..][..count]);
        let each = order.iter().map(|number| first + usize::from(*number)).zip(group);
        match self.messages {
            Messages::Slices(slices) => {
                each.for_each(|(number, to)| *to = (number, slices[number]))
            }
            Messages::Offsets { data, offsets } => each.for_each(|(number, to)| {
                *to = (number, &data[offsets[number] as usize..offsets[number + 1] as usize]);
            }),
            Messages::LargeOffsets { data, offsets } => each.for_each(|(number, to)| {
                *to = (number, &data[offsets[number] as usize..offsets[number + 1] as usize]);
            }),
            Messages::Rows { data, width } => {
                each.for_each(|(number, to)| *to = (number, &data[number * width..][..width]))
            }
        }
        self.left.start += count;
        count
    }

    /// The message `place` places behind those that were taken. Messages of the next window are not
    /// sorted yet: they count as they lie.
    fn next(&self, place: usize) -> Option<&'a [u8]> {
        let place = self.left.start + place;
        let number = match self.order[..self.left.end].get(place) {
            Some(number) => self.first + usize::from(*number),
            None => self.first + self.len + (place - self.left.end),
        };
        (number < self.total).then(|| self.messages.message(number))
    }

    #[inline(never)]
    fn next_rows(&self, rows: &mut [*const u8]) {
        for (place, row) in rows.iter_mut().enumerate() {
            *row = self.next(place).map_or(ptr::null(), <[u8]>::as_ptr);
            fetch(*row);
        }
    }

    #[inline(never)]
    fn fetch_next(&self, count: usize) {
        for message in (0..count).map_while(|place| self.next(place)) {
            let len = message.len().min(MAX_FETCHED);
            message[..len].chunks(LINE).for_each(|line| fetch(line.as_ptr()));
        }
    }

    #[inline(never)]
    fn take_shortest<W: Word>(&mut self, lanes: usize, shortest: &mut Shortest<W>) -> usize {
        let Range { start, end } = self.left;
        // The shortest stand at the end of the order. Whole sets of lanes only: others go to
        // groups.
        let count = (end - start.max(self.shortest).min(end)).min(MAX_TINY) / lanes * lanes;
        self.left.end -= count;
        for (number, to) in self.order[end - count..end].iter().zip(&mut shortest.numbers) {
            *to = self.first + usize::from(*number);
        }
        // A copy, as `put` borrows all of `shortest`.
        let numbers = shortest.numbers;
        let each = (0..).zip(&numbers[..count]);
        match self.messages {
            Messages::Slices(slices) => each.for_each(|(place, number)| {
                let message = slices[*number];
                shortest.put(place, crate::parts::words::few(message) as u64, message.len());
            }),
            Messages::Offsets { data, offsets } => each.for_each(|(place, number)| {
                let (start, end) = (offsets[*number] as usize, offsets[*number + 1] as usize);
                shortest.put(place, within(data, start, end), end - start);
            }),
            Messages::LargeOffsets { data, offsets } => each.for_each(|(place, number)| {
                let (start, end) = (offsets[*number] as usize, offsets[*number + 1] as usize);
                shortest.put(place, within(data, start, end), end - start);
            }),
            Messages::Rows { data, width } => {
                each.for_each(|(place, number)| {
                    shortest.put(place, within(data, number * width, (number + 1) * width), width)
                });
            }
        }
        count
    }
}

/// At least the bytes of `data` from `start` to `end`, fewer than 8, the first lowest.
#[inline(always)]
fn within(data: &[u8], start: usize, end: usize) -> u64 {
    match data.get(start..).and_then(<[u8]>::first_chunk) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => crate::parts::words::few(&data[start..end]) as u64,
    }
}
