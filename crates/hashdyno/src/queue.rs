//! The order in which many messages are taken.

use std::ops::Range;

use crate::Messages;

/// How many messages are put in order at a time.
const WINDOW: usize = 1024;

/// Classes of length above this are one.
const CLASSES: usize = 64;

/// The messages in the order of their length, window by window, the longest first.
pub(crate) struct Queue<'a, C> {
    messages: Messages<'a>,
    /// The class of a length: how many blocks it makes, or 0 for the shortest.
    class: C,
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

impl<'a, C: Fn(usize) -> usize> Queue<'a, C> {
    /// All of these, none of them taken yet.
    #[inline(always)]
    pub(crate) fn new(messages: Messages<'a>, class: C) -> Self {
        Self { messages, class, first: 0, len: 0, left: 0..0, shortest: 0, order: [0; WINDOW] }
    }

    /// The next message.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<usize> {
        self.load_if_empty();
        self.left.next().map(|place| self.number(place))
    }

    /// The places of `count` messages of the shortest class, if there are so many in the window.
    #[inline(always)]
    pub(crate) fn take_shortest(&mut self, count: usize) -> Option<Range<usize>> {
        self.load_if_empty();
        let Range { start, end } = self.left;
        (start.max(self.shortest) + count <= end).then(|| {
            self.left.end -= count;
            end - count..end
        })
    }

    /// The number of the message at a place.
    #[inline(always)]
    pub(crate) fn number(&self, place: usize) -> usize {
        self.first + usize::from(self.order[place % WINDOW])
    }

    #[inline(always)]
    fn load_if_empty(&mut self) {
        if self.left.is_empty() && self.first + self.len < self.messages.len() {
            self.load();
        }
    }

    /// Puts the next window in order: a sort by counting.
    fn load(&mut self) {
        self.first += self.len;
        self.len = WINDOW.min(self.messages.len() - self.first);
        self.left = 0..self.len;
        let mut classes = [0u8; WINDOW];
        let mut counts = [0u16; CLASSES];
        for (number, class) in classes[..self.len].iter_mut().enumerate() {
            *class = (self.class)(self.messages.message(self.first + number).len()).min(CLASSES - 1) as u8;
            counts[usize::from(*class)] += 1;
        }
        self.shortest = self.len - usize::from(counts[0]);
        if counts[usize::from(classes[0])] as usize == self.len {
            return (0..).zip(&mut self.order[..self.len]).for_each(|(number, place)| *place = number);
        }
        let mut next = counts;
        let mut end = 0;
        for count in next.iter_mut().rev() {
            (*count, end) = (end, end + *count);
        }
        for (number, class) in (0..).zip(&classes[..self.len]) {
            let place = &mut next[usize::from(*class)];
            self.order[usize::from(*place) % WINDOW] = number;
            *place += 1;
        }
    }
}
