"""Which place of a page a fact is taken from: one table, the first place that states a usable value wins.

Places are ``kind:name``:

=========  ==================================================================================================
json-ld    a property of the JSON-LD objects about the page's text (``@graph`` and ``mainEntity`` included)
site       a property of the JSON-LD object of type WebSite
meta       a ``meta`` element's ``name``, ``property`` or ``http-equiv``: Open Graph, Twitter, Dublin Core,
           ``citation_*`` and the habits of publishing systems
itemprop   microdata, in ``meta`` or on any element
link       a ``link`` element of that relation
html       markup of HTML itself: ``title``, ``h1``, ``lang``, ``rel``
visible    what a reader sees: the byline and the dates near the headline, read by `facts`
url        the page's URL
field      another field of this table
=========  ==================================================================================================

docs/metadata.md holds the same table for readers; a test compares them.
"""

from __future__ import annotations

from typing import Final

PRECEDENCE: Final[dict[str, tuple[str, ...]]] = {
    "title": (
        "html:h1",  # the heading that agrees with what follows
        "meta:og:title",
        "meta:twitter:title",
        "html:title",
        "json-ld:headline",
        "meta:dc.title",
        "meta:dcterms.title",
        "meta:citation_title",
        "meta:parsely-title",
        "meta:sailthru.title",
        "meta:title",
    ),
    "authors": (
        "json-ld:author",
        "json-ld:creator",
        "meta:author",
        "meta:article:author",
        "meta:og:article:author",
        "meta:byl",
        "meta:parsely-author",
        "meta:sailthru.author",
        "meta:dc.creator",
        "meta:dcterms.creator",
        "meta:citation_author",
        "meta:cxenseparse:author",
        "meta:article.author",
        "meta:twitter:data1",
        "visible:byline",
    ),
    "published": (
        "json-ld:datePublished",
        "json-ld:dateCreated",
        "json-ld:uploadDate",
        "meta:article:published_time",
        "meta:og:article:published_time",
        "itemprop:datePublished",
        "meta:og:published_time",
        "meta:parsely-pub-date",
        "meta:sailthru.date",
        "meta:cxenseparse:recs:publishtime",
        "meta:datepublished",
        "meta:publishdate",
        "meta:publish-date",
        "meta:publish_date",
        "meta:publication_date",
        "meta:pubdate",
        "meta:published_at",
        "meta:published",
        "meta:published-date",
        "meta:dc.date.issued",
        "meta:dcterms.issued",
        "meta:dcterms.created",
        "meta:dc.date.created",
        "meta:dc.date",
        "meta:dcterms.date",
        "meta:citation_publication_date",
        "meta:citation_date",
        "meta:citation_online_date",
        "meta:article.published",
        "meta:article.created",
        "meta:displaydate",
        "meta:created",
        "meta:date",
        "itemprop:dateCreated",
        "visible:date",
        "url:date",
        "field:modified",
    ),
    "modified": (
        "json-ld:dateModified",
        "meta:article:modified_time",
        "meta:og:updated_time",
        "itemprop:dateModified",
        "meta:datemodified",
        "meta:dcterms.modified",
        "meta:dc.date.modified",
        "meta:article.updated",
        "meta:lastmod",
        "meta:last-modified",
        "meta:modified",
        "meta:revised",
    ),
    "site": (
        "meta:og:site_name",
        "json-ld:publisher",
        "site:name",
        "meta:application-name",
        "meta:apple-mobile-web-app-title",
        "meta:al:android:app_name",
        "meta:citation_journal_title",
        "meta:dc.publisher",
    ),
    "description": (
        "meta:description",
        "meta:og:description",
        "meta:twitter:description",
        "meta:dc.description",
        "meta:dcterms.description",
        "meta:sailthru.description",
        "itemprop:description",
        "json-ld:description",
    ),
    "language": (
        "html:lang",
        "meta:content-language",
        "meta:language",
        "meta:dc.language",
        "meta:dcterms.language",
        "meta:og:locale",
        "json-ld:inLanguage",
    ),
    "canonical": (
        "link:canonical",
        "meta:og:url",
        "json-ld:url",
        "meta:twitter:url",
    ),
    "image": (
        "meta:og:image:secure_url",
        "meta:og:image",
        "meta:og:image:url",
        "meta:twitter:image",
        "meta:twitter:image:src",
        "json-ld:image",
        "json-ld:thumbnailUrl",
        "link:image_src",
        "meta:sailthru.image.full",
        "itemprop:image",
    ),
    "licence": (
        "json-ld:license",
        "link:license",
        "html:rel-license",
        "meta:dc.rights.license",
        "meta:dcterms.license",
        "meta:dc.rights",
        "meta:dcterms.rights",
    ),
    "keywords": (
        "json-ld:keywords",
        "meta:news_keywords",
        "meta:keywords",
        "meta:article:tag",
        "meta:og:article:tag",
        "meta:parsely-tags",
        "meta:sailthru.tags",
        "meta:citation_keywords",
        "meta:dc.subject",
    ),
}
"""Fields and the places they are read from, in order."""


def names(field: str, kind: str) -> tuple[str, ...]:
    """The names of one kind of place in a field's order."""
    start = f"{kind}:"
    return tuple(place[len(start) :] for place in PRECEDENCE[field] if place.startswith(start))
