//! Plots of measurements: how many tasks are done within a time (a quantile or cactus plot), and two tools
//! against each other, task by task (a scatter plot). Times are on a logarithmic scale.

use std::fmt::Write;

use crate::svg::escaped;

/// Seconds of each task that was decided.
#[derive(Clone, Debug, Default)]
pub struct Series {
    pub name: String,
    pub seconds: Vec<f64>,
}

/// A task as two tools did it; `None` where one has not decided it.
#[derive(Clone, Debug)]
pub struct Pair {
    pub task: String,
    pub x: Option<f64>,
    pub y: Option<f64>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 64.0;
const BOTTOM: f64 = 48.0;
const TOP: f64 = 18.0;
const RIGHT: f64 = 18.0;
const COLORS: [&str; 6] = ["#3457d5", "#c2410c", "#15803d", "#a21caf", "#0e7490", "#854d0e"];

/// The place of a time between the powers of ten around all of them.
struct Scale {
    low: i32,
    high: i32,
}

impl Scale {
    fn of(seconds: impl Iterator<Item = f64>) -> Scale {
        let logs: Vec<f64> = seconds.map(|it| it.max(1e-6).log10()).collect();
        let low = logs.iter().copied().fold(f64::INFINITY, f64::min);
        let high = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        match logs.is_empty() {
            true => Scale { low: -3, high: 2 },
            false => {
                let low = low.floor() as i32;
                Scale { low, high: (high.ceil() as i32).max(low + 1) }
            }
        }
    }

    /// From 0 to 1.
    fn at(&self, seconds: f64) -> f64 {
        let log = seconds.max(1e-6).log10();
        ((log - f64::from(self.low)) / f64::from(self.high - self.low)).clamp(0.0, 1.0)
    }
}

fn across(part: f64) -> f64 {
    LEFT + part * (WIDTH - LEFT - RIGHT)
}

fn up(part: f64) -> f64 {
    HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP)
}

fn open() -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    )
}

fn put(out: &mut String, words: std::fmt::Arguments<'_>) {
    writeln!(out, "{words}").expect("a string");
}

fn time_axis(out: &mut String, scale: &Scale, title: &str) {
    for power in scale.low..=scale.high {
        let y = up(scale.at(10_f64.powi(power)));
        let label = power_of_ten(power);
        put(
            out,
            format_args!(
                "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" stroke=\"#e3e2de\"/>",
                across(1.0)
            ),
        );
        put(
            out,
            format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                LEFT - 6.0,
                y + 4.0
            ),
        );
    }
    let middle = up(0.5);
    put(
        out,
        format_args!(
            "<text x=\"14\" y=\"{middle:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {middle:.1})\">{}</text>",
            escaped(title)
        ),
    );
}

fn power_of_ten(power: i32) -> String {
    if power < 0 {
        format!("{:.*}", power.unsigned_abs() as usize, 10_f64.powi(power))
    } else {
        format!("{}", 10_f64.powi(power))
    }
}

/// Each series sorted by time: the point (n, t) says that n tasks take at most t each.
pub fn quantile(series: &[Series]) -> String {
    let scale = Scale::of(series.iter().flat_map(|it| it.seconds.iter().copied()));
    let most = series.iter().map(|it| it.seconds.len()).max().unwrap_or(0).max(1);
    let mut out = open();
    time_axis(&mut out, &scale, "seconds");
    for tick in 0..=4 {
        let n = most * tick / 4;
        let x = across(n as f64 / most as f64);
        put(
            &mut out,
            format_args!(
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{n}</text>",
                up(0.0) + 18.0
            ),
        );
    }
    put(
        &mut out,
        format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">tasks decided</text>",
            across(0.5),
            HEIGHT - 10.0
        ),
    );
    for (at, it) in series.iter().enumerate() {
        let color = COLORS[at % COLORS.len()];
        let mut seconds = it.seconds.clone();
        seconds.sort_by(f64::total_cmp);
        let points: Vec<_> = seconds
            .iter()
            .zip(1..)
            .map(|(&time, n)| {
                format!("{:.1},{:.1}", across(f64::from(n) / most as f64), up(scale.at(time)))
            })
            .collect();
        put(
            &mut out,
            format_args!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
                points.join(" ")
            ),
        );
        let y = TOP + 16.0 * (at as f64 + 1.0);
        put(
            &mut out,
            format_args!(
                "<text x=\"{:.1}\" y=\"{y:.1}\" fill=\"{color}\">{} ({})</text>",
                LEFT + 10.0,
                escaped(&it.name),
                it.seconds.len()
            ),
        );
    }
    out + "</svg>\n"
}

/// One point a task; what one of them has not decided lies on the border.
pub fn scatter(x_name: &str, y_name: &str, pairs: &[Pair]) -> String {
    let scale = Scale::of(pairs.iter().flat_map(|it| [it.x, it.y]).flatten());
    let mut out = open();
    time_axis(&mut out, &scale, &format!("{y_name}, seconds"));
    for power in scale.low..=scale.high {
        let x = across(scale.at(10_f64.powi(power)));
        put(
            &mut out,
            format_args!(
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                up(0.0) + 18.0,
                power_of_ten(power)
            ),
        );
    }
    put(
        &mut out,
        format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}, seconds</text>",
            across(0.5),
            HEIGHT - 10.0,
            escaped(x_name)
        ),
    );
    put(
        &mut out,
        format_args!(
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#aaa\" stroke-dasharray=\"4 4\"/>",
            across(0.0),
            up(0.0),
            across(1.0),
            up(1.0)
        ),
    );
    for it in pairs {
        let part = |time: Option<f64>| time.map_or(1.0, |time| scale.at(time));
        let color = if it.x.is_some() && it.y.is_some() { COLORS[0] } else { COLORS[1] };
        put(
            &mut out,
            format_args!(
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{color}\" fill-opacity=\"0.7\"><title>{}</title></circle>",
                across(part(it.x)),
                up(part(it.y)),
                escaped(&it.task)
            ),
        );
    }
    out + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::{Pair, Series, quantile, scatter};

    #[test]
    fn a_quantile_plot_has_a_point_for_each_task_from_fast_to_slow() {
        let series = [
            Series { name: "a<b".into(), seconds: vec![10.0, 0.1, 1.0] },
            Series { name: "none".into(), seconds: Vec::new() },
        ];
        let text = quantile(&series);
        assert!(text.contains("points=\"250.0,372.0 436.0,195.0 622.0,18.0\""), "{text}");
        assert!(text.contains("a&lt;b (3)") && text.contains("none (0)"), "{text}");
        assert!(quantile(&[]).ends_with("</svg>\n"));
    }

    #[test]
    fn what_is_not_decided_lies_on_the_border() {
        let pair = |x, y| Pair { task: "t".into(), x, y };
        let text = scatter("one", "two", &[pair(Some(0.1), Some(10.0)), pair(None, Some(0.1))]);
        assert!(text.contains("cx=\"64.0\" cy=\"18.0\""), "{text}");
        assert!(text.contains("cx=\"622.0\" cy=\"372.0\""), "{text}");
    }
}
