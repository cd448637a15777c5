# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The walk of stated.py in C, to the same result (see walks.py)."""

from libc.string cimport memset
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport (
    _Element,
    attributeValue,
    import_lxml__etree,
    namespacedName,
    namespacedNameFromNsName,
    pyunicode,
)
from lxml.includes.tree cimport xmlAttr, xmlNode

from mainextract_beam._nodes cimport NAMES, Known, following, slot_of, space_of

import_lxml__etree()


cdef inline str value_of(xmlNode* node, xmlAttr* attribute):
    """The value of an attribute; nearly all are one text."""
    cdef xmlNode* text = attribute.children
    if text is not NULL and text.next is NULL and text.type == tree.XML_TEXT_NODE and text.content is not NULL:
        return pyunicode(text.content)
    return attributeValue(node, attribute)


def gather(_Element top not None, set tags not None, set attributes not None, dict values not None):
    """clean.stated.gather."""
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef xmlAttr* attribute
    cdef Known known[NAMES]
    cdef Known names[NAMES]
    cdef Known* slot
    cdef list wanted = list(values.values())
    cdef dict numbers = {name: number for number, name in enumerate(values)}
    memset(known, 0, sizeof(known))
    memset(names, 0, sizeof(names))
    while True:
        if node.type == tree.XML_ELEMENT_NODE:
            slot = slot_of(known, node.name)
            if slot.name is not node.name or slot.space is not space_of(node):
                slot.name, slot.space = node.name, space_of(node)
                tags.add(namespacedName(node))
            attribute = node.properties
            while attribute is not NULL:
                if attribute.ns is not NULL:
                    attributes.add(namespacedNameFromNsName(attribute.ns.href, attribute.name))
                else:
                    slot = slot_of(names, attribute.name)
                    if slot.name is not attribute.name:
                        name = pyunicode(attribute.name)
                        attributes.add(name)
                        slot.name, slot.value = attribute.name, numbers.get(name, -1)
                    if slot.value >= 0:
                        (<set>wanted[slot.value]).add(value_of(node, attribute))
                attribute = attribute.next
            if node.children is not NULL:
                node = node.children
                continue
        node = following(node, root)
        if node is NULL:
            return
