# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The walk of sanitize.py in C, to the same result (see walks.py)."""

from libc.string cimport memset
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Document, _Element, elementFactory, import_lxml__etree, pyunicode
from lxml.includes.tree cimport const_xmlChar, xmlAttr, xmlNode

from mainextract_beam._nodes cimport NAMES, Known, bits_of, is_of_web, plain_value

import_lxml__etree()

cdef enum:  # sanitize._verdict
    LOOK, SAFE, SAFE_IF_HARMLESS, EMPTY, PICTURE


# What is known of an attribute on elements of one name; see Known.
cdef struct Pair:
    const_xmlChar* element
    const_xmlChar* name
    int verdict


cdef bint is_harmless(xmlAttr* attribute) noexcept nogil:
    """Whether a URL begins with one of sanitize._HARMLESS."""
    cdef const char* url = plain_value(attribute)
    return url is not NULL and (url[0] == c"#" or url[0] == c"/" or url[0] == c"?" or is_of_web(url))


cdef bint is_safe(xmlNode* node, int kind, Pair* pairs, object verdict) except -1:
    """Whether an element that may stay needs no look at its attributes and at what it holds."""
    cdef xmlAttr* attribute = node.properties
    cdef Pair* pair
    cdef bint leads = False
    if (kind == EMPTY or kind == PICTURE) and node.children is not NULL:
        return False
    while attribute is not NULL:
        if attribute.ns is not NULL:
            return False
        pair = &pairs[(<size_t>node.name >> 3 ^ <size_t>attribute.name >> 2) & (NAMES - 1)]
        if pair.element is not node.name or pair.name is not attribute.name:
            pair.element, pair.name = node.name, attribute.name
            pair.verdict = verdict(pyunicode(node.name), pyunicode(attribute.name))
        if pair.verdict == LOOK or (pair.verdict == SAFE_IF_HARMLESS and not is_harmless(attribute)):
            return False
        leads = leads or pair.verdict == SAFE_IF_HARMLESS
        attribute = attribute.next
    return leads or kind != PICTURE


def in_question(_Element top not None, kinds, verdict):
    """sanitize._in_question.

    Args:
        top: see there.
        kinds: what is known of an element by its tag, as the enumeration above says; nothing of one that has to be looked at.
        verdict: what is known of an attribute by the element's name and its own, another of it.
    """
    cdef _Document document = top._doc
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef xmlNode* outer = NULL  # whose inner elements are all in question
    cdef Known known[NAMES]
    cdef int kind = LOOK
    cdef Pair pairs[NAMES]
    cdef list found = []
    memset(known, 0, sizeof(known))
    memset(pairs, 0, sizeof(pairs))
    while True:
        if node.type == tree.XML_ELEMENT_NODE:
            if outer is NULL:
                kind = bits_of(node, known, kinds)
                if kind == LOOK:
                    outer = node
            if outer is not NULL or not is_safe(node, kind, pairs, verdict):
                found.append(elementFactory(document, node))
            if node.children is not NULL:
                node = node.children
                continue
        while True:
            if node is outer:
                outer = NULL
            if node is root:
                return found
            if node.next is not NULL:
                break
            node = node.parent
        node = node.next
