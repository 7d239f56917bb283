//! Who comes when within a round.

use fastrand::Rng;

/// A new random order of `count` subjects for every round, so that none always follows the same
/// other.
pub(crate) struct Order {
    indices: Vec<usize>,
    rng: Rng,
}

impl Order {
    pub fn new(count: usize, seed: u64) -> Order {
        Order { indices: (0..count).collect(), rng: Rng::with_seed(seed) }
    }

    /// The order of the next round: each of `0..count` once.
    pub fn next_round(&mut self) -> &[usize] {
        self.rng.shuffle(&mut self.indices);
        &self.indices
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_once_a_round_and_everywhere_in_the_long_run() {
        let mut order = Order::new(4, 7);
        let mut seen = [[0; 4]; 4];
        for _ in 0..400 {
            let round = order.next_round();
            round.iter().enumerate().for_each(|(place, &who)| seen[place][who] += 1);
        }
        assert!(seen.iter().flatten().all(|&count| (60..140).contains(&count)), "{seen:?}");
        assert!(seen.iter().all(|place| place.iter().sum::<i32>() == 400));
    }

    #[test]
    fn a_seed_is_an_order() {
        let rounds = |seed| {
            let mut order = Order::new(5, seed);
            (0..10).map(|_| order.next_round().to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(rounds(3), rounds(3));
        assert_ne!(rounds(3), rounds(4));
    }
}
