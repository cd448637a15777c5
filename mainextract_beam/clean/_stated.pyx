# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The walk of stated.py in C, to the same result (see walks.py)."""

from libc.string cimport memset
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element, attributeValue, import_lxml__etree, pyunicode
from lxml.includes.tree cimport const_xmlChar, xmlAttr, xmlNode

from mainextract_beam._nodes cimport NAMES, Known, name_of, next_node, place_of, plain_value

import_lxml__etree()


def gather(_Element top not None, set tags not None, set attributes not None, dict values not None):
    """clean.stated.gather."""
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef xmlAttr* attribute
    cdef Known known[NAMES]
    cdef Known names[NAMES]
    cdef Known numbers[NAMES]
    cdef const char* value
    cdef int place
    cdef list wanted = list(values.values()), elements = [], spelled = []
    cdef dict places = {name: place for place, name in enumerate(values)}
    memset(known, 0, sizeof(known))
    memset(names, 0, sizeof(names))
    memset(numbers, 0, sizeof(numbers))
    while node is not NULL:
        if node.type == tree.XML_ELEMENT_NODE:
            name_of(node, known, elements)
            attribute = node.properties
            while attribute is not NULL:
                name_of(<xmlNode*>attribute, names, spelled)
                place = place_of(attribute, numbers, places)
                if place >= 0:
                    value = plain_value(attribute)
                    (<set>wanted[place]).add(attributeValue(node, attribute) if value is NULL else pyunicode(<const_xmlChar*>value))
                attribute = attribute.next
        node = next_node(node, root)
    tags.update(elements)
    attributes.update(spelled)
