// Leman from Rust, through its C interface and without crates: the declarations that this program needs, objects that free
// themselves, and failures as values of Result.
//
//   rustc -O examples/kernels.rs -L build          where libleman.so is; after `make install` without -L
//   LD_LIBRARY_PATH=build ./kernels CCO CCN c1ccccc1O
//
// Prints which colourings tell two graphs apart, then the normalised WLOA kernel of the molecules.
#![allow(non_camel_case_types)]
use std::ffi::{CStr, CString};
use std::fmt;
use std::marker::PhantomData;
use std::ptr::{null, null_mut};

/// What the public headers declare. A struct that the caller fills opens with its size, so that an older declaration still
/// works with a newer library; tests/install/test_rust.py compares every member with the headers.
pub mod c {
    use std::marker::{PhantomData, PhantomPinned};
    use std::os::raw::{c_char, c_int, c_uint, c_void};

    macro_rules! opaque {
        ($($name:ident)*) => { $(#[repr(C)] pub struct $name { _data: [u8; 0], _not_send: PhantomData<(*mut u8, PhantomPinned)> })* };
    }
    opaque! { leman_context leman_dataset leman_read_options leman_family_options leman_projections }

    #[repr(C)]
    pub struct leman_shape {
        pub name: *const c_char,
        pub graphs: usize,
        pub vertices: usize,
        pub arcs: usize,
        pub edges: usize,
        pub loops: usize,
        pub max_vertices: usize,
        pub max_degree: usize,
        pub directed: bool,
        pub columns: *const c_void,
    }

    #[repr(C)]
    pub struct leman_graph {
        pub vertices: usize,
        pub arcs: usize,
        pub directed: bool,
        pub start: *const u64,
        pub head: *const u32,
        pub vertex_labels: usize,
        pub edge_labels: usize,
        pub vertex_attributes: usize,
        pub edge_attributes: usize,
        pub vertex_label: *const i64,
        pub edge_label: *const i64,
        pub vertex_attribute: *const f64,
        pub edge_attribute: *const f64,
        pub arc_side: *const i8,
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct leman_coloring {
        pub size: usize,
        pub algorithm: c_uint,
        pub k: c_uint,
        pub rounds: u32,
        pub count_every_round: bool,
        pub ignore_vertex_labels: bool,
        pub ignore_edge_labels: bool,
        pub in_arcs: bool,
        pub seed: u64,
        pub components: u64,
        pub distance: u32,
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct leman_kernel {
        pub size: usize,
        pub kind: c_uint,
        pub graphlet: c_uint,
        pub weight: f64,
        pub assignment: bool,
        pub weighted: bool,
        pub radius: u8,
        pub distance: u8,
        pub bits: u8,
        pub lambda: f64,
        pub steps: c_uint,
        pub exponential: bool,
        pub node_kernel: c_uint,
        pub mu: f64,
        pub dimensions: c_uint,
        pub levels: c_uint,
        pub binnings: u32,
        pub bin_width: f64,
        pub hash_seed: u64,
        pub label_width: f64,
        pub hellinger: bool,
        pub projections: *const leman_projections,
        pub normalization: c_uint,
        pub atom_labels: c_uint,
        pub fixed_rounds: bool,
        pub coloring: leman_coloring,
    }

    #[repr(C)]
    #[derive(Clone, Copy, Default)]
    pub struct leman_difference {
        pub distinguished: bool,
        pub round: u32,
        pub color: u64,
        pub count: [u64; 2],
    }

    pub const LEMAN_STABLE: u32 = u32::MAX;

    #[link(name = "leman")]
    extern "C" {
        pub fn leman_context_new(settings: *const c_void, out: *mut *mut leman_context) -> c_int;
        pub fn leman_context_free(context: *mut leman_context);
        pub fn leman_context_message(context: *const leman_context) -> *const c_char;
        pub fn leman_status_name(status: c_int) -> *const c_char;
        pub fn leman_family_parse(
            ctx: *mut leman_context,
            name: *const c_char,
            family: *mut c_uint,
        ) -> c_int;
        pub fn leman_dataset_generate(
            ctx: *mut leman_context,
            family: c_uint,
            options: *const leman_family_options,
            out: *mut *mut leman_dataset,
        ) -> c_int;
        pub fn leman_dataset_from_smiles(
            ctx: *mut leman_context,
            smiles: *const *const c_char,
            names: *const *const c_char,
            count: usize,
            options: *const leman_read_options,
            refused: *mut bool,
            out: *mut *mut leman_dataset,
        ) -> c_int;
        pub fn leman_dataset_shape(data: *const leman_dataset) -> *const leman_shape;
        pub fn leman_dataset_graph(data: *const leman_dataset, graph: usize) -> leman_graph;
        pub fn leman_dataset_free(data: *mut leman_dataset);
        pub fn leman_coloring_init(coloring: *mut leman_coloring, size: usize);
        pub fn leman_coloring_parse(
            ctx: *mut leman_context,
            name: *const c_char,
            coloring: *mut leman_coloring,
        ) -> c_int;
        pub fn leman_distinguish(
            ctx: *mut leman_context,
            a: *const leman_graph,
            b: *const leman_graph,
            coloring: *const leman_coloring,
            as_union: bool,
            difference: *mut leman_difference,
        ) -> c_int;
        pub fn leman_kernel_init(kernel: *mut leman_kernel, size: usize);
        pub fn leman_kernel_parse(
            ctx: *mut leman_context,
            name: *const c_char,
            kernel: *mut leman_kernel,
        ) -> c_int;
        pub fn leman_gram_compute(
            ctx: *mut leman_context,
            data: *const leman_dataset,
            against: *const leman_dataset,
            kernels: *const leman_kernel,
            count: usize,
            normalize: bool,
            out: *mut f64,
        ) -> c_int;
    }
}

/// A failure of the library, with its sentence.
#[derive(Debug)]
pub struct Error {
    pub status: i32,
    pub sentence: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

fn text(pointer: *const std::os::raw::c_char) -> String {
    unsafe { CStr::from_ptr(pointer) }
        .to_string_lossy()
        .into_owned()
}

fn c_string(text: &str) -> Result<CString, Error> {
    CString::new(text).map_err(|_| Error {
        status: 3,
        sentence: format!("{:?}: found a zero character in a text", text),
    })
}

/// Calls through one context need it exclusively (&mut), as the library asks.
pub struct Context(*mut c::leman_context);

pub struct Dataset(*mut c::leman_dataset);

/// A view of a graph, which the borrow keeps from outliving its data set.
pub struct Graph<'a>(c::leman_graph, PhantomData<&'a Dataset>);

impl Drop for Context {
    fn drop(&mut self) {
        unsafe { c::leman_context_free(self.0) }
    }
}

impl Drop for Dataset {
    fn drop(&mut self) {
        unsafe { c::leman_dataset_free(self.0) }
    }
}

impl Dataset {
    pub fn count(&self) -> usize {
        unsafe { (*c::leman_dataset_shape(self.0)).graphs }
    }

    /// Graph i; one without vertices if there are not so many.
    pub fn graph(&self, i: usize) -> Graph<'_> {
        Graph(unsafe { c::leman_dataset_graph(self.0, i) }, PhantomData)
    }
}

impl Context {
    pub fn new() -> Result<Context, Error> {
        let mut context = null_mut();
        match unsafe { c::leman_context_new(null(), &mut context) } {
            0 => Ok(Context(context)),
            status => Err(Error {
                status,
                sentence: text(unsafe { c::leman_status_name(status) }),
            }),
        }
    }

    fn check(&self, status: i32) -> Result<(), Error> {
        match status {
            0 => Ok(()),
            _ => Err(Error {
                status,
                sentence: text(unsafe { c::leman_context_message(self.0) }),
            }),
        }
    }

    /// The graphs of a family such as "cfi", a pair.
    pub fn generate(&mut self, family: &str) -> Result<Dataset, Error> {
        let (name, mut number, mut data) = (c_string(family)?, 0, null_mut());
        self.check(unsafe { c::leman_family_parse(self.0, name.as_ptr(), &mut number) })?;
        self.check(unsafe { c::leman_dataset_generate(self.0, number, null(), &mut data) })?;
        Ok(Dataset(data))
    }

    pub fn from_smiles(&mut self, smiles: &[String]) -> Result<Dataset, Error> {
        let texts = smiles
            .iter()
            .map(|one| c_string(one))
            .collect::<Result<Vec<_>, _>>()?;
        let mut pointers: Vec<_> = texts.iter().map(|one| one.as_ptr()).collect();
        pointers.push(null()); // a list without molecules is a pointer, too
        let mut data = null_mut();
        let status = unsafe {
            c::leman_dataset_from_smiles(
                self.0,
                pointers.as_ptr(),
                null(),
                smiles.len(),
                null(),
                null_mut(),
                &mut data,
            )
        };
        self.check(status)?;
        Ok(Dataset(data))
    }

    /// The round in which the stable colouring tells the graphs apart, if it does.
    pub fn distinguish(
        &mut self,
        a: &Graph,
        b: &Graph,
        method: &str,
    ) -> Result<Option<u32>, Error> {
        let (name, mut found) = (c_string(method)?, c::leman_difference::default());
        let mut coloring = unsafe { std::mem::zeroed::<c::leman_coloring>() };
        unsafe { c::leman_coloring_init(&mut coloring, std::mem::size_of_val(&coloring)) };
        self.check(unsafe { c::leman_coloring_parse(self.0, name.as_ptr(), &mut coloring) })?;
        coloring.rounds = c::LEMAN_STABLE;
        self.check(unsafe {
            c::leman_distinguish(self.0, &a.0, &b.0, &coloring, false, &mut found)
        })?;
        Ok(if found.distinguished {
            Some(found.round)
        } else {
            None
        })
    }

    /// The normalised Gram matrix, row by row.
    pub fn gram(&mut self, data: &Dataset, kernel: &str, rounds: u32) -> Result<Vec<f64>, Error> {
        let (name, mut matrix) = (c_string(kernel)?, vec![0.0; data.count() * data.count()]);
        let mut parsed = unsafe { std::mem::zeroed::<c::leman_kernel>() };
        unsafe { c::leman_kernel_init(&mut parsed, std::mem::size_of_val(&parsed)) };
        self.check(unsafe { c::leman_kernel_parse(self.0, name.as_ptr(), &mut parsed) })?;
        parsed.coloring.rounds = rounds;
        self.check(unsafe {
            c::leman_gram_compute(
                self.0,
                data.0,
                null(),
                &parsed,
                1,
                true,
                matrix.as_mut_ptr(),
            )
        })?;
        Ok(matrix)
    }
}

fn run(smiles: &[String]) -> Result<(), Error> {
    let mut context = Context::new()?;
    let pair = context.generate("cfi")?;
    for method in ["2-WL", "delta-2-LWL"] {
        match context.distinguish(&pair.graph(0), &pair.graph(1), method)? {
            Some(round) => println!("{}: told apart in round {}", method, round),
            None => println!("{}: the same", method),
        }
    }
    let molecules = context.from_smiles(smiles)?;
    let matrix = context.gram(&molecules, "WLOA", 3)?;
    for row in matrix.chunks(molecules.count().max(1)) {
        println!(
            "{}",
            row.iter()
                .map(|value| format!("{:.6}", value))
                .collect::<Vec<_>>()
                .join(" ")
        );
    }
    Ok(())
}

fn main() {
    let smiles: Vec<String> = std::env::args().skip(1).collect();
    if let Err(error) = run(&smiles) {
        eprintln!("kernels: {}", error);
        std::process::exit(1);
    }
}
