# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""What patterns.py asks of every line of a page, in C, to the same result (see walks.py)."""

from libc.string cimport memset
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Document, _Element, elementFactory, import_lxml__etree, pyunicode
from lxml.includes.tree cimport const_xmlChar, xmlNode

from mainextract_beam._nodes cimport (
    NAMES,
    Known,
    bits_of,
    collapsed,
    has_content,
    is_element,
    next_node,
)
from mainextract_beam._nodes cimport normal as normalized

import_lxml__etree()

# What patterns.py says of a tag, as bits.
cdef enum:
    LEAF = 1  # may be a line
    BLOCK = 2
    LINK = 4


cdef str text_of(_Document document, xmlNode* root, object text_of_element):
    cdef xmlNode* node = root
    cdef list parts = []
    while node is not NULL:
        if has_content(node):
            parts.append(pyunicode(<const_xmlChar*>node.content))
        elif node.type == tree.XML_ENTITY_REF_NODE:
            return text_of_element(elementFactory(document, root))
        node = next_node(node, root)
    return normalized(parts[0] if len(parts) == 1 else "".join(parts))


def lines(_Element top not None, flags, text_of_element):
    """patterns.lines.

    Args:
        top: an element.
        flags: what is known of each tag, as bits; see the enumeration above.
        text_of_element: walk.text_of, for elements that hold entity references.
    """
    cdef _Document document = top._doc
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef xmlNode* inner
    cdef Known known[NAMES]
    cdef bint bare
    cdef Py_ssize_t linked
    cdef str text
    cdef list found = []
    memset(known, 0, sizeof(known))
    while node is not NULL:
        if node is root or bits_of(node, known, flags) & LEAF:
            bare = True  # holds text and nothing else
            inner = node.children
            while inner is not NULL and not bits_of(inner, known, flags) & BLOCK:
                bare = bare and not is_element(inner)
                inner = inner.next
            text = text_of(document, node, text_of_element) if inner is NULL else ""
            if text:
                linked = 0
                inner = NULL if bare else node
                while inner is not NULL:
                    if bits_of(inner, known, flags) & LINK:
                        linked += len(text_of(document, inner, text_of_element))
                    inner = next_node(inner, node)
                found.append((elementFactory(document, node), text, linked))
        node = next_node(node, root)
    return found


cdef bint is_no_letter(unsigned int character) noexcept:
    cdef Py_UCS4 letter = character
    return not (letter.isalpha() or (letter.isnumeric() and not letter.isdecimal()))


def normal(str text not None):
    """patterns.normal."""
    return collapsed(text.casefold(), is_no_letter)
