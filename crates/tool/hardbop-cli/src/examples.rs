//! Examples of each command, printed below its help.

pub const EXAMPLES: &str = "\
Examples:
  hardbop check driver.bp
  hardbop check --property valid-memsafety --time-limit 1m parser.c
  hardbop check --certificate driver.cert driver.bp && hardbop certify driver.bp driver.cert
  hardbop help check";

pub const CHECK: &str = "\
Examples:
  hardbop check driver.bp
  hardbop check --goal label:SLIC_ERROR --time-limit 30s a.bp b.bp
  hardbop check --threads 3 --format json spinlock.bp
  hardbop check --property no-overflow --testbench bench/ parser.c
  hardbop check --init '0|0/1' --target '3|2,2' mutex.tts";

pub const EXPLORE: &str = "\
Examples:
  hardbop explore driver.bp
  hardbop explore --threads 3 spinlock.bp
  hardbop check --format json *.bp > results.json; hardbop explore results.json";

pub const BATCH: &str = "\
Examples:
  hardbop batch drivers/ --time-limit 1m --memory-limit 2GB
  hardbop batch c.csv --store c.db --jobs 8 -- --property unreach-call
  hardbop batch build/compile_commands.json --entry parse --entry print
  hardbop batch plan.toml --shard 2/8 --store part2.db
  hardbop batch merge part*.db --store all.db
  hardbop batch hard.toml --cube 8
  hardbop batch plan.toml --time-limit 1m --slurm out/ --parts 32
  hardbop batch collect out/
  hardbop batch status
  hardbop batch report --html report/";

pub const BATCH_SHOW: &str = "\
Examples:
  hardbop batch show drivers/lock.c";

pub const BATCH_DIFF: &str = "\
Examples:
  hardbop batch diff 1 2";

pub const BATCH_COLLECT: &str = "\
Examples:
  hardbop batch collect out/ --store all.db";

pub const BATCH_MERGE: &str = "\
Examples:
  hardbop batch merge part1.db part2.db --store all.db";

pub const CONVERT: &str = "\
Examples:
  hardbop check --format json *.bp > results.json
  hardbop convert --format sarif results.json > results.sarif";

pub const RUN: &str = "\
Examples:
  hardbop run sort.c
  hardbop run --inputs numbers.txt --property bounds,null sort.c";

pub const ABSTRACT: &str = "\
Examples:
  hardbop abstract lock.c
  hardbop abstract driver.c --property unreach-call --save steps";

pub const CERTIFY: &str = "\
Examples:
  hardbop certify driver.bp driver.cert
  hardbop certify parser.c parser.cert
  hardbop certify parser.c witness-of-another-tool.yml
  hardbop certify --target '3|2,2' mutex.tts mutex.cert";

pub const FMT: &str = "\
Examples:
  hardbop fmt driver.bp
  hardbop fmt --write driver.bp
  hardbop fmt --check driver.bp";

pub const GRAPH: &str = "\
Examples:
  hardbop graph --format svg driver.bp > driver.svg
  hardbop graph driver.bp | dot -Tpdf > driver.pdf
  hardbop graph --format cfg driver.bp";

pub const GEN: &str = "\
Examples:
  hardbop gen
  hardbop gen bebop-t 800 > t800.bp
  hardbop gen bluetooth 2 1 | hardbop check -";

pub const EXPLAIN: &str = "\
Examples:
  hardbop explain
  hardbop explain bp0003";

pub const LSP: &str = "\
Examples:
  hardbop lsp
  nvim -c \"lua vim.lsp.start({ name = 'hardbop', cmd = { 'hardbop', 'lsp' } })\" x.c";

pub const MAN: &str = "\
Examples:
  hardbop man /usr/local/share/man/man1";

pub const COMPLETIONS: &str = "\
Examples:
  hardbop completions bash > /etc/bash_completion.d/hardbop";
