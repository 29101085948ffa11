// The page in a real browser: what is shown, and where steps and links lead.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import type { Page } from 'puppeteer-core';
import { LIST, LOCK, file, folder, hardbop, html, line, open, picture, run, text, values, where } from './tools.ts';

test('the Bluetooth driver with three threads: steps, lanes, values, links', async () => {
  file('bluetooth.bp', run('gen', 'bluetooth'));
  run('check', '--initial-threads', '3', '--threads', '3', '--html', 'bluetooth.html', 'bluetooth.bp');
  const { page, asked, wrong } = await open(html('bluetooth.html'));
  assert.match(await text(page, 'h1'), /SLIC_ERROR/);
  assert.deepEqual(await page.$$eval('.threads span', (all) => all.map((it) => it.textContent)), ['thread 0', 'thread 1', 'thread 2']);
  const steps = Number((await text(page, '.counter')).split('/')[1]);
  assert.ok(steps > 10, `${steps} steps`);
  const first = await line(page);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.match(await text(page, '.counter'), /^3 /);
  assert.notEqual(await line(page), '', 'there is a current line');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await line(page), first, 'back where it was');
  const lane = () => page.$eval('.steps .row.current svg', (it) => it.getAttribute('aria-label'));
  const before = await lane();
  await page.keyboard.press('n');
  assert.notEqual(await lane(), before, 'another thread, another lane');
  await page.keyboard.press('End');
  const final = await values(page);
  assert.equal(final['stopped'], '1');
  assert.match(await text(page, '.values'), /threads that have begun, and where.*line \d+\d \(thread/s);
  await page.click('.variable[data-name="stopped"]');
  assert.match(await text(page, '.steps .row.current code'), /^stopped := 1/, 'the last write');
  const address = await where(page);
  assert.match(address, /#step=\d+$/);
  await picture(page, 'bluetooth-light');
  const followed = await open(address);
  assert.match(await text(followed.page, '.steps .row.current code'), /^stopped := 1/, 'a link points to the step');
  await followed.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await picture(followed.page, 'bluetooth-dark');
  await page.bringToFront();
  await page.click('[data-view="Graph"]');
  await page.waitForSelector('.graph .node.current');
  assert.ok((await page.$$('.graph .edge.visited')).length > 3, 'the trace is on the graph');
  await picture(page, 'bluetooth-graph');
  assert.deepEqual(wrong, []);
  assert.deepEqual([...new Set(asked)], [html('bluetooth.html')], 'nothing else is asked for');
});

test('a list in C that is used after it was freed: memory with its pointers', async () => {
  file('list.c', LIST);
  run('check', '--property', 'valid-deref', '--html', 'list.html', 'list.c');
  const { page, wrong } = await open(html('list.html'));
  await page.keyboard.press('End');
  assert.equal(await text(page, '.source .row.violated .number'), '21');
  await page.click('[data-view="Memory"]');
  await page.waitForSelector('.memory svg');
  assert.equal((await page.$$('.memory .freed')).length, 1);
  assert.equal((await page.$$('.memory .object')).length, 3);
  assert.ok((await page.$$('.memory .pointer')).length >= 3);
  const fits = () => page.$eval('.memory', (it) => [it.scrollWidth, it.clientWidth] as [number, number]);
  assert.ok((await fits())[0] <= (await fits())[1] + 1, `the picture fits its pane: ${await fits()}`);
  await picture(page, 'list-memory');
  await page.click('[data-view="Values"]');
  await page.click('.variable[data-name="first"]');
  assert.equal(await line(page), '18', 'where first was written');
  await page.keyboard.press('Home');
  const calls = await page.$$eval('.steps .row code', (all) => all.map((it) => it.textContent ?? ''));
  const push = calls.findIndex((it) => it.startsWith('push('));
  for (let i = 0; i < push; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('o');
  assert.equal(await line(page), '17', 'over the call');
  await page.keyboard.press('b');
  await page.keyboard.press('ArrowRight');
  assert.match(await line(page), /^[789]$/, 'into the call');
  await page.keyboard.press('u');
  assert.equal(await line(page), '17', 'out of the call');
  await page.keyboard.press('ArrowLeft');
  const many = (await page.$$('.steps .row')).length;
  await page.keyboard.press('f');
  assert.ok((await page.$$('.steps .row')).length < many, 'folded');
  assert.deepEqual(wrong, []);
});

test('a safe program: what holds at each line, and who has checked it', async () => {
  file('lock.bp', readFileSync('../../../../examples/lock.bp', 'utf8'));
  run('check', '--html', 'lock.html', 'lock.bp');
  const { page, wrong } = await open(html('lock.html'));
  assert.match(await text(page, '.meta'), /proof checked by separate code/);
  assert.match(await text(page, '.proof'), /returns with/);
  const notes = await page.$$eval('.source .holds', (all) => all.map((it) => it.textContent));
  assert.ok(notes.some((it) => it?.includes('locked')), notes.join('\n'));
  await picture(page, 'safe');
  assert.deepEqual(wrong, []);
});

test('predicate abstraction: rounds, predicates beside the source, the Boolean program beside the C program', async () => {
  file('locks.c', LOCK);
  run('check', '--engine', 'cegar', '--property', 'unreach-call', '--html', 'locks.html', 'locks.c');
  const { page, wrong } = await open(html('locks.html'));
  await page.click('[data-view="Abstraction"]');
  const rounds = await page.$$eval('.pane.open select option', (all) => all.length);
  assert.ok(rounds >= 2, `${rounds} rounds`);
  assert.match(await text(page, '.learned'), /safe, and with it the C program/);
  assert.ok((await page.$$('.abstraction .predicate')).length > 0);
  const notes = await page.$$eval('.source .holds', (all) => all.map((it) => it.textContent));
  assert.ok(notes.some((it) => it?.includes('locked')), 'predicates stand beside the source');
  assert.match(await text(page, '.abstraction .program'), /void main\(\)/);
  await picture(page, 'abstraction-light');
  await page.click('[aria-label="The round before"]');
  assert.match(await text(page, '.learned'), /no execution takes/);
  await page.click('.abstraction .visit:last-child');
  assert.equal(await page.$eval('.abstraction .visit:last-child', (it) => it.getAttribute('aria-pressed')), 'true');
  assert.notEqual(await line(page), '', 'the place of the path is shown in the source');
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await picture(page, 'abstraction-dark');
  await page.click('.abstraction .program .link');
  assert.deepEqual(wrong, []);
});

test('a violation that predicate abstraction found has its trace and its rounds', async () => {
  file('unlocks.c', LOCK.replace('        locked = 1;\n', ''));
  run('check', '--engine', 'cegar', '--property', 'unreach-call', '--html', 'unlocks.html', 'unlocks.c');
  const { page, wrong } = await open(html('unlocks.html'));
  assert.match(await text(page, '.tag'), /unsafe/);
  await page.click('[data-view="Abstraction"]');
  assert.match(await text(page, '.learned'), /an execution takes this path/);
  await page.keyboard.press('End');
  await picture(page, 'abstraction-unsafe');
  assert.deepEqual(wrong, []);
});

test('a safe C program: invariants at its loops, who certified them, who did what', async () => {
  file('sum.c', 'extern unsigned __VERIFIER_nondet_uint(void);\nint main(void)\n{\n    unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;\n'
    + '    while (i < n) {\n        i++;\n        j++;\n    }\n    __VERIFIER_assert(i == j);\n    return 0;\n}\n');
  run('check', '--engine', 'kind', '--property', 'assert', '--html', 'sum.html', 'sum.c');
  const { page, wrong } = await open(html('sum.html'));
  assert.match(await text(page, '.who'), /Found by engine kind\. (Checked by the certifier|Not certified: )/);
  const notes = await page.$$eval('.source .row', (all) => all.filter((it) => it.querySelector('.holds')).map((it) => it.querySelector('.number')!.textContent));
  assert.deepEqual(notes, ['5'], 'the invariant stands at the loop');
  await picture(page, 'safe-c');
  await page.click('[data-view="Details"]');
  assert.match(await text(page, '.details'), /Who did what.*kind, k \d/);
  await picture(page, 'details');
  assert.deepEqual(wrong, []);
});

test('a net: the run that covers a target with counts, and the cover of one that is safe', async () => {
  file('net.tts', '2 3\n0 0 -> 0 1\n0 1 -> 1 1\n1 0 -> 1 2\n');
  run('check', '--init', '0/0', '--target', '1|1,2', '--html', 'net.html', 'net.tts');
  const { page, wrong } = await open(html('net.html'));
  assert.match(await text(page, '.tag'), /unsafe/);
  await page.keyboard.press('End');
  const final = await values(page);
  assert.equal(final['shared state'], '1');
  assert.equal(final['in place 2'], '1');
  await picture(page, 'net-run');
  run('check', '--init', '0/0', '--target', '0|2', '--html', 'cover.html', 'net.tts');
  const cover = await open(html('cover.html'));
  assert.match(await text(cover.page, '.proof'), /any number of × 0|× 0/);
  await picture(cover.page, 'net-cover');
  assert.deepEqual([...wrong, ...cover.wrong], []);
});

test('a hundred results in a table', async () => {
  const names = Array.from({ length: 100 }, (_, i) => file(`t${i}.bp`, `decl g; void main() begin g := ${i % 3 === 0 ? '*' : 'T'}; assert(g); end\n`));
  run('check', '--html', 'table.html', ...names);
  const { page, wrong } = await open(html('table.html'));
  assert.equal((await page.$$('tbody tr')).length, 100);
  assert.equal(await text(page, 'tbody tr .tag'), 'unsafe', 'violations first');
  await page.click('th.file button');
  await page.click('th.file button');
  assert.equal(await text(page, 'tbody td.file'), 't99.bp');
  await page.type('input[type=search]', 't1');
  assert.equal((await page.$$('tbody tr')).length, 11);
  await picture(page, 'table');
  await page.click('.chip.unsafe');
  assert.equal((await page.$$('tbody tr')).length, 3, 't12, t15, t18');
  await page.click('tbody td.file a');
  await page.waitForSelector('.explorer');
  assert.match(await where(page), /#result=\d+/);
  await page.keyboard.press('ArrowRight');
  assert.match(await where(page), /#result=\d+&step=2$/);
  await page.click('.bar a');
  await page.waitForSelector('tbody tr');
  assert.deepEqual(wrong, []);
});

test('a hundred thousand steps: a step stays under 100 ms', async () => {
  const steps = Array.from({ length: 100_000 }, (_, i) => ({
    thread: i % 5 === 4 ? 1 : 0, depth: i % 4 === 3 ? 1 : 0, proc: 'main', line: 1 + (i % 50), text: `x := ${i};`,
    values: { g: i % 2 === 0, [`v${i % 40}`]: i % 3 === 0 },
  }));
  const record = { schema: 'hardbop.result/1', file: 'long.bp', verdict: 'unsafe', certified: true, engine: 'bdd', goal: 'assert', reason: null,
    detail: null, violation: { file: 'long.bp', line: 7, what: 'assertion' }, trace: { values: 'changes', shared: ['g'], steps }, stats: { time_ms: 1 } };
  file('long.bp', Array.from({ length: 50 }, (_, i) => `line ${i}`).join('\n'));
  file('long.json', JSON.stringify(record));
  const { page, wrong, close } = await explore('long.json');
  await page.keyboard.press('End');
  assert.match(await text(page, '.counter'), /^100,000 \/ 100,000/);
  assert.ok((await page.$$('.steps .row')).length < 100, 'only what is in sight exists');
  // Processor time of the page's own thread, script and layout: other work on the machine does not count.
  const client = await page.createCDPSession();
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cost = async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    return 1000 * metrics.find((it) => it.name === 'TaskDuration')!.value;
  };
  await page.keyboard.press('ArrowLeft');
  const start = await cost();
  const n = 40;
  for (let i = 0; i < n; i++) await page.keyboard.press(i % 4 === 0 ? 'b' : 'ArrowLeft');
  const each = ((await cost()) - start) / n;
  console.log(`# ${each.toFixed(1)} ms a step`);
  assert.ok(each < 100, `${each} ms a step`);
  assert.deepEqual(wrong, []);
  close();
});

/** Starts the server for a file of results and opens the page. */
async function explore(name: string): Promise<{ page: Page; asked: string[]; wrong: string[]; address: string; close: () => void }> {
  const server = spawn(hardbop, ['explore', '--no-browser', name], { cwd: folder });
  const address = await new Promise<string>((found, lost) => {
    let said = '';
    server.stdout.on('data', (bytes: Buffer) => { said += String(bytes); const it = /http:\S+/.exec(said); if (it) found(it[0]); });
    server.on('exit', (code) => lost(new Error(`the server ended with ${code}`)));
  });
  return { ...(await open(address)), address, close: () => server.kill('SIGINT') };
}

test('names and strings that are markup are text, and nothing leaves loopback', async () => {
  const evil = '</script><script>alert(1)</script><img src=http://192.0.2.1/x onerror=alert(2)>';
  const step = (thread: number) => ({ thread, depth: 0, proc: evil, line: 1, text: evil, values: { [evil]: evil } });
  const record = { schema: 'hardbop.result/1', file: 'evil.bp', verdict: 'unsafe', certified: true, engine: evil, goal: evil, reason: null,
    detail: evil, violation: { file: 'evil.bp', line: 1, what: evil }, assumptions: [evil], warnings: [evil],
    trace: { steps: [step(0), step(1)], shared: [] }, stats: { time_ms: 1 } };
  file('evil.bp', evil);
  file('evil.json', JSON.stringify(record));
  const { page, asked, wrong, address, close } = await explore('evil.json');
  assert.equal(await text(page, '.steps .row code'), evil);
  await page.click('[data-view="Details"]');
  assert.equal((await page.$$('img')).length, 0);
  assert.equal((await page.$$('body script')).length, 2);
  assert.deepEqual(wrong, []);
  assert.ok(asked.every((it) => it.startsWith(address) || it === new URL('/favicon.ico', address).href), asked.join('\n'));
  const blocked = await page.evaluate(async () => {
    try { await fetch('http://192.0.2.1/'); return 'asked'; } catch { return 'refused'; }
  });
  assert.equal(blocked, 'refused', 'the policy lets nothing be fetched');
  close();
});

test('on a phone one pane is shown, with large buttons', async () => {
  file('lock-bug.bp', readFileSync('../../../../examples/lock-bug.bp', 'utf8'));
  run('check', '--html', 'bug.html', 'lock-bug.bp');
  const { page, wrong } = await open(html('bug.html', '#step=9'), 390, 780);
  const panes = () => page.$$eval('.pane', (all) => all.filter((it) => (it as HTMLElement).offsetParent !== null).map((it) => it.getAttribute('aria-label')));
  assert.deepEqual(await panes(), ['Trace']);
  await picture(page, 'phone-trace');
  await page.click('[data-view="Source"]');
  assert.deepEqual(await panes(), ['Source']);
  const { width } = (await page.evaluate(() => ({ width: document.documentElement.scrollWidth })));
  assert.ok(width <= 390, `the page is ${width} wide`);
  await page.click('[data-key="ArrowRight"]');
  assert.match(await text(page, '.counter'), /^10 /);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await picture(page, 'phone-source-dark');
  assert.deepEqual(wrong, []);
});
