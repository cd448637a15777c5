# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""What is counted of the texts of elements, in C, to the same result as where it is asked (see walks.py)."""

from cpython.unicode cimport Py_UNICODE_ISALNUM, Py_UNICODE_ISSPACE
from libc.string cimport memset
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Element, import_lxml__etree
from lxml.includes.tree cimport xmlNode

from mainextract_beam._nodes cimport (
    NAMES,
    Known,
    Length,
    following,
    has_content,
    is_among,
    is_element,
    measure,
    next_character,
    next_node,
)

import_lxml__etree()


cdef bint is_leaf(xmlNode* element) noexcept nogil:
    cdef xmlNode* node = element.children
    while node is not NULL:
        if is_element(node):
            return False
        node = node.next
    return True


cdef void measure_xml(const unsigned char* byte, Length* length) noexcept nogil:
    """`measure` with what XPath takes for whitespace."""
    while byte[0]:
        if byte[0] == 0x20 or byte[0] == 0x09 or byte[0] == 0x0A or byte[0] == 0x0D:
            length.spaced = True
        elif (byte[0] & 0xC0) != 0x80:  # else the character is counted already
            length.characters += 1 + (length.spaced and length.characters > 0)
            length.spaced = False
        byte += 1


cdef long long length_of(xmlNode* root) noexcept nogil:
    """budget._length; -1 where entity references stand in the text."""
    cdef Length length
    cdef xmlNode* node = root
    cdef bint leaf = is_leaf(root)
    length.characters = 0
    length.spaced = False
    while node is not NULL:
        if has_content(node):
            if leaf:
                measure(<const unsigned char*>node.content, &length)
            else:
                measure_xml(<const unsigned char*>node.content, &length)
        elif node.type == tree.XML_ENTITY_REF_NODE:
            return -1
        node = next_node(node, root)
    return length.characters


def length(_Element top not None, apart):
    """budget.text_length and budget.prose_length; None where entity references stand in the text, or it is a comment's.

    Args:
        top: whose text.
        apart: names of elements whose text does not count.
    """
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef long long whole = length_of(root)
    cdef Known known[NAMES]
    memset(known, 0, sizeof(known))
    if whole < 0 or root.type != tree.XML_ELEMENT_NODE:
        return None
    while node is not NULL:
        if node.type == tree.XML_ELEMENT_NODE and is_among(node, known, apart):
            whole -= length_of(node)
        node = next_node(node, root)
    return max(0, whole)


def stripped_length(_Element top not None, apart):
    """noscript._length of an element that none of those names holds."""
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef const unsigned char* byte
    cdef unsigned int character
    cdef Known known[NAMES]
    cdef long long whole = 0, length, read
    memset(known, 0, sizeof(known))
    while node is not NULL:
        if has_content(node):
            length = read = 0
            byte = <const unsigned char*>node.content
            while byte[0]:
                character = next_character(&byte)
                if not Py_UNICODE_ISSPACE(character):
                    read += 1
                    length = read
                elif read:
                    read += 1
            whole += length
        elif node.type == tree.XML_ELEMENT_NODE and is_among(node, known, apart):
            node = following(node, root)
            continue
        node = next_node(node, root)
    return whole


cdef bint is_unspaced(unsigned int character) noexcept nogil:
    """Whether a character is of text._UNSPACED."""
    return character >= 0x0E00 and (
        character <= 0x0EFF
        or 0x1000 <= character <= 0x109F
        or 0x1780 <= character <= 0x17FF
        or 0x3040 <= character <= 0x30FF
        or 0x3400 <= character <= 0x4DBF
        or 0x4E00 <= character <= 0x9FFF
        or 0xF900 <= character <= 0xFAFF
        or 0xFF66 <= character <= 0xFF9F
        or 0x20000 <= character <= 0x3FFFF
    )


def words(_Element top not None):
    """chain._words; None where scripts written without spaces stand in the text."""
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef const unsigned char* byte
    cdef unsigned int character
    cdef Py_ssize_t count = 0
    cdef bint inside
    while node is not NULL:
        if has_content(node):
            inside = False
            byte = <const unsigned char*>node.content
            while byte[0]:
                character = next_character(&byte)
                if is_unspaced(character):
                    return None
                if Py_UNICODE_ISALNUM(character) or character == c"_":
                    count += not inside
                    inside = True
                else:
                    inside = False
        node = next_node(node, root)
    return count
