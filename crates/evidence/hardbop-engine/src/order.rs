//! Variable orders by name.

use std::fmt;
use std::str::FromStr;

/// The order of variables in the diagrams an engine begins with. The answer is the same with each; a bad one
/// costs time until a better one is found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    /// Variables that meet in statements are neighbours.
    Force,
    /// As declared.
    Declared,
    /// The last one declared first.
    Reversed,
    /// Shuffled by a seed.
    Random(u64),
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Order::Force => f.pad("force"),
            Order::Declared => f.pad("declared"),
            Order::Reversed => f.pad("reversed"),
            Order::Random(seed) => write!(f, "random:{seed}"),
        }
    }
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let seed = text.strip_prefix("random:").and_then(|seed| seed.parse().ok());
        match text {
            "force" => Ok(Order::Force),
            "declared" => Ok(Order::Declared),
            "reversed" => Ok(Order::Reversed),
            _ => seed.map(Order::Random).ok_or_else(|| {
                "there is no such order; there are force, declared, reversed, random:SEED".into()
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn names_are_read_back() {
        for order in [Order::Force, Order::Declared, Order::Reversed, Order::Random(7)] {
            assert_eq!(order.to_string().parse(), Ok(order));
        }
        assert!("random:".parse::<Order>().is_err());
        assert!("random".parse::<Order>().is_err());
    }
}
