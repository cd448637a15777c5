# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The walk of evidence.py in C, to the same result (see walks.py)."""

from libc.string cimport memset
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport (
    _Document,
    _Element,
    attributeValue,
    elementFactory,
    import_lxml__etree,
    namespacedName,
    pyunicode,
)
from lxml.includes.tree cimport xmlAttr, xmlNode

from mainextract_beam._nodes cimport NAMES, Known, following, slot_of, space_of

import_lxml__etree()


def telling(_Element top not None, tags, attributes):
    """clean.evidence.telling."""
    cdef _Document document = top._doc
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef xmlAttr* attribute
    cdef Known known[NAMES]
    cdef Known names[NAMES]
    cdef Known* slot
    cdef list readers = list(attributes.values())
    cdef dict places = {name: place for place, name in enumerate(attributes)}
    cdef int bits
    cdef list found = []
    memset(known, 0, sizeof(known))
    memset(names, 0, sizeof(names))
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
                        slot.name, slot.value = attribute.name, places.get(pyunicode(attribute.name), -1)
                    if slot.value >= 0:
                        bits |= readers[slot.value][attributeValue(node, attribute)]
                attribute = attribute.next
            if bits:
                found.append((elementFactory(document, node), bits))
            if node.children is not NULL:
                node = node.children
                continue
        node = following(node, root)
        if node is NULL:
            return found
