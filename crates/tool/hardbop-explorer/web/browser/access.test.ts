// The page for those who do not see it or use no mouse: the rules that axe-core knows (WCAG 2 A and AA) on every view, in
// light and dark, and a way through a trace by keys alone with what a screen reader is told on it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import axe from 'axe-core';
import type { Page } from 'puppeteer-core';
import { LIST, LOCK, file, html, open, run } from './tools.ts';

interface Broken { id: string; nodes: { html: string; failureSummary?: string }[] }

/** What the rules say against what is shown now. */
async function broken(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const run = (globalThis as unknown as { axe: { run(on: Document, options: object): Promise<{ violations: Broken[] }> } }).axe.run;
    return (await run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })).violations;
  });
  return found.flatMap((it) => it.nodes.slice(0, 3).map((node) => `${it.id}: ${node.html.slice(0, 160)}: ${node.failureSummary}`));
}

/** Looks at each view of a page, in both colours. */
async function everyView(name: string): Promise<void> {
  const { page } = await open(html(name));
  await page.keyboard.press('ArrowRight');
  const views = await page.$$eval('.tabs button.side', (all) => all.map((it) => it.getAttribute('data-view')!));
  for (const colours of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: colours }]);
    for (const view of views) {
      await page.click(`[data-view="${view}"]`);
      assert.deepEqual(await broken(page), [], `${name}, ${view}, ${colours}`);
    }
    if (views.length === 0) assert.deepEqual(await broken(page), [], `${name}, ${colours}`);
  }
}

test('every view keeps the rules of accessibility', async () => {
  file('threads.bp', run('gen', 'bluetooth'));
  run('check', '--initial-threads', '3', '--threads', '3', '--html', 'threads.html', 'threads.bp');
  await everyView('threads.html');
  file('list.c', LIST);
  run('check', '--property', 'valid-deref', '--html', 'list.html', 'list.c');
  await everyView('list.html');
  file('lock.bp', readFileSync('../../../../examples/lock.bp', 'utf8'));
  file('lock-bug.bp', readFileSync('../../../../examples/lock-bug.bp', 'utf8'));
  run('check', '--html', 'lock.html', 'lock.bp');
  await everyView('lock.html');
  file('locks.c', LOCK);
  run('check', '--engine', 'cegar', '--property', 'unreach-call', '--html', 'locks.html', 'locks.c');
  await everyView('locks.html');
  run('check', '--html', 'both.html', 'lock.bp', 'lock-bug.bp');
  await everyView('both.html');
});

interface Heard { role: string; name: string; states: string }

/** Of what has the focus: role, name and states, as the browser hands them to a screen reader. */
async function heard(page: Page): Promise<Heard> {
  const client = await page.createCDPSession();
  const { result } = await client.send('Runtime.evaluate', { expression: 'document.activeElement' });
  const { nodes } = await client.send('Accessibility.getPartialAXTree', { objectId: result.objectId!, fetchRelatives: false });
  await client.detach();
  const it = nodes[0]!;
  const states = (it.properties ?? []).map((state) => `${state.name}=${state.value.value ?? state.value.relatedNodes?.[0]?.idref ?? ''}`);
  return { role: String(it.role?.value), name: String(it.name?.value ?? ''), states: states.join(' ') };
}

const spoken = (page: Page) => page.$eval('[aria-live]', (it) => it.textContent ?? '');

test('a trace by keys alone: each stop of the tab key has a role and a name, each step is spoken', async () => {
  file('bug.bp', readFileSync('../../../../examples/lock-bug.bp', 'utf8'));
  run('check', '--html', 'bug.html', 'bug.bp');
  const { page, wrong } = await open(html('bug.html'));
  const stops: Heard[] = [];
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement === document.body)) break;
    stops.push(await heard(page));
  }
  assert.deepEqual(stops.filter((it) => it.name === '' || ['generic', 'none'].includes(it.role)), [], 'no stop is silent');
  const has = (role: string, name: string | RegExp) => stops.some((it) => it.role === role && it.name.match(name));
  assert.ok(has('button', 'Forward, into calls'), JSON.stringify(stops));
  assert.ok(has('tree', 'Steps of the trace') && has('tab', 'Values') && has('button', /locked/), JSON.stringify(stops));

  await page.focus('.steps');
  await page.keyboard.press('Home');
  const first = await spoken(page);
  await page.keyboard.press('ArrowDown');
  const second = await spoken(page);
  assert.notEqual(second, first);
  assert.match(second, /line \d+/);
  assert.match((await heard(page)).states, /activedescendant=step-1\b/, 'the list says which step is the current one');
  await page.keyboard.press('End');
  assert.match(await spoken(page), /line 14\b.*assert\(locked\)/s);

  // Among the tabs with the arrow keys, as the pattern of tabs wants it; then into what the tab shows.
  await page.focus('.tabs [aria-selected="true"]');
  const chosen = (await heard(page)).name;
  await page.keyboard.press('ArrowRight');
  const next = await heard(page);
  assert.equal(next.role, 'tab');
  assert.notEqual(next.name, chosen);
  assert.match(next.states, /selected=true/);
  assert.equal(await page.$eval('.pane.open', (it) => it.getAttribute('role')), 'tabpanel');
  assert.deepEqual(wrong, []);
});
