# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""What normalize.py finds out before it changes a tree, in C (see walks.py): most of it needs no thought."""

from cpython.unicode cimport Py_UNICODE_ISSPACE
from libc.stdlib cimport free, realloc
from libc.string cimport memset, strcmp
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport (
    _Document,
    _Element,
    attributeValue,
    elementFactory,
    findChildForwards,
    import_lxml__etree,
    previousElement,
)
from lxml.includes.tree cimport xmlAttr, xmlNode

from mainextract_beam._nodes cimport (
    NAMES,
    Known,
    has_content,
    is_of_web,
    is_text,
    is_white,
    next_character,
    number_of,
    plain_value,
)

import_lxml__etree()

# See normalize.py, as for what is known of tags.
cdef enum:
    BLOCK, INLINE, BREAK, NOTHING
    AMOUNT = 3
    UNWRAP = 4
    EMPTY = 8
    ASK = 16
    UNSURE = 32
    LINK = 64
    SPECIAL = 128
    LINE = 256
    KNOWN = 512
    FLAGS = 10  # bits to the right of the flags

    OF_TAG = 8  # where what is known of the tag itself stands
    CLOSED_UP = 1
    IS_BLOCK = 2
    PARTS = 4
    HOLDS = 8

# An element whose beginning the walk, which goes backwards, has not come to.
cdef struct Open:
    xmlNode* node
    bint inline, block, chain, after_break
    bint asks
    size_t closed  # how many were closed before what it holds


cdef struct Closed:
    xmlNode* node
    int amount


cdef bint says_something(xmlNode* node, xmlNode* end, bint tail) except -1:
    """Whether the text of the nodes from one up to another is more than white space; ``tail``: whether to Python's mind, too."""
    cdef const unsigned char* byte
    cdef unsigned int character
    cdef bint visible = False, python = not tail
    while node is not end:
        if has_content(node):
            byte = <const unsigned char*>node.content
            while byte[0]:
                character = next_character(&byte)
                visible = visible or not is_white(character)
                python = python or not Py_UNICODE_ISSPACE(character)
                if visible and python:
                    return True
        node = node.next
    return False


cdef bint leads_somewhere(xmlNode* link) noexcept nogil:
    """Whether a link surely leads somewhere and is known by no name."""
    cdef xmlAttr* attribute = link.properties
    cdef const char* start
    cdef bint leads = False
    while attribute is not NULL:
        if attribute.ns is NULL:
            if strcmp(<const char*>attribute.name, "name") == 0:
                return False
            if strcmp(<const char*>attribute.name, "href") == 0:
                start = plain_value(attribute)
                leads = start is not NULL and (start[0] == c"/" or is_of_web(start))
        attribute = attribute.next
    return leads


cdef bint says_who(xmlNode* element, object targets) except -1:
    """Whether an element states a language or direction, or an id that links lead to."""
    cdef xmlAttr* attribute = element.properties
    cdef const char* name
    while attribute is not NULL:
        if attribute.ns is NULL:
            name = <const char*>attribute.name
            if strcmp(name, "lang") == 0 or strcmp(name, "dir") == 0:
                return True
            if targets and strcmp(name, "id") == 0 and attributeValue(element, attribute) in targets:
                return True
        attribute = attribute.next
    return False


cdef class Outcomes:
    """What comes of elements by their tags."""

    cdef Known known[NAMES]
    cdef list seen
    cdef object by_tag, default

    def __cinit__(self, by_tag, default):
        self.seen, self.by_tag, self.default = [], by_tag, default
        memset(self.known, 0, sizeof(self.known))

    cdef int get(self, xmlNode* element, int which) except -1:
        return (<tuple>self.seen[number_of(element, self.known, self.seen, self.by_tag, self.default)])[which]

    cdef bint leaves_gap(self, xmlNode* element) except -1:
        """Whether text may stand before an element, as it is or outside of the line the element stands in."""
        cdef xmlNode* before = previousElement(element)
        if says_something(element.parent.children if before is NULL else before.next, element, False):
            return True
        if before is NULL:
            return not self.get(element.parent, OF_TAG) & PARTS
        return before.type != tree.XML_ELEMENT_NODE or not self.get(before, OF_TAG) & IS_BLOCK

    cdef int of(self, Open* element, _Document document, object special, object targets) except -1:
        """What comes of an element, by what it holds."""
        cdef xmlNode* node = element.node
        cdef int flags = element.inline | element.block << 1 | element.chain << 2
        cdef int outcome
        if element.asks:
            return ASK | UNSURE
        outcome = self.get(node, flags)
        if outcome & SPECIAL and special and elementFactory(document, node) in special:
            outcome |= ASK | UNSURE
        elif outcome & EMPTY and self.leaves_gap(node):
            outcome |= ASK | UNSURE
        elif outcome & EMPTY and findChildForwards(node, 0) is not NULL:
            outcome |= ASK
        elif outcome & (UNWRAP | EMPTY) and says_who(node, targets):
            outcome |= ASK
        elif outcome & LINK and not leads_somewhere(node):
            outcome |= ASK
        elif outcome & LINE and not self.get(node.parent, OF_TAG) & HOLDS:
            outcome |= UNSURE
        return outcome | KNOWN | flags << FLAGS if outcome & ASK else outcome


def undecided(_Element top not None, outcomes, default, special, targets):
    """normalize._undecided, without the elements that stay as they are whatever becomes of others.

    Args:
        top: see there.
        outcomes: what comes of an element, by tag, then by what it holds.
        default: the same for all other tags.
        special: see there.
        targets: see there.
    """
    cdef _Document document = top._doc
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef xmlNode* start
    cdef Outcomes known = Outcomes(outcomes, default)
    cdef Open* opened = NULL
    cdef Open* parent
    cdef Closed* closed = NULL
    cdef size_t open_count = 0, open_room = 0, closed_count = 0, closed_room = 0, index
    cdef int outcome
    cdef void* wider
    cdef list found = []
    cdef dict amounts = {}
    if root.type != tree.XML_ELEMENT_NODE:
        return found, amounts
    try:
        while True:
            if node is not NULL and node.type == tree.XML_ELEMENT_NODE:
                if open_count == open_room:
                    open_room = 2 * open_room or 64
                    wider = realloc(opened, open_room * sizeof(Open))
                    if wider is NULL:
                        raise MemoryError()
                    opened = <Open*>wider
                parent = &opened[open_count]
                open_count += 1
                memset(parent, 0, sizeof(Open))
                parent.node, parent.closed, parent.asks = node, closed_count, node is root
                node = NULL if known.get(node, OF_TAG) & CLOSED_UP else node.last
            elif node is not NULL and is_text(node):
                start = node
                while start.prev is not NULL and is_text(start.prev):
                    start = start.prev
                if says_something(start, node.next, start.prev is not NULL):
                    opened[open_count - 1].inline = True
                    opened[open_count - 1].after_break = False
                node = start.prev
            elif node is not NULL:
                node = node.prev
            else:
                # The beginning of the innermost open element.
                open_count -= 1
                parent = &opened[open_count]
                node = parent.node
                outcome = known.of(parent, document, special, targets)
                if outcome & (ASK | UNWRAP | EMPTY):
                    found.append((elementFactory(document, node), outcome))
                if outcome & ASK:
                    for index in range(parent.closed, closed_count):
                        amounts[elementFactory(document, closed[index].node)] = closed[index].amount
                closed_count = parent.closed
                if node is root:
                    return found, amounts
                parent = &opened[open_count - 1]
                if outcome & UNSURE:
                    parent.asks = True
                else:
                    if closed_count == closed_room:
                        closed_room = 2 * closed_room or 64
                        wider = realloc(closed, closed_room * sizeof(Closed))
                        if wider is NULL:
                            raise MemoryError()
                        closed = <Closed*>wider
                    outcome &= AMOUNT
                    closed[closed_count].node, closed[closed_count].amount = node, outcome
                    closed_count += 1
                    if outcome == BREAK:
                        parent.chain = parent.chain or parent.after_break
                        parent.after_break = True
                    elif outcome != NOTHING:
                        parent.after_break = False
                        if outcome == BLOCK:
                            parent.block = True
                        else:
                            parent.inline = True
                node = node.prev
    finally:
        free(opened)
        free(closed)
