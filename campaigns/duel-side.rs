// One side of a duel: `library` is that of a version. Included twice by `duel.rs`.

use super::{Aligned, Job, black_box, lens, message};

pub fn names() -> Vec<&'static str> {
    library::ALL.into_iter().map(|digest| digest.name).collect()
}

/// The job of a digest, by what the library takes for these messages.
pub fn job(name: &str, messages: &str, mask: &str) -> Job {
    let digest = library::find(name).expect("the library has it");
    let cpu = library::Cpu::native().masked(mask).expect("a mask");
    let one = digest.bind(&cpu);
    let Some(lens) = lens(messages) else {
        let message = message(messages.parse().expect("a length"));
        let mut output = Aligned::output(digest.output_len);
        // The digest's own function, where it has one.
        macro_rules! function {
            ($($name:literal $function:ident)*) => {
                match name {
                    $($name if mask == "all" => return (
                        "function".to_owned(),
                        Box::new(move |calls| for _ in 0..calls {
                            let hash = library::$function(black_box(&*message));
                            output.copy_from_slice(&hash.to_be_bytes());
                            black_box(&*output);
                        }),
                    ),)*
                    _ => {}
                }
            };
        }
        library::functions!(function);
        return (
            one.name().to_owned(),
            Box::new(move |calls| {
                for _ in 0..calls {
                    digest.digest_into(&one, black_box(&*message), &mut output);
                    black_box(&*output);
                }
            }),
        );
    };
    let many = digest.bind_many(&cpu, lens.len());
    let data = message(lens.iter().sum());
    let mut output = Aligned::output(lens.len() * digest.output_len);
    let width = lens[0];
    let rows = width > 0 && lens.iter().all(|len| *len == width);
    let offsets: Vec<i32> =
        (0..=lens.len()).map(|count| lens[..count].iter().sum::<usize>() as i32).collect();
    (
        many.as_ref().map_or("loop", |kernel| kernel.name()).to_owned(),
        Box::new(move |calls| {
            for _ in 0..calls {
                let data = black_box(&*data);
                let messages = match rows {
                    true => library::Messages::Rows { data, width },
                    false => library::Messages::Offsets { data, offsets: &offsets },
                };
                library::digest_many_by(digest, many.as_ref(), &one, messages, &mut output);
                black_box(&*output);
            }
        }),
    )
}
