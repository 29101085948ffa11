// Builds the front end into `dist/explorer.js`, which the crate embeds; `--tests` and `--browser` build the tests
// into `build/`, `--check` says whether the embedded file is what the sources give.
import { build } from 'esbuild';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';

const option = process.argv[2] ?? '';
const common = { bundle: true, charset: 'ascii', legalComments: 'none', logLevel: 'warning', write: false };

async function page() {
  const made = await build({
    ...common, entryPoints: ['src/main.ts'], format: 'iife', target: 'es2022', minify: true, platform: 'browser',
  });
  return made.outputFiles[0].text;
}

async function tests(folder, to) {
  rmSync(to, { recursive: true, force: true });
  const entryPoints = readdirSync(folder).filter((it) => it.endsWith('.test.ts')).map((it) => `${folder}/${it}`);
  await build({
    ...common, entryPoints, outdir: to, outExtension: { '.js': '.mjs' }, format: 'esm', platform: 'node',
    packages: 'external', write: true,
  });
}

if (option === '--tests') {
  await tests('test', 'build/unit');
} else if (option === '--browser') {
  await tests('browser', 'build/browser');
} else {
  const text = await page();
  if (option === '--check') {
    if (readFileSync('dist/explorer.js', 'utf8') !== text) {
      console.error('dist/explorer.js is not what the sources give: run `npm run build`');
      process.exit(1);
    }
  } else {
    writeFileSync('dist/explorer.js', text);
  }
}
