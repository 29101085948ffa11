//! Sessions over a connection in memory.

mod editor;

use std::path::Path;
use std::thread::JoinHandle;
use std::time::Instant;

use editor::{Editor, PATIENCE};
use hardbop_lsp::{Ended, serve};
use lsp_server::Connection;
use serde_json::{Value, json};

const URI: &str = "file:///tmp/none/lock.bp";

fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
    std::fs::read_to_string(root.join(name)).unwrap()
}

fn server() -> (Connection, JoinHandle<Ended>) {
    let (ours, theirs) = Connection::memory();
    let thread = std::thread::Builder::new().stack_size(16 << 20);
    (ours, thread.spawn(move || serve(&theirs)).unwrap())
}

fn ready(settings: Value) -> (Editor, JoinHandle<Ended>) {
    let (connection, server) = server();
    (Editor::ready(connection, settings), server)
}

fn leave(mut editor: Editor, server: JoinHandle<Ended>) {
    assert_eq!(editor.request("shutdown", Value::Null), Ok(Value::Null));
    editor.notify("exit", Value::Null);
    assert_eq!(server.join().unwrap(), Ended::Orderly);
}

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().map(|it| it["code"].as_str().unwrap_or("")).collect()
}

#[test]
fn mistakes_are_told_while_typing_all_at_once() {
    let (mut editor, server) = ready(json!({}));
    editor.open(URI, "decl x, x;\nvoid main()\nbegin\n  y := x\n  z := T;\nend\n");
    let told = editor.diagnostics(URI, 1);
    let codes = codes(&told);
    assert!(codes.len() >= 3 && codes.iter().all(|it| it.starts_with("bp")), "{codes:?}");
    let twice = told.iter().find(|it| it["message"].to_string().contains("twice")).unwrap();
    assert_eq!(twice["range"]["start"], json!({ "line": 0, "character": 8 }));
    assert_eq!(twice["relatedInformation"][0]["location"]["range"]["start"]["character"], 5);
    // The page of a mistake is shown where it is, and by a command.
    let hover = editor.at("hover", URI, 0, 8);
    let code = twice["code"].as_str().unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains(code), "{hover}");
    let actions = editor.of("codeAction", URI);
    assert_eq!(actions[0]["command"]["command"], "hardbop.explain");
    let page = editor.command("hardbop.explain", json!([code])).unwrap();
    assert!(page.as_str().unwrap().contains("Wrong:"));
    // Corrected by edits of parts: first one, then the others, in two messages.
    let edit = |line: u32, from: u32, to: u32, text: &str| {
        let at = |character: u32| json!({ "line": line, "character": character });
        json!({ "range": { "start": at(from), "end": at(to) }, "text": text })
    };
    editor.change(URI, 2, json!([edit(0, 6, 9, ", y, z")]));
    editor.change(URI, 3, json!([edit(3, 8, 8, ";")]));
    assert_eq!(editor.diagnostics(URI, 3), Vec::<Value>::new());
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    leave(editor, server);
}

#[test]
fn a_saved_program_is_checked_and_the_violation_is_shown_with_its_trace() {
    let (mut editor, server) = ready(json!({ "timeLimit": 60 }));
    editor.open(URI, &example("lock-bug.bp"));
    assert!(editor.diagnostics(URI, 1).is_empty());
    editor.save(URI);
    let told = editor.diagnostics(URI, 1);
    assert_eq!(codes(&told), ["assertion"]);
    assert_eq!((&told[0]["severity"], &told[0]["range"]["start"]["line"]), (&json!(1), &json!(13)));
    let trace = told[0]["relatedInformation"].as_array().unwrap();
    assert_eq!(trace.len(), 14, "the README shows it");
    assert_eq!(trace[0]["location"]["range"]["start"]["line"], 31);
    assert!(trace[13]["message"].as_str().unwrap().contains("assert(locked);"), "{}", trace[13]);
    // Progress has begun, and has ended with the verdict.
    let is_end = |it: &lsp_server::Notification| it.params["value"]["kind"] == "end";
    let end = editor.wait(is_end);
    assert!(end.params["value"]["message"].as_str().unwrap().starts_with("unsafe, replayed"));
    assert!(editor.asked.iter().any(|it| it == "window/workDoneProgress/create"));
    let lenses = editor.of("codeLens", URI);
    assert_eq!(lenses[0]["range"]["start"]["line"], 28);
    assert!(lenses[1]["command"]["title"].as_str().unwrap().contains("unsafe"), "{lenses}");
    // A verdict is about the text that was checked.
    editor.change(URI, 2, json!([{ "text": example("lock.bp") }]));
    assert!(editor.diagnostics(URI, 2).is_empty());
    leave(editor, server);
}

#[test]
fn after_a_proof_the_invariant_of_a_line_is_shown() {
    let (mut editor, server) = ready(json!({ "check": "command" }));
    editor.open(URI, &example("lock.bp"));
    editor.diagnostics(URI, 1);
    let result = editor.command("hardbop.check", json!([URI])).unwrap();
    assert_eq!(result["verdict"], "safe");
    assert_eq!(result["result"]["certified"], true);
    assert!(editor.diagnostics(URI, 1).is_empty());
    let line = example("lock.bp").lines().position(|it| it.contains("assert(!locked)")).unwrap();
    let hover = editor.at("hover", URI, line as u32, 12);
    let shown = hover["contents"]["value"].as_str().unwrap();
    assert!(shown.contains("global variable `locked`"), "{shown}");
    assert!(shown.contains("!old locked & !locked"), "{shown}");
    leave(editor, server);
}

#[test]
fn an_unknown_verdict_says_why() {
    let (mut editor, server) =
        ready(json!({ "engine": "contexts", "check": "command", "timeLimit": 2 }));
    editor.open(
        URI,
        "decl g;\nvoid f() begin f(); end\nvoid main() begin start_thread f(); assert(T); end\n",
    );
    editor.diagnostics(URI, 1);
    let result = editor.command("hardbop.check", json!([URI])).unwrap();
    assert_eq!(result["verdict"], "unknown", "{}", result["message"]);
    let told = editor.diagnostics(URI, 1);
    let reason = told[0]["message"].as_str().unwrap();
    assert!(reason.starts_with("unknown: ") && reason.len() > 15, "{reason}");
    assert_eq!(told[0]["severity"], 3);
    // A program with mistakes is not checked, and a document that is not open cannot be.
    editor.change(URI, 2, json!([{ "text": "void" }]));
    let refused = editor.command("hardbop.check", json!([URI])).unwrap_err();
    assert!(refused.1.contains("mistakes"), "{refused:?}");
    assert_eq!(editor.command("hardbop.check", json!(["file:///x.bp"])).unwrap_err().0, -32602);
    leave(editor, server);
}

/// A program whose check takes long: a counter of many bits, counted down.
fn long() -> String {
    let n = 40;
    let names: Vec<_> = (0..n).map(|it| format!("b{it}")).collect();
    let mut text = format!("decl {} := F;\nvoid main()\nbegin\n", names.join(" := F, "));
    text += "  while (*) do\n";
    let carry = |it: usize| (0..it).map(|j| format!("b{j}")).collect::<Vec<_>>().join(" & ");
    let next = |it: usize| if it == 0 { "!b0".into() } else { format!("b{it} != ({})", carry(it)) };
    let values: Vec<_> = (0..n).map(next).collect();
    text += &format!("    {} := {};\n", names.join(", "), values.join(", "));
    text += &format!("  od\n  assert(!({}));\nend\n", names.join(" & "));
    text
}

#[test]
fn an_edit_and_a_wish_to_cancel_end_a_check() {
    let (mut editor, server) = ready(json!({ "timeLimit": 600, "engine": "explicit" }));
    editor.open(URI, &long());
    editor.diagnostics(URI, 1);
    let start = Instant::now();
    let begun = |it: &lsp_server::Notification| it.params["value"]["kind"] == "begin";
    let params = json!({ "command": "hardbop.check", "arguments": [URI] });
    // By an edit.
    let id = editor.send("workspace/executeCommand", params.clone());
    editor.wait(begun);
    let report = editor.wait(|it| it.params["value"]["kind"] == "report");
    assert!(report.params["value"]["message"].as_str().unwrap().contains(" s"), "{report:?}");
    editor.change(URI, 2, json!([{ "text": long() }]));
    assert_eq!(editor.answer(id).unwrap_err(), (-32800, "the text has changed".into()));
    // By the button.
    let id = editor.send("workspace/executeCommand", params.clone());
    let token = editor.wait(begun).params["token"].clone();
    editor.notify("window/workDoneProgress/cancel", json!({ "token": token }));
    assert_eq!(editor.answer(id).unwrap_err().0, -32800);
    // By the request's number.
    let id = editor.send("workspace/executeCommand", params.clone());
    editor.wait(begun);
    editor.notify("$/cancelRequest", json!({ "id": id }));
    assert_eq!(editor.answer(id).unwrap_err().0, -32800);
    // By a newer one, and by the end of the session.
    let id = editor.send("workspace/executeCommand", params);
    editor.wait(begun);
    editor.save(URI);
    assert_eq!(editor.answer(id).unwrap_err().1, "there is a newer check");
    editor.wait(begun);
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    leave(editor, server);
}

#[test]
fn a_time_limit_ends_a_check_and_the_next_one_is_begun() {
    let (mut editor, server) = ready(json!({ "timeLimit": 0.5, "engine": "explicit" }));
    let other = "file:///tmp/none/other.bp";
    editor.open(URI, &long());
    editor.open(other, &example("lock.bp"));
    let params = json!({ "command": "hardbop.check", "arguments": [URI] });
    let id = editor.send("workspace/executeCommand", params);
    editor.save(other);
    let result = editor.answer(id).unwrap();
    assert_eq!(result["verdict"], "unknown");
    assert!(result["message"].as_str().unwrap().contains("time limit"), "{}", result["message"]);
    let done = editor.wait(|it| it.method == "window/logMessage");
    assert!(done.params["message"].as_str().unwrap().starts_with("other.bp: safe"), "{done:?}");
    leave(editor, server);
}

#[test]
fn names_lead_to_their_declarations_and_can_be_changed() {
    let (mut editor, server) = ready(json!({ "check": "off" }));
    editor.open(
        URI,
        "decl x;\nvoid main()\nbegin\n  x:=T;\n  f();\nend\nvoid f()\nbegin\n  x := F;\nend\n",
    );
    let definition = editor.at("definition", URI, 4, 2);
    assert_eq!(definition[0]["range"]["start"], json!({ "line": 6, "character": 5 }));
    assert_eq!(editor.at("references", URI, 0, 5).as_array().unwrap().len(), 3);
    assert_eq!(editor.at("documentHighlight", URI, 0, 5).as_array().unwrap().len(), 3);
    assert!(
        editor.at("hover", URI, 4, 2)["contents"]["value"].as_str().unwrap().contains("void f()")
    );
    let symbols = editor.of("documentSymbol", URI);
    let names: Vec<_> = symbols.as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
    assert_eq!(names, ["x", "main", "f"]);
    assert_eq!(editor.of("foldingRange", URI).as_array().unwrap().len(), 2);
    let edits = editor.of("formatting", URI);
    assert!(edits[0]["newText"].as_str().unwrap().contains("  x := 1;\n"), "{edits}");
    assert_eq!(editor.of("semanticTokens/full", URI)["data"].as_array().unwrap().len(), 6 * 5);
    let offered = editor.at("completion", URI, 4, 2);
    assert!(offered.as_array().unwrap().iter().any(|it| it["label"] == "x"));
    assert_eq!(editor.at("prepareRename", URI, 3, 2)["end"]["character"], 3);
    let rename = |name: &str| {
        json!({ "textDocument": { "uri": URI }, "newName": name,
                "position": { "line": 3, "character": 2 } })
    };
    let edit = editor.request("textDocument/rename", rename("y")).unwrap();
    assert_eq!(edit["changes"][URI].as_array().unwrap().len(), 3);
    assert_eq!(editor.request("textDocument/rename", rename("goto")).unwrap_err().0, -32803);
    assert_eq!(editor.of("codeLens", URI), json!([]), "checks are off");
    leave(editor, server);
}

#[test]
fn unsaved_c_is_read_and_checked_with_what_it_includes() {
    let folder = std::env::temp_dir().join(format!("hardbop-lsp-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("limit.h"), "int limit(void);\n#define LIMIT 3\n").unwrap();
    // On disk there is no C at all.
    std::fs::write(folder.join("a b.c"), "this is what was saved").unwrap();
    let uri = hardbop_report::uri(folder.join("a b.c").to_str().unwrap());
    let (mut editor, server) = ready(json!({ "properties": ["bounds"] }));
    let text = "#include \"limit.h\"\nint nondet(void);\nint table[LIMIT];\n\nint main(void)\n{\n  int i = nondet();\n  if (i < 0 || i > LIMIT)\n    return 0;\n  return table[i];\n}\n";
    editor.open(&uri, &text.replace("int i =", "int j ="));
    let told = editor.diagnostics(&uri, 1);
    assert!(codes(&told).contains(&"c0005"), "{told:?}");
    assert_eq!(told[0]["range"]["start"], json!({ "line": 7, "character": 6 }), "{told:?}");
    editor.change(&uri, 2, json!([{ "text": text }]));
    assert!(editor.diagnostics(&uri, 2).is_empty());
    let symbols = editor.of("documentSymbol", &uri);
    let names: Vec<_> = symbols.as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
    assert_eq!(names, ["table", "main"]);
    let definition = editor.at("definition", &uri, 9, 11);
    assert_eq!(definition[0]["range"]["start"], json!({ "line": 2, "character": 4 }));
    assert_eq!(editor.at("references", &uri, 9, 11).as_array().unwrap().len(), 2);
    editor.save(&uri);
    let told = editor.diagnostics(&uri, 2);
    assert_eq!(codes(&told), ["bounds"]);
    assert_eq!(told[0]["range"]["start"], json!({ "line": 9, "character": 2 }));
    let trace = told[0]["relatedInformation"].as_array().unwrap();
    assert!(trace.iter().all(|it| it["location"]["uri"] == uri.as_str()), "{trace:?}");
    // The page has the text as it is in the editor.
    let page = editor.command("hardbop.explore", json!([uri])).unwrap();
    let page = hardbop_report::path_of(page.as_str().unwrap()).unwrap();
    assert!(std::fs::read_to_string(&page).unwrap().contains("table[LIMIT]"));
    assert!(editor.asked.iter().any(|it| it == "window/showDocument"));
    std::fs::remove_file(page).unwrap();
    // A mistake of an included file is told at the top.
    std::fs::write(folder.join("limit.h"), "int limit(void) { return nosuch; }\n#define LIMIT 3\n")
        .unwrap();
    editor.change(&uri, 3, json!([{ "text": text }]));
    let told = editor.diagnostics(&uri, 3);
    assert_eq!(told[0]["range"]["start"]["line"], 0, "{told:?}");
    assert!(told[0]["message"].as_str().unwrap().contains("limit.h:1: "), "{told:?}");
    // Without `main`, a check can begin with any function.
    editor.change(&uri, 4, json!([{ "text": "int f(int x) { int a[2]; return a[x]; }\n" }]));
    assert_eq!(codes(&editor.diagnostics(&uri, 4)), ["c0007"]);
    let lens = editor.of("codeLens", &uri);
    assert_eq!(lens[0]["command"]["title"], "check f");
    let result = editor.command("hardbop.check", lens[0]["command"]["arguments"].clone()).unwrap();
    assert_eq!(result["verdict"], "unsafe", "{}", result["message"]);
    std::fs::remove_dir_all(&folder).unwrap();
    leave(editor, server);
}

#[test]
fn settings_can_be_changed_and_mistakes_in_them_are_told() {
    let (mut editor, server) = ready(json!({ "chek": "save" }));
    let told = editor.wait(|it| it.method == "window/showMessage");
    assert!(told.params["message"].as_str().unwrap().contains("did you mean check?"), "{told:?}");
    let settings = json!({ "settings": { "hardbop": { "engine": "nosuch", "check": "off" } } });
    editor.notify("workspace/didChangeConfiguration", settings);
    let told = editor.wait(|it| it.method == "window/showMessage");
    assert!(told.params["message"].as_str().unwrap().contains("there is no engine nosuch"));
    editor.open(URI, "void main() begin end");
    assert_eq!(editor.of("codeLens", URI), json!([]));
    leave(editor, server);
}

#[test]
fn what_comes_in_the_wrong_order_or_makes_no_sense_is_refused() {
    let (connection, thread) = server();
    let mut editor = Editor::new(connection);
    assert_eq!(editor.request("textDocument/hover", json!({})).unwrap_err().0, -32002);
    assert_eq!(editor.request("initialize", json!({ "capabilities": 7 })).unwrap_err().0, -32602);
    assert!(editor.request("initialize", json!({ "capabilities": {} })).is_ok());
    assert_eq!(editor.request("initialize", json!({ "capabilities": {} })).unwrap_err().0, -32600);
    assert_eq!(editor.request("textDocument/nosuch", json!({})).unwrap_err().0, -32601);
    editor.notify("textDocument/nosuch", json!({}));
    editor.notify("$/nosuch", json!({}));
    for params in [json!(null), json!([]), json!({ "textDocument": 3 })] {
        assert_eq!(editor.request("textDocument/hover", params).unwrap_err().0, -32602);
    }
    editor.notify("textDocument/didChange", json!({ "textDocument": { "uri": URI } }));
    editor.change(URI, 2, json!([{ "text": "" }]));
    let told = editor.wait(|it| it.method == "window/logMessage");
    assert!(told.params["message"].as_str().unwrap().starts_with("textDocument/didChange: "));
    for arguments in [json!([]), json!([7]), json!(["no address at all \u{0}"])] {
        assert!(editor.command("hardbop.check", arguments).is_err());
    }
    assert!(editor.command("hardbop.nosuch", json!(["x"])).is_err());
    // A place far outside, in a text that is none.
    editor.open(URI, "\u{0}\u{feff}{{{ é");
    editor.diagnostics(URI, 1);
    for method in ["hover", "definition", "references", "documentHighlight", "completion"] {
        editor.at(method, URI, u32::MAX, u32::MAX);
    }
    let refused = editor.request(
        "textDocument/formatting",
        json!({ "textDocument": { "uri": URI }, "options": { "tabSize": 1, "insertSpaces": true } }),
    );
    assert_eq!(refused.unwrap_err().0, -32803);
    assert_eq!(editor.request("shutdown", Value::Null), Ok(Value::Null));
    assert_eq!(editor.request("shutdown", Value::Null).unwrap_err().0, -32600);
    assert_eq!(editor.request("textDocument/hover", json!({})).unwrap_err().0, -32600);
    editor.notify("exit", Value::Null);
    assert_eq!(thread.join().unwrap(), Ended::Orderly);
}

#[test]
fn a_session_can_end_in_other_ways() {
    let (mut editor, server) = ready(json!({}));
    editor.notify("exit", Value::Null);
    assert_eq!(server.join().unwrap(), Ended::Abrupt);
    let (editor, server) = ready(json!({}));
    drop(editor);
    assert_eq!(server.join().unwrap(), Ended::Lost);
    let (connection, server) = self::server();
    let mut editor = Editor::new(connection);
    editor.notify("exit", Value::Null);
    assert_eq!(server.join().unwrap(), Ended::Abrupt);
}

/// What a client types on the way from one program to another is any text at all: nothing of it ends the server.
#[test]
fn every_prefix_of_a_program_is_a_text_that_can_be_asked_about() {
    let (mut editor, server) = ready(json!({ "check": "off" }));
    let program = "decl {ü}, x := T;\nvoid main()\nbegin\n  decl y;\n  L: if (x) then goto L; elsif (*) then y$ := 'x; fi\n  while (y) do x, y := f(x) ? y : *; od\nend\n";
    editor.open(URI, "");
    for (version, (at, _)) in (2..).zip(program.char_indices()) {
        editor.change(URI, version, json!([{ "text": program[..at] }]));
        let line = program[..at].matches('\n').count() as u32;
        for method in ["hover", "definition", "references", "completion", "prepareRename"] {
            editor.at(method, URI, line, 3);
        }
        for method in ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens"] {
            editor.of(method, URI);
        }
    }
    leave(editor, server);
}

#[test]
fn a_huge_text_does_not_hold_up_the_others() {
    let (mut editor, server) = ready(json!({ "check": "off" }));
    let huge = format!("void main() begin {} end", "x := x & !x;\n".repeat(400_000));
    editor.open("file:///tmp/none/huge.bp", &huge);
    editor.open(URI, "void main() begin skip end\n y");
    let start = Instant::now();
    assert!(!editor.diagnostics(URI, 1).is_empty());
    // An answer, or that the text is too long for one.
    let position = json!({ "line": 3, "character": 3 });
    let document = json!({ "uri": "file:///tmp/none/huge.bp" });
    let params = json!({ "textDocument": document, "position": position });
    let answer = editor.request("textDocument/hover", params);
    assert!(answer.is_ok() || answer.is_err_and(|it| it.0 == -32803));
    assert!(start.elapsed() < PATIENCE / 2, "{:?}", start.elapsed());
    leave(editor, server);
}

/// A verdict rests on the text, on what it includes and on what was asked: when one changes, it goes.
#[test]
fn a_verdict_goes_when_what_it_rests_on_changes() {
    let folder = std::env::temp_dir().join(format!("hardbop-lsp-rests-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("n.h"), "#define N 2\n").unwrap();
    let [uri, header] =
        ["x.c", "n.h"].map(|it| hardbop_report::uri(folder.join(it).to_str().unwrap()));
    let (mut editor, server) = ready(json!({ "check": "command" }));
    let text = "#include \"n.h\"\nvoid reach_error(void);\nint main(void) { if (N == 2) reach_error(); return 0; }\n";
    editor.open(&uri, text);
    editor.open(&header, "#define N 3\n");
    assert!(editor.diagnostics(&uri, 1).is_empty());
    let check = |editor: &mut Editor| {
        editor.command("hardbop.check", json!([uri])).unwrap()["verdict"].clone()
    };
    assert_eq!(check(&mut editor), "unsafe");
    assert_eq!(codes(&editor.diagnostics(&uri, 1)), ["assert"]);
    // The header is saved.
    std::fs::write(folder.join("n.h"), "#define N 3\n").unwrap();
    editor.save(&header);
    assert!(editor.diagnostics(&uri, 1).is_empty());
    assert_eq!(check(&mut editor), "safe");
    assert!(editor.diagnostics(&uri, 1).is_empty());
    // Another macro is set.
    let settings = json!({ "settings": { "defines": ["main=other"] } });
    editor.notify("workspace/didChangeConfiguration", settings);
    assert_eq!(codes(&editor.diagnostics(&uri, 1)), ["c0007"]);
    std::fs::remove_dir_all(&folder).unwrap();
    leave(editor, server);
}
