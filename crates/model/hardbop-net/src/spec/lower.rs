//! From a guarded assignment to tokens taken, moved and put.

use hardbop_base::Span;
use hardbop_diag::codes::net::{RANGE, UNSUPPORTED};

use super::{Refused, refuse};
use crate::net::{MOST, Rule, Transfer, merged};

/// `place' = sources + constant`.
pub struct Sum {
    pub place: u32,
    pub sources: Vec<u32>,
    pub constant: i64,
    pub span: Span,
}

/// Each token of a place has one place to go: the sum that names it, or its own if that is not
/// assigned. A negative constant takes tokens before they move, where the guard knows of some.
pub fn lower(
    span: Span,
    guards: &[(u32, u32)],
    at_most: Vec<(u32, u32)>,
    sums: &[Sum],
) -> Result<Rule, Refused> {
    // Asking twice for a place asks for the larger number.
    let mut asked: Vec<(u32, u32)> = Vec::new();
    for &(place, n) in guards {
        match asked.iter_mut().find(|(known, _)| *known == place) {
            Some((_, most)) => *most = n.max(*most),
            None => asked.push((place, n)),
        }
    }
    let mut moves: Vec<(u32, u32)> = Vec::new();
    for sum in sums {
        for &source in &sum.sources {
            let stays = sums.iter().all(|it| it.place != source);
            if stays || moves.iter().any(|&(from, _)| from == source) {
                let why = "this copies a place: each token can only go to one";
                return Err(refuse(UNSUPPORTED, sum.span, why));
            }
            moves.push((source, sum.place));
        }
    }
    let goes_to = |place: u32| match moves.iter().find(|&&(from, _)| from == place) {
        Some(&(_, to)) => Some(to),
        None => sums.iter().all(|sum| sum.place != place).then_some(place),
    };
    let mut consumed: Vec<(u32, u32)> = Vec::new();
    let mut put: Vec<(u32, u32)> = Vec::new();
    for sum in sums {
        if sum.constant.unsigned_abs() >= u64::from(MOST) {
            return Err(refuse(RANGE, sum.span, "the number is too large"));
        }
        if sum.constant >= 0 {
            put.push((sum.place, sum.constant as u32));
        } else {
            consumed.extend(consume(sum, &asked)?);
        }
    }
    let mut take = Vec::new();
    for &(place, n) in &asked {
        let used = consumed.iter().find(|&&(it, _)| it == place).map_or(0, |&(_, used)| used);
        take.push((place, n.max(used)));
        // The guard only looks at these: they go where their place goes.
        if let (Some(rest), Some(to)) = (n.checked_sub(used), goes_to(place)) {
            put.push((to, rest));
        }
    }
    let unasked = |&&(place, _): &&(u32, u32)| asked.iter().all(|&(it, _)| it != place);
    take.extend(consumed.iter().filter(unasked));
    let mut transfers: Vec<Transfer> = moves
        .iter()
        .filter(|(from, to)| from != to)
        .map(|&(from, to)| Transfer { from, to: vec![to] })
        .collect();
    let emptied = sums.iter().map(|sum| sum.place).filter(|&place| goes_to(place).is_none());
    transfers.extend(emptied.map(|from| Transfer { from, to: vec![] }));
    transfers.sort_by_key(|transfer| transfer.from);
    Ok(Rule { span, from: 0, to: 0, take: merged(take), put: merged(put), transfers, at_most })
}

/// Which tokens a negative constant takes: those the guard has asked for, the place's own first; or
/// those of the only source.
fn consume(sum: &Sum, asked: &[(u32, u32)]) -> Result<Vec<(u32, u32)>, Refused> {
    let mut missing = sum.constant.unsigned_abs() as u32;
    if let [only] = sum.sources[..] {
        return Ok(vec![(only, missing)]);
    }
    let mut sources = sum.sources.clone();
    sources.sort_by_key(|&source| source != sum.place);
    let mut consumed = Vec::new();
    for source in sources {
        let known = asked.iter().find(|&&(place, _)| place == source).map_or(0, |&(_, n)| n);
        let used = known.min(missing);
        missing -= used;
        consumed.push((source, used));
    }
    if missing > 0 {
        let why = "the guard does not say where the tokens come from that are subtracted here";
        return Err(refuse(UNSUPPORTED, sum.span, why));
    }
    Ok(consumed)
}
