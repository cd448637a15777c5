"""What names of elements say: one two-sided table of words that pages use in class, id, role and data-testid.

An entry is a word or several words in a row, as tokens of a name: ``related posts`` is found in ``td-related-posts``,
``relatedPosts`` and ``related_posts_2``, not in ``correlated-posts``. Its weight says how much evidence is needed
against it (see `selectors`):

3   clutter wherever the whole name says so, prose or not
2   clutter as a whole name inside the content, as part of a name outside it
1   clutter as a whole name outside the content only
-1  content: overrules what a part of a name says, unless that has weight 3
-2  content, as a whole name: overrules everything of weight 2 and less; in part, and of several words, like -1

The words are common knowledge of markup; their weights were set by how much content their bearers held on one half of
the benchmark pages and kept where the other half agreed.
"""

from __future__ import annotations

from typing import Final


def _entries(weight: int, table: str) -> dict[str, int]:
    return {entry: weight for line in table.split("\n") for part in line.split(",") if (entry := " ".join(part.split()))}


NAMES: Final[dict[str, int]] = {
    **_entries(
        3,
        """
        comments, comment list, commentlist, comment form, commentform, comments area, comments list,
        comments section, comment section, comments wrapper, comment respond, respond, disqus, disqus thread,
        disqus comments, post comments, commentaires, kommentare, comentarios, commenti, kommentarer, komentarze,
        yorumlar, kommentarii, related posts, relatedposts, related articles, related stories, related news,
        related products, related videos, related items, related reading, related topics, recommended posts,
        recommended articles, recommended products, recommended stories, you may like, you might like,
        you may also like, also like, may also like, people also, most read, most popular, most viewed, mostread,
        mostpopular, more stories, more posts, more news, more articles, popular posts, recent posts,
        recent articles, latest posts, trending posts, read next, up next, upnext, next up, recirc, recirculation,
        outbrain, taboola, cross sell, crosssell, upsell, upsells, similar products, similar items, similar posts,
        also bought, recently viewed, recommendations, articulos relacionados, noticias relacionadas,
        entradas relacionadas, articles lies, articles similaires, a lire aussi, verwandte artikel,
        aehnliche artikel, artigos relacionados, posts relacionados, articoli correlati, potrebbe interessarti,
        newsletter, newsletters, newsletter signup, newsletter form, newsletter box, newsletter block,
        newsletter subscribe, email signup, mailing list, mailchimp, mc embed signup, signup form, subscribe form,
        subscription form, subscribe box, lead magnet, infolettre, boletin, share buttons, share bar, sharebar,
        share links, share icons, share tools, share box, sharebox, share this, sharethis, addthis, addtoany,
        social share, social sharing, social icons, social buttons, social bar, post share, article share,
        sharing buttons, share post, share article, sharedaddy, sd sharing, partage, partager, teilen, compartir,
        compartilhar, condividi, follow us, followus, breadcrumb, breadcrumbs, crumbs, ariane, fil ariane,
        brotkrumen, migas, pagination, pager, paginator, pagenav, page numbers, nav links, nav previous, nav next,
        prev next, next post, previous post, next prev, post pagination, navbar, nav menu, main nav, main menu,
        megamenu, topnav, sidenav, subnav, offcanvas, off canvas, hamburger, skip link, skiplink, skip links,
        skip to content, menubar, submenu, sub menu, menu container, menu item, nav item, nav list, site footer,
        page footer, footer menu, footer nav, copyright, site info, legal footer, site header, masthead, topbar,
        top bar, header nav, sidebar, left sidebar, right sidebar, widget area, right rail, left rail,
        sidebar widget, cookie, cookies, cookie bar, cookie consent, cookieconsent, onetrust, gdpr, consent, modal,
        modals, popups, popover, lightbox, toast, snackbar, modal dialog, modal content, modal body, interstitial,
        flyout, dropdown menu, login form, signin, signin form, login, sign in, log in, register form, search form,
        searchform, search box, searchbox, search bar, searchbar, site search, advert, adverts, advertisement,
        advertisements, advertising, adsense, adslot, ad slot, ad unit, ad container, ad wrapper, ad block, ad label,
        ad placeholder, google ad, google ads, dfp, ads, ad, sponsored, sponsors, publicidad, publicite, pubblicita,
        publicidade, werbung, anzeige, reklama, author box, author bio, author card, author info, about author,
        about the author, post author box, author profile, bio box, action bar, button group, share button,
        like button, social media, reply link, comment count, comments count, readtime, view count, rating stars,
        back to top, backtotop, to top, tag cloud, tagcloud, tags list, post tags, entry tags, article tags,
        tags links, tag links, cat links, catlinks, post categories, feedback form, helpful, sort by, sortby,
        filter bar, filters, facets, facet, refinements, refinement, filter options, filter menu, gform wrapper,
        wpcf, wpforms, contact form, hs form, hbspt form, form group, form control, form field, print only,
        editsection, mw editsection, edit section, navbox, toolbar, user extras, user details, message user,
        message cell user, message signature, post signature, signature, user signature, language switcher,
        lang switcher, add to cart, addtocart, wishlist, recommended, mini cart, minicart, spinner, skeleton, no js,
        js hidden, read time, reading time, min read, post navigation, posts navigation, post nav, main navigation,
        site nav, site navigation, mega menu, footer widgets, colophon, cookie banner, cookie notice, page feedback,
        article feedback, was this helpful, cart drawer, loader
        """,
    ),
    **_entries(
        2,
        """
        share, shares, sharing, social, socials, subscribe, subscription, signup, sign up, optin, opt in, comment,
        reply form, discussion, related, related content, related links, recommends, suggestions, suggested,
        trending, popular, read more, more from, crumb, paging, nav, navs, menu, menus, footer, post footer,
        entry footer, article footer, header, topics, entry meta, post meta, article meta, post info, article info,
        meta info, meta data, entry date, post date, article date, publish date, published date, pub date,
        last updated, updated, updated date, datetime, timestamp, dateline, byline, bylines, post byline,
        article byline, author, authors, post author, article author, author meta, userinfo, member info, bio,
        biography, contributor, contributors, article header, entry header, post header, header container, side bar,
        side panel, right column, register, account, search, form, forms, field label, sort, sorting, tags, taglist,
        tag list, categories, hashtag, taxonomy, rating, ratings, stars, star rating, votes, vote, likes, dislike,
        score, review count, shares count, call to action, calltoaction, cta block, cta button, buttons, button,
        btns, credit, photo credit, image credit, image caption, alert, notification, notifications, legal,
        affiliate disclosure, visually hidden, visuallyhidden, screen reader text, hidden xs, print, audio player,
        player, jwplayer, listen, cart, basket, checkout, size chart, product form, currency, country, locale,
        language, languages, survey, poll, downloads, download, app store, edit, permalink, view all, see all,
        load more, see more, view more, more link, link list, actions, post actions, post controls, logo,
        site branding, promo, promotion, error, dialog, copyright notice, tab list, tablist, tooltip, navigation,
        overlay, backdrop, popup, quick view, quickview, feedback, filter, avatar, follow, readmore, no print,
        disclaimer, disclosure, dropdown, cta box, cta banner, is hidden, user info, author avatar, user avatar
        """,
    ),
    **_entries(
        1,
        """
        social links, date, published, tag, category, label, labels, caption, contents, meta, links, ctas, location,
        contact, address, gallery, thumbnails, podcast, cards, tiles, notice, warning, message, messages,
        brand, branding, profile, reviews, review, replies, reply, region, map, bar, rail, side, top, bottom, left,
        right, toc, table of contents, teaser, sr only, slider, carousel, d none, banner, banners, hidden, drawer,
        invisible, secondary, aside, terms, noprint, loading, compare, widget, widgets, screen reader, author name,
        cta
        """,
    ),
    **_entries(
        -1,
        """
        article text, entry body, story content, body content, content body, body text, richtext, wysiwyg, paragraph,
        accordion, faq, ingredients, instructions
        """,
    ),
    **_entries(
        -2,
        """
        article body, article content, post content, post body, entry content, story body, main content,
        page content, rich text, markdown, prose, product description, description, recipe, article, entry, story,
        main, content, text, body, markdown body, hentry, post, product, question, answer, answers, note, admonition,
        callout, takeaways, key takeaways, highlights, summary, lede, lead, intro, abstract, conclusion, quote,
        pullquote, blockquote, code, table, figure, transcript, specifications, specs, search results, results
        """,
    ),
}  # fmt: skip
"""Words of names and their weights."""

MODIFIERS: Final = frozenset(
    """article articles post posts entry page site single blog story news main global block module component section
    container wrapper wrap wrapping inner outer box area region holder group item items list content row col column
    grid flex js wp et td vc el elementor c o u l m s block desktop mobile primary the my new default standard style
    type view card layout theme shopify widget""".split()
)
"""Words of a name that leave its meaning to the rest: ``js-newsletter-wrap`` says what ``newsletter`` says."""

STATES: Final = frozenset(
    """has is with without no not hide show enable enabled disable disabled type status format category tag cat term tax
    postid page parent menu-item-type align col span order justify items self data text bg color font border""".split()
)
"""First words of names that tell a state, a value or a look, not what the element is: ``has-sidebar``, ``tag-newsletter``."""

ELEMENTS: Final[dict[str, int]] = {
    "nav": 3,
    "dialog": 3,
    "select": 3,
    "option": 3,
    "datalist": 3,
    "textarea": 3,
    "footer": 2,
    "aside": 2,
    "form": 2,
    "menu": 2,
    "fieldset": 1,
}
"""Elements whose own name says so."""

ROLES: Final[dict[str, int]] = {
    "navigation": 3,
    "search": 3,
    "dialog": 3,
    "alertdialog": 3,
    "menu": 3,
    "menubar": 3,
    "listbox": 3,
    "tooltip": 3,
    "contentinfo": 3,
    "banner": 2,
    "toolbar": 2,
    "complementary": 2,
    "alert": 2,
    "status": 2,
    "form": 2,
    "doc-backlink": 1,
    "doc-pagelist": 2,
    "main": -2,
    "article": -2,
    "note": -2,
    "doc-endnotes": -2,
    "doc-footnote": -2,
    "tabpanel": -2,
    "feed": -2,
    "math": -2,
    "table": -2,
    "figure": -2,
}
"""Roles, as whole names (WAI-ARIA 1.2, DPUB-ARIA 1.1)."""
