//! Examples of each command, behind its help.

pub const EXAMPLES: &str = "\
Examples:
  hardbop check driver.bp
  hardbop check --property valid-memsafety --time-limit 1m parser.c
  hardbop check --certificate driver.cert driver.bp && hardbop certify driver.bp driver.cert
  hardbop help check";

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
  nvim --cmd \"autocmd FileType c lua vim.lsp.start({ name = 'hardbop', cmd = { 'hardbop', 'lsp' } })\" x.c";

pub const MAN: &str = "\
Examples:
  hardbop man /usr/local/share/man/man1";

pub const COMPLETIONS: &str = "\
Examples:
  hardbop completions bash > /etc/bash_completion.d/hardbop";
