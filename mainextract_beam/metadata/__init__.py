"""What a page says about itself: title, authors, dates, site, and the rest of its metadata."""
