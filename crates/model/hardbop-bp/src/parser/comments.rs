//! Giving each comment to a node, in the order of the text.
//!
//! A comment belongs to the declaration, procedure or statement it stands before or inside of; one
//! that begins on the line where a node ends belongs to that node. None is lost: what no node took
//! goes to the next that asks.

use crate::ast::{Comment, Notes};

use super::Parser;

impl Parser<'_> {
    /// The comments not yet given away that stand before the word at hand.
    pub(super) fn comments_here(&mut self) -> Vec<Comment> {
        self.comments_before(self.at)
    }

    /// The same for what the formatter sets off by a blank line itself.
    pub(super) fn comments_above(&mut self) -> Vec<Comment> {
        let mut comments = self.comments_here();
        let n_blank = comments.iter().take_while(|comment| comment.text.is_empty()).count();
        comments.drain(..n_blank);
        comments
    }

    /// Those that stand before the word just read; blank lines inside of a node are none of its own.
    pub(super) fn comments_inside(&mut self) -> Vec<Comment> {
        let mut comments = self.comments_before(self.at.saturating_sub(1));
        comments.retain(|comment| !comment.text.is_empty());
        comments
    }

    fn comments_before(&mut self, at: usize) -> Vec<Comment> {
        let n = self.comments.iter().take_while(|comment| comment.before <= at).count();
        let (now, later) = self.comments.split_at(n);
        self.comments = later;
        let text = self.text;
        now.iter().map(|raw| Comment { text: text[raw.span.range()].trim_end().into() }).collect()
    }

    /// Ends a node whose last word was just read: takes the comments inside it and the one behind.
    pub(super) fn notes(&mut self, mut before: Vec<Comment>) -> Notes {
        before.extend(self.comments_inside());
        let behind = self.comments.first().filter(|it| it.before == self.at && it.trails);
        let after =
            behind.map(|raw| Comment { text: self.text[raw.span.range()].trim_end().into() });
        if after.is_some() {
            self.comments = &self.comments[1..];
        }
        Notes { before, after }
    }
}
