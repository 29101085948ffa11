//! `hardbop certify` of a C program.

use std::path::Path;

use hardbop_certify_c::{Accepted, Certificate, Rejected};
use hardbop_check::Cube;
use hardbop_check::c::told_certifier;

use super::{CArgs, load};
use crate::exit::Exit;
use crate::input::{self, Limits};
use crate::refusal::Refusal;
use crate::voice;

/// Safe if the certificate is a proof, input rejected if it is not. The properties are those of the certificate.
pub fn certify(
    path: &Path,
    file: &Path,
    args: &CArgs,
    cube: Option<Cube>,
    limits: &Limits,
) -> Result<Exit, Refusal> {
    let shown = file.display().to_string();
    let text = String::from_utf8(input::read(file, limits)?);
    let read = text.map_err(|_| "not a text file".to_string());
    let certificate = read.and_then(|text| Certificate::read(&text));
    let certificate = certificate.map_err(|why| Refusal::of_file(&shown, why))?;
    // Soundness: who asks for properties gets no proof of others.
    let asked = args.classes(&certificate.classes);
    if let Some(class) = asked.iter().find(|it| !certificate.classes.contains(it)) {
        let why = format!("REJECTED  {shown}: it says nothing of property {class}\n");
        voice::result(&why)?;
        return Ok(Exit::Rejected);
    }
    let options = args.options(certificate.classes.clone());
    let (mut loaded, _) = load(&[path.into()], args, &options, limits)?;
    if let Some(cube) = cube {
        let empty = || Refusal::Misfit(format!("part {cube} is empty: there is nothing to prove"));
        loaded = cube.of_c(&loaded).ok_or_else(empty)?.0;
    }
    let checked = hardbop_certify_c::certify(&loaded.program, &certificate, &limits.budget);
    let (text, exit) = match checked {
        Ok(Accepted { n_obligations, n_steps, .. }) => {
            let part = cube.map(|it| format!(" (part {it})")).unwrap_or_default();
            let names: Vec<_> = certificate.classes.iter().map(|it| it.name()).collect();
            let text = format!(
                "ACCEPTED  {shown} proves {}{part}: {n_obligations} obligations, {n_steps} steps of refutations, \
                 properties {}",
                path.display(),
                names.join(",")
            );
            (text, Exit::Safe)
        }
        Err(Rejected::Exhausted(limit)) => return Err(Refusal::Limit(limit)),
        Err(why) => {
            let why = told_certifier(&loaded, &why);
            let why = why.strip_prefix("not certified: ").unwrap_or(&why);
            (format!("REJECTED  {shown}: {why}"), Exit::Rejected)
        }
    };
    voice::result(&format!("{text}\n"))?;
    Ok(exit)
}
