# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""What is to settle in a tree, found in C (see walks.py): most of it is settled already."""

from libc.string cimport memset
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport (
    _Document,
    _Element,
    elementFactory,
    findChildForwards,
    import_lxml__etree,
    nextElement,
)
from lxml.includes.tree cimport xmlAttr, xmlNode

from mainextract_beam._nodes cimport (
    NAMES,
    Known,
    bits_of,
    following,
    has_content,
    is_element,
    is_text,
    is_white,
    name_of,
    next_character,
    number_of,
)

import_lxml__etree()

# See settle.py.
cdef enum:
    CLOSED_UP = 1
    FOREIGN = 2
    CODE = 4
    EDGE = 8

    COLLAPSE = 1
    LEFT = 2
    RIGHT = 4
    ANEW = 8
    TAIL = 16
    GONE = 32


cdef int settling(xmlNode* first, int how) noexcept nogil:
    """How a text is to be settled, by the node it begins with; 0 where it surely stays as it is."""
    cdef xmlNode* node = first
    cdef const unsigned char* byte
    cdef unsigned int character
    cdef bint empty = True, blank = True, spaced = False, several = False, odd = False
    while node is not NULL and is_text(node):
        several = several or node is not first or node.type != tree.XML_TEXT_NODE
        if has_content(node):
            byte = <const unsigned char*>node.content
            while byte[0]:
                character = next_character(&byte)
                if character == 0x20:
                    odd = odd or spaced or (empty and how & LEFT)
                    spaced = True
                elif is_white(character):
                    odd = True
                else:
                    odd = odd or character == 0xFFFE or character == 0xFFFF
                    blank = spaced = False
                empty = False
                if odd and not blank:
                    return how
        node = node.next
    if blank and not empty and how & (LEFT | RIGHT):
        return how | GONE
    return how if not empty and (odd or (spaced and how & RIGHT) or (several and how & ANEW)) else 0


def unsettled(_Element top not None, tags):
    """settle._texts, without those that stay as they are.

    Args:
        top: see there.
        tags: what is known of tags.
    """
    cdef _Document document = top._doc
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef xmlNode* after
    cdef Known known[NAMES]
    cdef int bits, beyond, how
    cdef list found = []
    memset(known, 0, sizeof(known))
    while node is not NULL:
        if not is_element(node):
            node = following(node, root)
            continue
        bits = bits_of(node, known, tags)
        if node is not root and node.next is not NULL and is_text(node.next):
            how = TAIL
            if node.type == tree.XML_ELEMENT_NODE:
                how |= COLLAPSE | (LEFT if bits & EDGE else 0)
            after = nextElement(node)
            beyond = bits_of(node.parent if after is NULL else after, known, tags)
            if beyond & EDGE:
                how |= RIGHT | ANEW
            how = settling(node.next, how)
            if how:
                found.append((elementFactory(document, node), how))
        if node.type != tree.XML_ELEMENT_NODE or bits & CLOSED_UP or node.children is NULL:
            node = following(node, root)
            continue
        if is_text(node.children) and not bits & CODE:
            how = COLLAPSE | (LEFT if bits & EDGE else 0)
            after = findChildForwards(node, 0)
            if after is NULL:
                how |= RIGHT if bits & EDGE else 0
            elif bits_of(after, known, tags) & EDGE:
                how |= RIGHT | ANEW
            how = settling(node.children, how)
            if how:
                found.append((elementFactory(document, node), how))
        node = node.children
    return found


def odd_attributes(_Element top not None, tags, kept, default):
    """settle._odd_attributes.

    Args:
        top: see there.
        tags: what is known of tags.
        kept: names of attributes that stay, by tag.
        default: the same for all other tags.
    """
    cdef _Document document = top._doc
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef xmlAttr* attribute
    cdef Known known[NAMES]
    cdef Known numbers[NAMES]
    cdef Known names[NAMES]
    cdef int bits
    cdef list sets = [], spelled = [], found = [], odd
    memset(known, 0, sizeof(known))
    memset(numbers, 0, sizeof(numbers))
    memset(names, 0, sizeof(names))
    while node is not NULL:
        if node.type != tree.XML_ELEMENT_NODE:
            node = following(node, root)
            continue
        bits = bits_of(node, known, tags)
        attribute = NULL if bits & FOREIGN else node.properties
        if attribute is not NULL:
            own = sets[number_of(node, numbers, sets, kept, default)]
            odd = None
            while attribute is not NULL:
                name = name_of(<xmlNode*>attribute, names, spelled)
                if name not in own:
                    if odd is None:
                        odd = []
                        found.append((elementFactory(document, node), odd))
                    odd.append(name)
                attribute = attribute.next
        if bits & CLOSED_UP or node.children is NULL:
            node = following(node, root)
        else:
            node = node.children
    return found
