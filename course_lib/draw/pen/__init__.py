"""The only place that spells SVG."""
