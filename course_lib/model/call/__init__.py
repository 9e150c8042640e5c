"""The three encode calls as values: their arguments, sizes and 128 bytes, and the arrays behind them."""
