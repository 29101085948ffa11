// The command, the browser and the page in it, for the tests. `HARDBOP` names the command, `CHROMIUM` the browser, `SHOTS` a
// folder for pictures.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import puppeteer from 'puppeteer-core';

export const hardbop = resolve(process.env['HARDBOP'] ?? '../../../../target/release/hardbop');
export const folder = mkdtempSync(join(tmpdir(), 'hardbop-browser-'));
const shots = resolve(process.env['SHOTS'] ?? 'build/shots');
let browser: Browser;

/** A list, used after a part of it was freed. */
export const LIST = `#include <stdlib.h>
struct node { int value; struct node *next; };
extern int __VERIFIER_nondet_int(void);

static struct node *push(struct node *head, int value)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = value;
    fresh->next = head;
    return fresh;
}

int main(void)
{
    struct node *list = 0;
    for (int i = 0; i < 3; i++)
        list = push(list, i * 10);
    struct node *first = list->next;
    if (__VERIFIER_nondet_int() > 1)
        free(list->next);
    return first->value;
}
`;

/** A lock whose proof needs predicates. */
export const LOCK = `extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void)
{
    int locked = 0, got = 0, old = 0;
    do {
        if (locked) reach_error();
        locked = 1;
        old = got;
        if (__VERIFIER_nondet_int()) {
            locked = 0;
            got++;
        }
    } while (got != old);
    if (!locked) reach_error();
    return 0;
}
`;

before(async () => {
  mkdirSync(shots, { recursive: true });
  browser = await puppeteer.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', headless: true, protocolTimeout: 120_000,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
});

after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command; an answer is no failure. */
export function run(...words: string[]): string {
  try {
    return execFileSync(hardbop, words, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string };
    assert.ok([5, 10].includes(status), `exit ${status} of hardbop ${words.join(' ')}`);
    return stdout;
  }
}

export function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

/** The address as the page itself has it: `page.url()` learns of a change only by a later message of the browser. */
export const where = (page: Page): Promise<string> => page.evaluate(() => location.href);

/** Opens a page and writes down what it asks for and what goes wrong in it. */
export async function open(address: string, width = 1400, height = 860): Promise<{ page: Page; asked: string[]; wrong: string[] }> {
  const page = await browser.newPage();
  await page.setViewport({ width, height });
  const [asked, wrong]: [string[], string[]] = [[], []];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('console', (message) => { if (message.type() === 'error') wrong.push(message.text()); });
  page.on('dialog', (dialog) => { wrong.push(dialog.message()); void dialog.dismiss(); });
  await page.goto(address);
  await page.waitForSelector('main');
  return { page, asked, wrong };
}

export const html = (name: string, hash = '') => `file://${join(folder, name)}${hash}`;
export const text = (page: Page, selector: string) => page.$eval(selector, (it) => it.textContent ?? '');
export const line = (page: Page) => text(page, '.source .row.current .number');
export const values = (page: Page) => page.$$eval('.variable', (all) => Object.fromEntries(all.map((it) =>
  [it.querySelector('.name')!.textContent, it.querySelector('.value')!.textContent])) as Record<string, string>);

export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(shots, `${name}.png`) as `${string}.png` });
}
