"""The Apache Beam layer: elements, sources, transforms and sinks.

It moves pages and documents and holds no extraction rule.
"""
