//! The extension module behind the Python package `hashdyno`. `python/hashdyno/_hashdyno.pyi` is
//! its contract.
//!
//! The package's `__init__.py` re-exports the names below. The module needs no GIL (PEP 703): its
//! classes are frozen, and hashers are behind locks.

mod algorithm;
mod arrow;
mod buffer;
mod column;
mod composite;
mod hasher;
mod keyed;
mod many;
mod plugin;

use hashdyno_duckdb as _; // DuckDB finds it by its name in the library
use pyo3::prelude::*;

#[pymodule(gil_used = false)]
fn _hashdyno(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<algorithm::Algorithm>()?;
    module.add_class::<hasher::Hash>()?;
    module.add_class::<column::DigestColumn>()?;
    module.add_class::<keyed::Key>()?;
    module.add_class::<keyed::KeyedHash>()?;
    module.add_class::<composite::Composite>()?;
    module.add_function(wrap_pyfunction!(algorithm::algorithm, module)?)?;
    module.add_function(wrap_pyfunction!(algorithm::algorithms, module)?)?;
    module.add_function(wrap_pyfunction!(hasher::new, module)?)?;
    module.add_function(wrap_pyfunction!(hasher::restore, module)?)?;
    module.add_function(wrap_pyfunction!(hasher::update_many, module)?)?;
    module.add_function(wrap_pyfunction!(keyed::hmac, module)?)?;
    module.add_function(wrap_pyfunction!(composite::composite, module)?)?;
    module.add_function(wrap_pyfunction!(composite::composites, module)?)?;
    module.add_function(wrap_pyfunction!(many::digest_many, module)?)?;
    module.add_function(wrap_pyfunction!(many::hexdigest_many, module)?)?;
    module.add_function(wrap_pyfunction!(many::digest_rows, module)?)?;
    module.add_function(wrap_pyfunction!(column::digest_column, module)?)?;
    algorithm::add_constructors(module)
}
