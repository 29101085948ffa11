//! Whether the embedded front end is what its sources give. Node and its packages are needed for that, which a build
//! of the workspace does without: where they are not, this says so and skips. `.ci/web` always asks, and tests the
//! page in a browser.

use std::io::Write;
use std::path::Path;
use std::process::Command;

#[test]
fn the_embedded_file_is_what_the_sources_give() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
    if !web.join("node_modules").is_dir() {
        // Past the capture of the test's output: whoever runs the tests should read it.
        let _ = writeln!(
            std::io::stderr(),
            "skipped: the front end and the page in a browser; `.ci/web` tests them"
        );
        return;
    }
    let built =
        Command::new("node").args(["build.mjs", "--check"]).current_dir(&web).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
}
