"""Main content of crawled X/HTML pages, one page at a time or a crawl on Apache Beam."""
