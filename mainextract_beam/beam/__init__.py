"""Sources, transforms and sinks on Apache Beam. It moves pages and documents and holds no rule of extraction."""
