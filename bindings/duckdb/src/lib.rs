//! An extension of DuckDB, by its C API. Each function takes a column of VARCHAR or BLOB and the
//! name of an algorithm, and is called with up to 2,048 rows, which become one batch:
//!
//! ```sql
//! SELECT hashdyno_hexdigest(name, 'sha256'), hashdyno_intdigest(name, 'xxh3') FROM people;
//! ```
//!
//! NULL gives NULL. A file that DuckDB loads has a footer behind the library: `build` beside this
//! crate makes one, and `hashdyno.duckdb.load` of the Python package does.

mod api;
mod forms;
mod vectors;

use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use libduckdb_sys::{
    DUCKDB_TYPE_DUCKDB_TYPE_BLOB, DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR, duckdb_connection,
    duckdb_data_chunk, duckdb_extension_access, duckdb_extension_info, duckdb_function_info,
    duckdb_state_DuckDBSuccess, duckdb_type, duckdb_vector,
};

use api::{API, Api, VERSION};
use forms::{Bytes, Form, Hex, Integer};
use vectors::{Results, Strings};

/// Registers the functions. DuckDB finds it by the name of the extension's file. False: DuckDB has
/// been told why, or has no such version of its C API.
///
/// # Safety
/// DuckDB calls it, with what its C API promises.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hashdyno_init_c_api(
    info: duckdb_extension_info,
    access: *const duckdb_extension_access,
) -> bool {
    // SAFETY: this function's own condition.
    let Err(words) = (unsafe { load(info, access) }) else { return true };
    // SAFETY: the same; the words are copied.
    unsafe {
        if let Some(set_error) = (*access).set_error {
            set_error(info, text(words).as_ptr());
        }
    }
    false
}

/// # Safety
/// What DuckDB promises to an extension.
unsafe fn load(
    info: duckdb_extension_info,
    access: *const duckdb_extension_access,
) -> Result<(), String> {
    // SAFETY: this function's own condition.
    unsafe {
        let missing = || format!("hashdyno needs DuckDB's C API {}", VERSION.to_string_lossy());
        let access = &*access;
        let table = access.get_api.and_then(|get_api| {
            let table = get_api(info, VERSION.as_ptr());
            (!table.is_null()).then_some(table)
        });
        let copied = table.and_then(|table| Api::copied(table.cast())).ok_or_else(missing)?;
        let api = API.get_or_init(|| copied);
        let database = access.get_database.ok_or_else(missing)?(info);
        let mut connection = ptr::null_mut();
        if (api.connect)(*database, &mut connection) != duckdb_state_DuckDBSuccess {
            return Err("hashdyno cannot connect to the database".to_owned());
        }
        let done = register::<Bytes>(api, connection)
            .and_then(|()| register::<Hex>(api, connection))
            .and_then(|()| register::<Integer>(api, connection));
        (api.disconnect)(&mut connection);
        done
    }
}

/// # Safety
/// An open connection.
unsafe fn register<F: Form>(api: &Api, connection: duckdb_connection) -> Result<(), String> {
    // SAFETY: this function's own condition; what is made here is destroyed here.
    unsafe {
        let mut set = (api.create_set)(F::NAME.as_ptr());
        for column in [DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR, DUCKDB_TYPE_DUCKDB_TYPE_BLOB] {
            let mut function = (api.create_function)();
            let with = |kind: duckdb_type, take: &dyn Fn(_)| {
                let mut made = (api.create_type)(kind);
                take(made);
                (api.destroy_type)(&mut made);
            };
            (api.set_name)(function, F::NAME.as_ptr());
            with(column, &|kind| (api.add_parameter)(function, kind));
            with(DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR, &|kind| (api.add_parameter)(function, kind));
            with(F::TYPE, &|kind| (api.set_result)(function, kind));
            (api.set_call)(function, Some(call::<F>));
            (api.add_to_set)(set, function);
            (api.destroy_function)(&mut function);
        }
        let state = (api.register_set)(connection, set);
        (api.destroy_set)(&mut set);
        if state == duckdb_state_DuckDBSuccess {
            return Ok(());
        }
        Err(format!("DuckDB refuses the function {}", F::NAME.to_string_lossy()))
    }
}

/// A chunk of rows.
///
/// # Safety
/// DuckDB calls it, with the columns that were registered.
unsafe extern "C" fn call<F: Form>(
    info: duckdb_function_info,
    input: duckdb_data_chunk,
    output: duckdb_vector,
) {
    let Some(api) = API.get() else { return };
    // SAFETY: this function's own condition. DuckDB has flattened the columns.
    let (values, names, mut results) = unsafe {
        let len = (api.chunk_len)(input) as usize;
        let strings = |index| Strings::read(api, (api.column)(input, index), len);
        (strings(0), strings(1), Results::new(api, output, len))
    };
    let filled = catch_unwind(AssertUnwindSafe(|| fill::<F>(&values, &names, &mut results)));
    let Err(words) = filled.unwrap_or_else(|_| Err("hashdyno panicked".to_owned())) else { return };
    // SAFETY: this function's own condition; the words are copied.
    unsafe { (api.fail)(info, text(words).as_ptr()) }
}

/// Fills the results. Rows that follow each other with one algorithm are a batch.
fn fill<F: Form>(
    values: &Strings<'_>,
    names: &Strings<'_>,
    results: &mut Results<'_>,
) -> Result<(), String> {
    let mut begin = 0;
    while begin < names.len() {
        let run = names.run(begin);
        begin = run.end;
        let Some(name) = names.get(run.start) else {
            run.for_each(|row| results.put_null(row));
            continue;
        };
        let name = String::from_utf8_lossy(name);
        let digest = hashdyno::find_outside_php(&name).ok_or_else(|| {
            format!("no algorithm is called '{name}', expected a name such as sha256 or xxh3")
        })?;
        let len = digest.output_len;
        if len > F::MOST {
            let (name, most) = (digest.name, F::MOST);
            return Err(format!("a digest of {name} has {len} bytes, expected at most {most}"));
        }
        let (mut rows, mut messages) =
            (Vec::with_capacity(run.len()), Vec::with_capacity(run.len()));
        for row in run {
            match values.get(row) {
                None => results.put_null(row),
                Some(message) => {
                    rows.push(row);
                    messages.push(message);
                }
            }
        }
        if !rows.is_empty() {
            F::put(&hashdyno::digest_many(digest, &messages[..]), len, &rows, results);
        }
    }
    Ok(())
}

/// Words for C.
fn text(words: String) -> CString {
    CString::new(words.replace('\0', "")).unwrap_or_default()
}
