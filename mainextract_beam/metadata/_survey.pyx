# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The walks of survey.py in C, to the same result (see walks.py)."""

from libc.string cimport memset, strstr
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport (
    _Document,
    _Element,
    elementFactory,
    import_lxml__etree,
    tailOf,
    textOf,
)
from lxml.includes.tree cimport xmlNode

from mainextract_beam._nodes cimport NAMES, Known, is_among, is_element, is_text, next_node, normal

cdef extern from "string.h":
    size_t strnlen(const char* text, size_t most)

import_lxml__etree()


def texts(_Element top not None, without, Py_ssize_t most, Py_ssize_t whole):
    """survey.texts.

    Args:
        top: see there.
        without: see there.
        most: see there.
        whole: see there.
    """
    cdef _Document document = top._doc
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef Known known[NAMES]
    cdef list found = []
    cdef bint tail
    cdef str text
    memset(known, 0, sizeof(known))
    while node is not NULL:
        if node.type == tree.XML_ELEMENT_NODE and not is_among(node, known, without):
            for tail in range(1 if node is root else 2):
                text = tailOf(node) if tail else textOf(node)
                if text is not None:
                    text = normal(text)
                    if text:
                        found.append((elementFactory(document, node), text))
                        whole -= len(text)
            if len(found) >= most or whole <= 0:
                break
        node = next_node(node, root)
    return found


def holding(_Element top not None, pieces, size_t longest):
    """survey.holding."""
    cdef _Document document = top._doc
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef xmlNode* first
    cdef list found = [], wanted = [piece.encode() for piece in pieces]
    cdef bint tail
    while node is not NULL:
        if is_element(node):
            for tail in range(2):
                first = node.next if tail else node.children if node.type == tree.XML_ELEMENT_NODE else NULL
                if first is not NULL and is_text(first) and may_hold(first, wanted, 4 * longest):
                    text = tailOf(node) if tail else textOf(node)
                    if text and len(text) <= longest and any([piece in text for piece in pieces]):
                        found.append((elementFactory(document, node), tail, text))
        node = next_node(node, root)
    return found


cdef bint may_hold(xmlNode* first, list pieces, size_t longest) except -1:
    """Whether a text may be of so many bytes at most and hold one of the pieces."""
    if first.next is not NULL and is_text(first.next):
        return True
    if first.content is NULL or strnlen(<const char*>first.content, longest + 1) > longest:
        return False
    for piece in pieces:
        if strstr(<const char*>first.content, <bytes>piece) is not NULL:
            return True
    return False
