"""The Beam layer: sources, transforms and sinks; no extraction rule lives here."""
