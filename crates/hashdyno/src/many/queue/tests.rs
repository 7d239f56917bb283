use super::*;

#[test]
fn the_next_rows_are_those_that_are_taken_next() {
    let lens = (0..3000usize).map(|number| 150 + number * 7919 % 4000);
    let offsets: Vec<i32> = lens
        .scan(0, |at, len| {
            *at += len as i32;
            Some(*at)
        })
        .collect();
    let data = vec![0; offsets[offsets.len() - 1] as usize];
    let messages = Messages::Offsets { data: &data, offsets: &offsets };
    let mut queue = Queue::new(messages, |len| len / 64);
    let mut group = [(0, &[][..]); 48];
    let mut rows = [ptr::null(); 48];
    let mut seen = 0;
    loop {
        let is_new_window = queue.window.left.is_empty();
        let count = queue.take(&mut group);
        if count == 0 {
            break;
        }
        if is_new_window && seen > 0 {
            // Of another window only the first messages were known.
            let first = messages.message(queue.window.first).as_ptr();
            assert_eq!(rows[0], first, "after {seen}");
        } else if seen > 0 {
            for (row, (_, message)) in rows.iter().zip(&group[..count]) {
                assert_eq!(*row, message.as_ptr(), "after {seen}");
            }
        }
        seen += count;
        assert!(queue.next_rows(&mut rows), "so many bytes are in no cache");
        queue.fetch_next(group.len());
    }
    assert_eq!(seen, messages.len());
    assert!(rows.iter().all(|row| row.is_null()), "there is none after the last");
}

#[test]
fn some_shortest_messages_are_not_sorted_out() {
    let data = [0; 8 * 1024];
    for (every, sorted) in [(1, false), (2, false), (8, true), (1024, true)] {
        // Each message whose number is a multiple of `every` has eight bytes, the others five.
        let message =
            |number: usize| &data[number..][..if number.is_multiple_of(every) { 8 } else { 5 }];
        let slices: Vec<&[u8]> = (0..1024).map(message).collect();
        let mut queue = Queue::new(Messages::Slices(&slices), |len| usize::from(len >= TINY_LEN));
        queue.takes_shortest = true;
        let mut group = [(0, &[][..]); 16];
        let mut shortest = Shortest::<u32>::new(0x80);
        let taken = queue.take_shortest(16, &mut shortest);
        assert_eq!(taken > 0, sorted, "one of {every}");
        queue.take(&mut group);
        assert_eq!(group[0].1.len(), 8);
    }
}

#[test]
fn what_a_cache_has_is_not_fetched() {
    let few = vec![0; 300 * 1000];
    let short = vec![0; 256 * 100_000];
    let just = vec![0; CACHED];
    for (data, width) in [(&few, 300), (&short, 256), (&just, 512)] {
        let mut queue = Queue::new(Messages::Rows { data, width }, |len| len / 64);
        queue.take(&mut [(0, &[][..]); 16]);
        let mut rows = [&raw const data[0]; 16];
        assert!(!queue.next_rows(&mut rows));
        assert!(rows.iter().all(|row| *row == &raw const data[0]));
    }
}

#[test]
fn a_few_rows_of_a_large_buffer_are_fetched() {
    let data = vec![0; 3 << 20];
    let offsets: Vec<i32> = (0..=10_000).map(|number| 300 * number).collect();
    let messages = Messages::Offsets { data: &data, offsets: &offsets };
    let mut queue = Queue::new(messages.range(1000..1064), |len| len / 64);
    queue.take(&mut [(0, &[][..]); 16]);
    assert!(queue.next_rows(&mut [ptr::null(); 16]));
}

#[test]
fn messages_of_like_work_have_one_class() {
    assert!((0..64).all(|blocks| class(blocks) == blocks as u8));
    // Eight classes in each octave, until there are no more.
    for (blocks, expected) in
        [(64, 64), (71, 64), (72, 65), (127, 71), (128, 72), (143, 72), (144, 73), (255, 79)]
    {
        assert_eq!(class(blocks), expected, "{blocks}");
    }
    assert_eq!(usize::from(class(usize::MAX)), CLASSES - 1);
}

#[test]
fn the_longest_come_first_whatever_takes_the_shortest() {
    let data = [0; 3000];
    let slices: Vec<&[u8]> = (0..96).map(|number| &data[..[5, 9, 2000][number % 3]]).collect();
    let mut queue = Queue::new(Messages::Slices(&slices), |len| len.div_ceil(8) - 1);
    queue.takes_shortest = true;
    let mut group = [(0, &[][..]); 64];
    assert_eq!(queue.take(&mut group), 64);
    assert!(group[..32].iter().all(|(_, message)| message.len() == 2000));
    assert!(group[32..].iter().all(|(_, message)| message.len() == 9));
}

#[test]
fn the_first_can_be_left_out() {
    let data = [0; 640];
    let mut queue = Queue::new(Messages::Rows { data: &data, width: 10 }, |len| len / 64);
    queue.skip(16);
    queue.skip(16);
    let mut group = [(0, &[][..]); 64];
    assert_eq!(queue.take(&mut group), 32);
    assert_eq!(group[0].0, 32);
}
