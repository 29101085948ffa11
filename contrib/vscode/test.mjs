// The server as another implementation of the protocol sees it: that of VS Code, without the editor.
//   HARDBOP=target/release/hardbop node --test contrib/vscode/test.mjs
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import protocol from "vscode-languageserver-protocol/node.js";

const program = `decl g;

void main()
begin
  g := *;
  assert(g);
end
`;

const server = spawn(process.env.HARDBOP ?? "hardbop", ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
after(() => server.kill());
const connection = protocol.createProtocolConnection(server.stdout, server.stdin);
/** @type {((params: import("vscode-languageserver-protocol").PublishDiagnosticsParams) => void)[]} */
const waiting = [];
connection.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => waiting.shift()?.(params));
connection.onRequest(protocol.CodeLensRefreshRequest.type, () => {});
connection.listen();

const published = () => new Promise((/** @type {(it: import("vscode-languageserver-protocol").PublishDiagnosticsParams) => void} */ done) => waiting.push(done));
const uri = "file:///tmp/hardbop-test/%C3%BC%20x.bp";

test("a session from initialize to exit", async () => {
  const { capabilities } = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: { textDocument: { publishDiagnostics: { relatedInformation: true } } },
  });
  assert.equal(capabilities.positionEncoding, "utf-16");
  await connection.sendNotification(protocol.InitializedNotification.type, {});

  let next = published();
  const textDocument = { uri, languageId: "boolean-program", version: 1, text: "void main() begin skip end x" };
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument });
  const mistakes = (await next).diagnostics;
  assert.ok(mistakes.length > 0 && mistakes.every((it) => String(it.code).startsWith("bp")));

  next = published();
  await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: program }],
  });
  assert.deepEqual((await next).diagnostics, []);

  next = published();
  const checked = await connection.sendRequest(protocol.ExecuteCommandRequest.type, { command: "hardbop.check", arguments: [uri] });
  assert.equal(checked.verdict, "unsafe");
  const [violation] = (await next).diagnostics;
  assert.equal(violation?.range.start.line, 5);
  assert.ok((violation?.relatedInformation?.length ?? 0) >= 2, "the trace");

  const page = await connection.sendRequest(protocol.ExecuteCommandRequest.type, { command: "hardbop.explore", arguments: [uri] });
  assert.match(readFileSync(new URL(page), "utf8"), /^<!doctype html>/);

  await connection.sendRequest(protocol.ShutdownRequest.type);
  const ended = new Promise((done) => server.on("exit", done));
  await connection.sendNotification(protocol.ExitNotification.type);
  assert.equal(await ended, 0);
});
