// The thin client: it starts `hardbop lsp`, shows the verdict in the status bar and gives two commands a name. All else is the server's.
// @ts-check
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** @type {LanguageClient | undefined} */
let client;

/** @typedef {{ uri: string, state: string, text: string }} Status */

/** What the status bar shows before the text. */
const ICONS = /** @type {Record<string, string>} */ ({
  running: "$(sync~spin)",
  safe: "$(pass)",
  unsafe: "$(error)",
  unknown: "$(question)",
  cancelled: "$(circle-slash)",
});

/** @param {vscode.ExtensionContext} context */
async function activate(context) {
  const bar = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
  bar.command = "hardbop.exploreDocument";
  /** @type {Map<string, Status>} */
  const statuses = new Map();
  const show = () => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const status = uri && statuses.get(uri.toString());
    if (!status) {
      bar.hide();
      return;
    }
    bar.text = `${ICONS[status.state] ?? ""} hardbop: ${status.state}`;
    bar.tooltip = status.text;
    bar.show();
  };
  // A verdict is about the text that was checked.
  const forget = (/** @type {vscode.TextDocument} */ document) => {
    if (statuses.delete(document.uri.toString())) show();
  };
  const start = async () => {
    client = create();
    client.onNotification("hardbop/status", (/** @type {Status} */ status) => {
      statuses.set(vscode.Uri.parse(status.uri).toString(), status);
      show();
    });
    await client.start();
  };
  context.subscriptions.push(
    bar,
    vscode.window.onDidChangeActiveTextEditor(show),
    vscode.workspace.onDidChangeTextDocument((event) => event.contentChanges.length > 0 && forget(event.document)),
    vscode.workspace.onDidCloseTextDocument(forget),
    vscode.commands.registerCommand("hardbop.checkDocument", () => run("hardbop.check")),
    vscode.commands.registerCommand("hardbop.exploreDocument", () => run("hardbop.explore")),
    vscode.commands.registerCommand("hardbop.restart", async () => {
      await client?.stop();
      statuses.clear();
      show();
      await start();
    }),
  );
  await start();
}

function create() {
  const command = vscode.workspace.getConfiguration("hardbop").get("path", "hardbop");
  return new LanguageClient(
    "hardbop",
    "Hardbop",
    { command, args: ["lsp"] },
    {
      documentSelector: [{ language: "boolean-program" }, { language: "c" }],
      initializationOptions: settings(),
      middleware: {
        workspace: {
          // Once before anything else, and again whenever the user changes something.
          didChangeConfiguration: (_sections, _next) => sendSettings(),
        },
      },
      synchronize: {
        configurationSection: "hardbop",
        // What C includes counts as it is on disk.
        fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{c,h,i,inc}"),
      },
    },
  );
}

/** All settings but the one that is about this client. */
function settings() {
  const { path: _, ...rest } = /** @type {Record<string, unknown>} */ (
    JSON.parse(JSON.stringify(vscode.workspace.getConfiguration("hardbop")))
  );
  return rest;
}

async function sendSettings() {
  await client?.sendNotification("workspace/didChangeConfiguration", { settings: { hardbop: settings() } });
}

/** @param {string} command */
async function run(command) {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) return;
  try {
    await vscode.commands.executeCommand(command, document.uri.toString());
  } catch (error) {
    // An edit has ended the check.
    if (error instanceof vscode.CancellationError) return;
    vscode.window.showWarningMessage(`hardbop: ${error instanceof Error ? error.message : error}`);
  }
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
