# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""What links.py looks for in a tree, in C, to the same result (see walks.py)."""

from libc.string cimport memset, strstr
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Document, _Element, attributeValue, elementFactory, import_lxml__etree
from lxml.includes.tree cimport xmlAttr, xmlNode

from mainextract_beam._nodes cimport NAMES, Known, is_of_web, name_of, next_node, number_of, plain_value, slot_of

import_lxml__etree()


cdef bint is_absolute(xmlAttr* attribute) noexcept nogil:
    """Whether a reference is absolute, of visible ASCII characters only, and ends in no comma; or empty."""
    cdef const char* start = plain_value(attribute)
    cdef const unsigned char* byte = <const unsigned char*>start
    cdef unsigned char last = 0
    if start is NULL:
        return False
    if byte[0] == 0:
        return True
    if not is_of_web(start):
        return False
    while 0x20 < byte[0] < 0x7F:
        last = byte[0]
        byte += 1
    return byte[0] == 0 and last != c","


def references(_Element top not None, names):
    """links.references."""
    cdef _Document document = top._doc
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef xmlAttr* attribute
    cdef Known tags[NAMES]
    cdef Known attributes[NAMES]
    cdef list owned = [], spelled = [], found = []
    memset(tags, 0, sizeof(tags))
    memset(attributes, 0, sizeof(attributes))
    while node is not NULL:
        attribute = node.properties if node.type == tree.XML_ELEMENT_NODE else NULL
        if attribute is not NULL:
            own = owned[number_of(node, tags, owned, names, None)]
            if own is None:
                attribute = NULL
        while attribute is not NULL:
            name = name_of(<xmlNode*>attribute, attributes, spelled)
            if name in own and not is_absolute(attribute):
                value = attributeValue(node, attribute)
                if value:
                    found.append((elementFactory(document, node), name, value))
            attribute = attribute.next
        node = next_node(node, root)
    return found


def may_state_base(_Element top not None):
    """links.may_state_base."""
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef xmlAttr* attribute
    cdef Known known[NAMES]
    cdef Known* slot
    memset(known, 0, sizeof(known))
    while node is not NULL:
        attribute = node.properties if node.type == tree.XML_ELEMENT_NODE else NULL
        while attribute is not NULL:
            slot = slot_of(known, attribute.name)
            if slot.name is not attribute.name:
                if strstr(<const char*>attribute.name, "base") is not NULL:
                    return True
                slot.name = attribute.name
            attribute = attribute.next
        node = next_node(node, root)
    return False
