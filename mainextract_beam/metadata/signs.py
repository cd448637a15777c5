"""The tables of signs by which a page's kind is told: words in names, in paths and in hosts, and points."""

from __future__ import annotations

from typing import Final, NamedTuple

KINDS: Final = ("article", "forum", "product", "collection", "listing", "documentation", "service")
"""The kinds of pages."""


class Sign(NamedTuple):
    """A sign: its name, what it says in words, and its points for each of KINDS."""

    name: str
    reason: str
    points: tuple[float, ...]


# Stems in class names and ids, by family.
NAMES: Final = {
    "user": "user avatar member signature",
    "post": "post",
    "forum": "forum thread topic discussion bbs board",
    "reply": "reply replies answer quote vote",
    "comment": "comment",
    "author": "author byline",
    "article": "article entry blog",
    "share": "share sharing social",
    "related": "related",
    "excerpt": "excerpt teaser headline",
    "archive": "archive category taxonomy",
    "price": "price pricing",
    "product": "product sku",
    "cart": "cart basket checkout atc",
    "buy": "buy quantity qty stock shipping delivery",
    "review": "review rating star",
    "filter": "filter facet refine sort",
    "grid": "grid plp",
    "pager": "pagination pager",
    "card": "card tile",
    "toc": "toc",
    "docs": "docs documentation apidoc sphinx docusaurus mdbook",
    "code": "highlight codehilite syntax prism hljs copybutton headerlink",
    "sidebar": "sidebar",
    "admonition": "admonition callout note warning",
    "hero": "hero jumbotron",
    "offer": "testimonial cta client partner trusted",
    "service": "service solution feature plan",
    "contact": "contact phone",
    "slider": "slider carousel swiper slick",
    "home": "home frontpage landing",
    "faq": "faq accordion",
}

# Words in the steps of a URL's path.
PATHS: Final = {
    "forum": "forum forums forumdisplay viewtopic showthread thread threads topic topics t discussion discussions "
    "question questions community communities board boards comments answers qa viewthread",
    "product": "product products p dp pd item items itm sku prod pdp app ip",
    "collection": "collection collections shop category categories c cat browse catalog store all",
    "listing": "category categories tag tags topic topics archive archives section author recipes latest",
    "news": "news blog blogs article articles post posts story stories",
    "docs": "docs doc documentation manual reference api guide guides tutorial tutorials wiki man library latest stable spec",
    "service": "services service pricing solutions platform plans contact locations location company about features",
}

# Words in the labels of a host.
HOSTS: Final = {
    "forum": "forum forums community communities discuss discussions board boards answers bbs",
    "docs": "docs doc developer developers documentation manual wiki api man",
    "shop": "shop store boutique",
}


def _sign(name: str, reason: str, **points: float) -> Sign:
    return Sign(name, reason, tuple(points.get(kind, 0.0) for kind in KINDS))


# Points of every kind before any sign is looked at, in the order of KINDS.
BIAS: Final = (-1.5, -0.2, -1.1, -0.9, 1.9, 0.4, 1.4)
# The weights of a logistic regression (L1) over the pages of one half of the sites, rounded to a tenth: benchmarks/kinds.py --fit
SIGNS: Final[tuple[Sign, ...]] = (
    _sign("card-area", "much of it is elements of many alike", article=-1.1),
    _sign("cards", "an element of many alike", article=-0.2, listing=0.4),
    _sign("code", "code", documentation=2.9),
    _sign("content-ends", "much of the content ends its sentences", listing=-1.3, service=0.1),
    _sign("content-heads", "many headings in the content", forum=-1.8, service=0.6),
    _sign("content-linked", "much of the content is links", collection=2.8, listing=3),
    _sign("content-linked-heads", "many headings in the content are links", listing=0.8, service=-0.7),
    _sign("content-prices", "prices in the content", product=-0.2, collection=1.6),
    _sign("date-near", "a date near the main heading", article=1.2, service=-0.1),
    _sign("dates", "many dates", listing=1),
    _sign("few-prices", "a few prices", collection=-0.2, listing=0.8, service=0.5),
    _sign("headings-2", "many headings of level 2", article=1),
    _sign("headings-3", "many headings of level 3", article=0.3, listing=-0.4, service=0.8),
    _sign("home", "the front page of its site", article=-0.3, collection=0.1, listing=0.1, service=0.5),
    _sign("host-docs", "the host is one of documentation", documentation=3.8),
    _sign("host-forum", "the host is one of forums", forum=3.7),
    _sign("host-shop", "the host is one of shops", collection=0.8),
    _sign("image-rate", "many images beside its text", collection=1.3),
    _sign("last-collection", "the last step of the URL speaks of shops and categories", listing=0.5),
    _sign("last-forum", "the last step of the URL speaks of forums", product=2.1, service=-0.4),
    _sign("last-service", "the last step of the URL speaks of services", service=0.3),
    _sign("name-admonition", "class names of admonitions", service=-0.8),
    _sign("name-archive", "class names of archives and categories", service=-0.4),
    _sign("name-article", "class names of articles and entries", article=1.1, collection=-0.2),
    _sign("name-author", "class names of authors", article=2.3),
    _sign("name-buy", "class names of buying and stock", article=0.6, product=2.5),
    _sign("name-card", "class names of cards", product=-0.9, listing=0.7, service=0.1),
    _sign("name-cart", "class names of carts", product=1, collection=1.1, service=-0.6),
    _sign("name-code", "class names of highlighted code", collection=-1.8),
    _sign("name-comment", "class names of comments", forum=0.4),
    _sign("name-contact", "class names of contact details", listing=-1.8, service=1.3),
    _sign("name-docs", "class names of documentation", documentation=0.5),
    _sign("name-excerpt", "class names of excerpts and teasers", listing=1.5, service=-0.4),
    _sign("name-faq", "class names of questions and accordions", listing=0.2, service=1.6),
    _sign("name-filter", "class names of filters and sorting", collection=0.5, listing=0.8, service=-0.4),
    _sign("name-forum", "class names of forums and threads", forum=1.1),
    _sign("name-grid", "class names of grids", article=0.1, forum=-0.4, listing=-1.6, service=0.1),
    _sign("name-hero", "class names of hero sections", article=0.3, service=1.3),
    _sign("name-offer", "class names of testimonials and calls to action", service=0.2),
    _sign("name-pager", "class names of pagers", article=-0.8),
    _sign("name-post", "class names of posts", forum=0.6),
    _sign("name-price", "class names of prices", article=-0.1, product=1.6, collection=0.1),
    _sign("name-product", "class names of products", collection=2.6),
    _sign("name-related", "class names of related pages", collection=-1.1, service=-1.3),
    _sign("name-reply", "class names of replies and votes", forum=3.3),
    _sign("name-review", "class names of reviews and ratings", product=1.3),
    _sign("name-service", "class names of services and features", service=0.3),
    _sign("name-share", "class names of sharing", forum=-0.3, documentation=-1.2, service=0.1),
    _sign("name-sidebar", "class names of sidebars", documentation=0.2),
    _sign("name-slider", "class names of sliders", product=0.8, collection=1.5, service=0.1),
    _sign("name-toc", "class names of tables of contents", documentation=3.6, service=-0.3),
    _sign("name-user", "class names of users and avatars", article=-1, forum=1.4),
    _sign("one-region", "one region holds most of its text", article=0.8, product=-0.6, service=-1.8),
    _sign("page-home", "the page itself is named for home pages", article=0.6, listing=-0.1),
    _sign("page-images", "many images", documentation=-1),
    _sign("page-product", "the page itself is named for products", listing=0.8),
    _sign("path-collection", "the URL lies under a step of shops and categories", collection=1.8, listing=0.8, service=-1),
    _sign("path-docs", "the URL lies under a step of documentation", documentation=2.9),
    _sign("path-forum", "the URL lies under a step of forums", forum=2.2, collection=1.6, listing=-0.2),
    _sign("path-listing", "the URL lies under a step of categories and archives", collection=0.6),
    _sign("path-news", "the URL lies under a step of blogs and news", article=1.4),
    _sign("path-product", "the URL lies under a step of products", product=2.8),
    _sign("path-service", "the URL lies under a step of services", service=2),
    _sign("price-near", "a price near the main heading", article=-0.1, product=2.1, collection=0.1),
    _sign("price-rate", "many of its blocks state a price", collection=1.1),
    _sign("prices", "many prices", collection=0.7, listing=-0.2),
    _sign("region-purity", "its prose stands together", article=2),
    _sign("says-article", "says it is an article", article=0.8, collection=-0.1, service=-0.1),
    _sign("says-business", "says it is a business or an organisation", listing=0.9, service=0.6),
    _sign("says-list", "says it is a list or a collection", article=0.6, listing=0.7),
    _sign("says-product", "says it is a product or an offer", article=-0.8, product=2, listing=-1.8, service=0.2),
    _sign("says-website", "says it is a website", article=-0.5, product=0.1, collection=-0.4),
    _sign("tags-button", "many buttons", service=-1),
    _sign("tags-details", "many disclosures", listing=-0.9),
    _sign("tags-form", "many forms", listing=0.1, service=-0.7),
    _sign("tags-item", "many list items", forum=-0.2, listing=-0.1, service=0.4),
    _sign("tags-p", "many paragraphs", article=0.8, listing=-0.6),
    _sign("url-digits", "the URL ends in a number", article=0.4, forum=2.1, product=1.5, service=-0.7),
    _sign("url-file", "the URL ends in a file name", listing=-0.3, documentation=0.6),
    _sign("url-words", "the URL ends in a title of many words", article=3.7, product=0.5),
)
