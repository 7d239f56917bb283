//! What DuckDB hands to an extension: a table of functions.

use std::sync::OnceLock;

use libduckdb_sys::{
    duckdb_connection, duckdb_data_chunk, duckdb_database, duckdb_ext_api_v1, duckdb_function_info,
    duckdb_logical_type, duckdb_scalar_function, duckdb_scalar_function_set,
    duckdb_scalar_function_t, duckdb_state, duckdb_type, duckdb_vector, idx_t,
};
use std::ffi::{c_char, c_void};

/// The oldest version of the C API that has all of these functions. Newer ones only add others.
pub const VERSION: &std::ffi::CStr = c"v1.2.0";

macro_rules! api {
    ($($name:ident = $field:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions that are called. DuckDB's own table ends with the loading.
        pub struct Api {
            $(pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Api {
            /// Copies them; none if one is missing.
            ///
            /// # Safety
            /// A table of DuckDB's, of [`VERSION`] or newer.
            pub unsafe fn copied(table: *const duckdb_ext_api_v1) -> Option<Self> {
                // SAFETY: this function's own condition. An older DuckDB's table is shorter than
                // the type says, so no reference is made, and only what that version has is read.
                Some(Self { $($name: unsafe { (&raw const (*table).$field).read() }?,)* })
            }
        }
    };
}

api! {
    connect = duckdb_connect(duckdb_database, *mut duckdb_connection) -> duckdb_state;
    disconnect = duckdb_disconnect(*mut duckdb_connection);
    create_type = duckdb_create_logical_type(duckdb_type) -> duckdb_logical_type;
    destroy_type = duckdb_destroy_logical_type(*mut duckdb_logical_type);
    create_set = duckdb_create_scalar_function_set(*const c_char) -> duckdb_scalar_function_set;
    destroy_set = duckdb_destroy_scalar_function_set(*mut duckdb_scalar_function_set);
    add_to_set = duckdb_add_scalar_function_to_set(
        duckdb_scalar_function_set, duckdb_scalar_function
    ) -> duckdb_state;
    register_set = duckdb_register_scalar_function_set(
        duckdb_connection, duckdb_scalar_function_set
    ) -> duckdb_state;
    create_function = duckdb_create_scalar_function() -> duckdb_scalar_function;
    destroy_function = duckdb_destroy_scalar_function(*mut duckdb_scalar_function);
    set_name = duckdb_scalar_function_set_name(duckdb_scalar_function, *const c_char);
    add_parameter =
        duckdb_scalar_function_add_parameter(duckdb_scalar_function, duckdb_logical_type);
    set_result = duckdb_scalar_function_set_return_type(
        duckdb_scalar_function, duckdb_logical_type
    );
    set_call = duckdb_scalar_function_set_function(
        duckdb_scalar_function, duckdb_scalar_function_t
    );
    fail = duckdb_scalar_function_set_error(duckdb_function_info, *const c_char);
    chunk_len = duckdb_data_chunk_get_size(duckdb_data_chunk) -> idx_t;
    column = duckdb_data_chunk_get_vector(duckdb_data_chunk, idx_t) -> duckdb_vector;
    data = duckdb_vector_get_data(duckdb_vector) -> *mut c_void;
    validity = duckdb_vector_get_validity(duckdb_vector) -> *mut u64;
    make_validity = duckdb_vector_ensure_validity_writable(duckdb_vector);
    put_string =
        duckdb_vector_assign_string_element_len(duckdb_vector, idx_t, *const c_char, idx_t);
}

/// The functions of the DuckDB in this process.
pub static API: OnceLock<Api> = OnceLock::new();
