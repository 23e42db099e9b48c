//! Traces over HTTP, from servers that behave and servers that do not.

use crate::tiny::bert;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use taproot::carve::{CarveOptions, carve};
use taproot::open::open_trace;
use taproot_engine::trace::Trace;

/// How a server treats requests.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manners {
    /// Answers ranges.
    Good,
    /// Sends everything, whatever the range.
    NoRanges,
    /// Answers every address with a web page.
    Pages,
    /// Answers with 403.
    Forbidden,
}

/// Serves files from memory until the test ends, and remembers what was asked for.
struct Server {
    address: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start(files: BTreeMap<String, Vec<u8>>, manners: Manners) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                answer(stream, &files, manners, &log);
            }
        });
        Server { address, requests }
    }
}

fn answer(mut stream: TcpStream, files: &BTreeMap<String, Vec<u8>>, manners: Manners, log: &Mutex<Vec<String>>) {
    let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
    let path =
        lines.next().unwrap_or_default().split(' ').nth(1).unwrap_or_default().trim_start_matches('/').to_owned();
    let mut range = None;
    for line in lines.take_while(|line| !line.is_empty()) {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("range: bytes=") {
            let (start, end) = value.split_once('-').unwrap();
            range = Some((start.parse::<usize>().unwrap(), end.parse::<usize>().unwrap() + 1));
        }
    }
    log.lock().unwrap().push(format!("{path} {range:?}"));
    let html = b"<html>Welcome</html>".to_vec();
    let (status, kind, extra, body) = match (manners, files.get(&path), range) {
        (Manners::Pages, _, _) => ("200 OK", "text/html; charset=utf-8", String::new(), html),
        (Manners::Forbidden, _, _) => ("403 Forbidden", "text/plain", String::new(), Vec::new()),
        (_, None, _) => ("404 Not Found", "text/plain", String::new(), Vec::new()),
        (Manners::Good, Some(file), Some((start, end))) => {
            let end = end.min(file.len());
            let extra = format!("Content-Range: bytes {start}-{}/{}\r\n", end - 1, file.len());
            ("206 Partial Content", "application/octet-stream", extra, file[start..end].to_vec())
        }
        (_, Some(file), _) => ("200 OK", "application/octet-stream", String::new(), file.clone()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{extra}Connection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(&body);
}

/// The files of a carved trace, by their names.
fn trace_files() -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model");
    std::fs::create_dir(&model).unwrap();
    bert::write(&model);
    let output = folder.path().join("trace");
    let options = CarveOptions {
        model,
        prompt: "roots grow".to_owned(),
        output: output.clone(),
        decode: 0,
        layers: Some(1),
        weights: None,
        name: None,
    };
    carve(&options, &mut |_| {}).unwrap();
    files_in(&output)
}

fn files_in(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    entries.map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())).collect()
}

fn open(address: &str) -> Result<Trace, String> {
    runtime().block_on(open_trace(address)).map_err(|error| error.to_string())
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

#[test]
fn opening_reads_the_manifest_and_headers_and_then_only_what_is_needed() {
    let files = trace_files();
    let server = Server::start(files.clone(), Manners::Good);
    for address in [format!("{}/", server.address), format!("{}/trace.json", server.address)] {
        server.requests.lock().unwrap().clear();
        let trace = open(&address).unwrap();
        let asked = server.requests.lock().unwrap().clone();
        assert_eq!(asked.len(), 1 + trace.manifest().shards.len(), "{asked:?}");
        let output = trace.manifest().outputs[0].tensor;
        let tensor = runtime().block_on(trace.tensor(output)).unwrap();
        let last = server.requests.lock().unwrap().last().cloned().unwrap();
        let shard = "activations.safetensors Some((";
        assert!(last.starts_with(shard), "{last}");
        assert_eq!(tensor.shape(), trace.manifest().tensors[output as usize].shape);
    }
}

#[test]
fn a_server_without_ranges_is_read_whole_and_only_once() {
    let server = Server::start(trace_files(), Manners::NoRanges);
    let trace = open(&server.address).unwrap();
    for output in &trace.manifest().outputs {
        runtime().block_on(trace.tensor(output.tensor)).unwrap();
    }
    let asked = server.requests.lock().unwrap().clone();
    assert_eq!(asked.len(), 1 + trace.manifest().shards.len(), "{asked:?}");
}

#[test]
fn servers_that_do_not_have_it_are_told_apart() {
    let files = trace_files();
    let missing = Server::start(BTreeMap::new(), Manners::Good);
    let message = open(&missing.address).err().unwrap_or_default();
    assert!(message.contains("'trace.json' was not found") && message.contains("404"), "{message}");
    let pages = Server::start(files.clone(), Manners::Pages);
    let message = open(&pages.address).err().unwrap_or_default();
    assert!(message.contains("text/html") && message.contains("not a trace"), "{message}");
    let forbidden = Server::start(files.clone(), Manners::Forbidden);
    let message = open(&forbidden.address).err().unwrap_or_default();
    assert!(message.contains("HTTP 403"), "{message}");
    let message = open("http://127.0.0.1:9/trace").err().unwrap_or_default();
    assert!(message.contains("http://127.0.0.1:9/trace/trace.json could not be fetched"), "{message}");
    let message = open("https://example.org/trace?x=1").err().unwrap_or_default();
    assert!(message.contains("without ? or #"), "{message}");
}

#[test]
fn a_truncated_shard_is_noticed_when_the_trace_is_opened() {
    let mut files = trace_files();
    let weights = files.get_mut("weights.safetensors").unwrap();
    weights.truncate(weights.len() / 2);
    let server = Server::start(files, Manners::Good);
    let message = open(&server.address).err().unwrap_or_default();
    assert!(message.contains("weights.safetensors") && message.contains("truncated"), "{message}");
}
