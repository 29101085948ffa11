//! Pictures without a drawing program: graphs in layers, quantile and scatter plots, written as SVG.
//!
//! Reading order: [`layered`] places the nodes of a graph, [`graph`] draws them, [`plot`] draws measurements.

pub mod graph;
pub mod layered;
pub mod plot;
mod svg;
