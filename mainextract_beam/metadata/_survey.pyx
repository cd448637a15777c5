# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The walks of survey.py in C, to the same result (see walks.py)."""

from libc.stdlib cimport calloc, free
from libc.string cimport memset, strstr
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport (
    _Document,
    _Element,
    attributeValue,
    elementFactory,
    import_lxml__etree,
    namespacedName,
    pyunicode,
    tailOf,
    textOf,
)
from lxml.includes.tree cimport xmlAttr, xmlNode

from mainextract_beam._nodes cimport NAMES, Known, following, is_element, is_text, normal, slot_of, space_of

cdef extern from "string.h":
    size_t strnlen(const char* text, size_t most)

import_lxml__etree()

# What a value may hold, with the bits of that; NULL ends the pieces of an attribute.
cdef struct Piece:
    const char* text
    int bits


cdef int bits_of(xmlNode* node, xmlAttr* attribute, Piece* piece) except -1:
    """The bits of the pieces that the value of an attribute holds."""
    cdef xmlNode* first = attribute.children
    cdef const char* value = b""
    cdef int bits = 0
    if first is not NULL:
        if first.next is NULL and first.type == tree.XML_TEXT_NODE:
            if first.content is not NULL:
                value = <const char*>first.content
        else:
            whole = attributeValue(node, attribute).encode()
            value = whole
    while piece.text is not NULL:
        if strstr(value, piece.text) is not NULL:
            bits |= piece.bits
        piece += 1
    return bits


def stating(_Element top not None, tags, values):
    """survey.stating."""
    cdef _Document document = top._doc
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef xmlAttr* attribute
    cdef Known known[NAMES]
    cdef Known names[NAMES]
    cdef Known* slot
    cdef Piece* pieces
    cdef int bits, count = 1  # the first piece is none: what attributes have that are not looked for
    cdef list found = [], kept = []
    cdef dict starts = {}
    memset(known, 0, sizeof(known))
    memset(names, 0, sizeof(names))
    pieces = <Piece*>calloc(1 + sum([len(held) + 1 for held in values.values()]), sizeof(Piece))
    if pieces is NULL:
        raise MemoryError()
    try:
        for name, held in values.items():
            starts[name] = count
            for text, number in held.items():
                kept.append(text.encode())
                pieces[count].text, pieces[count].bits = <bytes>kept[len(kept) - 1], number
                count += 1
            count += 1
        while True:
            if node.type == tree.XML_ELEMENT_NODE:
                slot = slot_of(known, node.name)
                if slot.name is not node.name or slot.space is not space_of(node):
                    slot.name, slot.space, slot.value = node.name, space_of(node), tags.get(namespacedName(node), 0)
                bits = slot.value
                attribute = node.properties
                while attribute is not NULL:
                    if attribute.ns is NULL:
                        slot = slot_of(names, attribute.name)
                        if slot.name is not attribute.name:
                            slot.name, slot.value = attribute.name, starts.get(pyunicode(attribute.name), 0)
                        if slot.value:
                            bits |= bits_of(node, attribute, &pieces[slot.value])
                    attribute = attribute.next
                if bits:
                    found.append((elementFactory(document, node), bits))
                if node.children is not NULL:
                    node = node.children
                    continue
            node = following(node, root)
            if node is NULL:
                return found
    finally:
        free(pieces)


def texts(_Element top not None, without, Py_ssize_t most, Py_ssize_t whole, normalize):
    """survey.texts.

    Args:
        top: see there.
        without: see there.
        most: see there.
        whole: see there.
        normalize: text.normalize.
    """
    cdef _Document document = top._doc
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef Known known[NAMES]
    cdef Known* slot
    cdef list found = []
    cdef bint tail
    cdef str text
    memset(known, 0, sizeof(known))
    while True:
        if node.type == tree.XML_ELEMENT_NODE:
            slot = slot_of(known, node.name)
            if slot.name is not node.name or slot.space is not space_of(node):
                slot.name, slot.space, slot.value = node.name, space_of(node), namespacedName(node) in without
            if not slot.value:
                for tail in range(1 if node is root else 2):
                    text = tailOf(node) if tail else textOf(node)
                    if text is not None:
                        text = normal(text, normalize)
                        if text:
                            found.append((elementFactory(document, node), text))
                            whole -= len(text)
                if len(found) >= most or whole <= 0:
                    return found
            if node.children is not NULL:
                node = node.children
                continue
        node = following(node, root)
        if node is NULL:
            return found


def holding(_Element top not None, pieces, size_t longest):
    """survey.holding."""
    cdef _Document document = top._doc
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef xmlNode* first
    cdef list found = [], wanted = [piece.encode() for piece in pieces]
    cdef bint tail
    while True:
        if is_element(node):
            for tail in range(2):
                first = node.next if tail else node.children if node.type == tree.XML_ELEMENT_NODE else NULL
                if first is not NULL and is_text(first) and may_hold(first, wanted, 4 * longest):
                    text = tailOf(node) if tail else textOf(node)
                    if text and len(text) <= longest and any([piece in text for piece in pieces]):
                        found.append((elementFactory(document, node), tail, text))
            if node.type == tree.XML_ELEMENT_NODE and node.children is not NULL:
                node = node.children
                continue
        node = following(node, root)
        if node is NULL:
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
