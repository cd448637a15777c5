# cython: language_level=3
"""What walks in C share: libxml2's nodes in lxml's words, tables of names and keys, texts.

An element is any node that lxml shows as one (comments, processing instructions and entity references, too), its tail the text
that follows it.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport strncmp
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport namespacedName, pyunicode
from lxml.includes.tree cimport const_xmlChar, xmlAttr, xmlNode

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    unsigned char* PyUnicode_1BYTE_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    unsigned int PyUnicode_READ(int kind, void* data, Py_ssize_t index) nogil
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL
    int PyUnicode_4BYTE_KIND
    str PyUnicode_FromKindAndData(int kind, const void* characters, Py_ssize_t count)

cdef enum:
    NAMES = 256  # slots of a table of names, a power of two

# What is known of a name. Parsers keep one copy of each name, so the pointer tells it; another copy costs one more look.
cdef struct Known:
    const_xmlChar* name
    const_xmlChar* space
    int value


cdef inline Known* slot_of(Known* known, const_xmlChar* name) noexcept nogil:
    """Where a table keeps what is known of a name, if it does: another name may have the place."""
    # Names stand one right behind the other.
    return &known[(<size_t>name ^ (<size_t>name >> 8)) & (NAMES - 1)]


cdef inline xmlNode* following(xmlNode* node, xmlNode* root) noexcept nogil:
    """The node that follows one and all that it holds, within the root; NULL where there is none."""
    while node is not root and node.next is NULL:
        node = node.parent
    return NULL if node is root else node.next


cdef inline xmlNode* next_node(xmlNode* node, xmlNode* root) noexcept nogil:
    """The node after one in document order, within the root; NULL where there is none."""
    return node.children if node.type == tree.XML_ELEMENT_NODE and node.children is not NULL else following(node, root)


cdef inline const_xmlChar* space_of(xmlNode* node) noexcept nogil:
    return NULL if node.ns is NULL else <const_xmlChar*>node.ns.href


cdef inline bint is_element(xmlNode* node) noexcept nogil:
    return (
        node.type == tree.XML_ELEMENT_NODE
        or node.type == tree.XML_COMMENT_NODE
        or node.type == tree.XML_PI_NODE
        or node.type == tree.XML_ENTITY_REF_NODE
    )


cdef inline bint is_text(xmlNode* node) noexcept nogil:
    """Whether a node belongs to a text as lxml reads it."""
    return (
        node.type == tree.XML_TEXT_NODE
        or node.type == tree.XML_CDATA_SECTION_NODE
        or node.type == tree.XML_XINCLUDE_START
        or node.type == tree.XML_XINCLUDE_END
    )


cdef inline bint has_content(xmlNode* node) noexcept nogil:
    return (
        (node.type == tree.XML_TEXT_NODE or node.type == tree.XML_CDATA_SECTION_NODE)
        and node.content is not NULL
        and node.content[0] != 0
    )


cdef inline str text_between(xmlNode* first, xmlNode* end):
    """The text of the nodes from one up to another."""
    cdef xmlNode* node = first.next
    while node is not end and not has_content(node):
        node = node.next
    if node is end and has_content(first):
        return pyunicode(<const_xmlChar*>first.content)
    parts = []
    node = first
    while node is not end:
        if has_content(node):
            parts.append(pyunicode(<const_xmlChar*>node.content))
        node = node.next
    return "".join(parts)


cdef inline bint is_normal(int kind, void* data, Py_ssize_t length) noexcept nogil:
    """Whether a text has no whitespace but single spaces between other characters."""
    cdef Py_ssize_t index
    cdef unsigned int character
    cdef bint after_space = True
    for index in range(length):
        character = PyUnicode_READ(kind, data, index)
        if is_white(character):
            if after_space or character != 0x20:
                return False
            after_space = True
        else:
            after_space = False
    return not after_space


cdef inline str collapsed(str text, bint (*is_apart)(unsigned int) noexcept):
    """A text with every run of some characters made one space, and none of them at its ends."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), index, kept = 0
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef unsigned int* room = <unsigned int*>malloc((length + 1) * sizeof(unsigned int))
    cdef unsigned int character
    cdef bint apart = False
    if room is NULL:
        raise MemoryError()
    for index in range(length):
        character = PyUnicode_READ(kind, data, index)
        if is_apart(character):
            apart = True
        else:
            if apart and kept:
                room[kept] = c" "
                kept += 1
            apart = False
            room[kept] = character
            kept += 1
    try:
        return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, room, kept)
    finally:
        free(room)


cdef inline str normal(str text):
    """text.normalize."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
    if length == 0 or is_normal(PyUnicode_KIND(text), PyUnicode_DATA(text), length):
        return text
    return collapsed(text, is_white)


# Keys numbered from 0 as they are first met.
cdef struct Numbered:
    unsigned long long* keys
    int* numbers  # of each key, -1 where there is none
    size_t mask
    int count


cdef inline int key_number(Numbered* table, unsigned long long key) except -1:
    """The number of a key, a new one where it is new. The table starts as zeros and is freed by `forget`."""
    cdef unsigned long long* keys = table.keys
    cdef int* numbers = table.numbers
    cdef size_t place, index, before = table.mask
    if 2 * <size_t>table.count >= table.mask:
        table.mask = 4 * before + 3 if before else 1023
        table.keys = <unsigned long long*>malloc((table.mask + 1) * sizeof(unsigned long long))
        table.numbers = <int*>malloc((table.mask + 1) * sizeof(int))
        if table.keys is NULL or table.numbers is NULL:
            free(keys)
            free(numbers)
            raise MemoryError()
        for index in range(table.mask + 1):
            table.numbers[index] = -1
        if before:
            for index in range(before + 1):
                if numbers[index] >= 0:
                    place = slot_of_key(table, keys[index])
                    table.keys[place], table.numbers[place] = keys[index], numbers[index]
        free(keys)
        free(numbers)
    place = slot_of_key(table, key)
    if table.numbers[place] < 0:
        table.keys[place], table.numbers[place] = key, table.count
        table.count += 1
    return table.numbers[place]


cdef inline size_t slot_of_key(Numbered* table, unsigned long long key) noexcept nogil:
    # No bit of a product says anything of higher ones of the key: both its halves are to count.
    cdef size_t place = (key * 0x9E3779B97F4A7C15u) >> 32 & table.mask
    while table.numbers[place] >= 0 and table.keys[place] != key:
        place = (place + 1) & table.mask
    return place


cdef inline void forget(Numbered* table) noexcept nogil:
    free(table.keys)
    free(table.numbers)


cdef inline unsigned int next_character(const unsigned char** byte) noexcept nogil:
    """The character at a place in a UTF-8 text, which then is the place after it."""
    cdef unsigned int character = byte[0][0]
    cdef int more
    byte[0] += 1
    if character >= 0x80:
        more = 1 if character < 0xE0 else 2 if character < 0xF0 else 3
        character &= 0x3F >> more
        while more and (byte[0][0] & 0xC0) == 0x80:
            character = character << 6 | (byte[0][0] & 0x3F)
            byte[0] += 1
            more -= 1
    return character


cdef inline bint is_white(unsigned int character) noexcept nogil:
    """Whether a character is one of text.WHITESPACE."""
    return character <= 0x20 or character == 0x7F or (
        character >= 0xA0
        and (
            character == 0xA0
            or character == 0x1680
            or 0x2000 <= character <= 0x200A
            or character == 0x2028
            or character == 0x2029
            or character == 0x202F
            or character == 0x205F
            or character == 0x3000
            or character == 0xFEFF
        )
    )


cdef struct Length:
    long long characters
    bint spaced  # whether whitespace follows them


cdef inline void measure(const unsigned char* byte, Length* length) noexcept nogil:
    """Adds a piece of a text to the characters it has once every run of whitespace is one space and its ends are trimmed."""
    while byte[0]:
        if is_white(next_character(&byte)):
            length.spaced = True
        else:
            length.characters += 1 + (length.spaced and length.characters > 0)
            length.spaced = False


cdef inline int number_of(xmlNode* element, Known* known, list seen, object by_tag, object default) except -1:
    """The number, in `seen`, of what a mapping says of an element's tag."""
    cdef Known* slot = slot_of(known, element.name)
    if slot.name is not element.name or slot.space is not space_of(element):
        slot.name, slot.space, slot.value = element.name, space_of(element), len(seen)
        seen.append(by_tag.get(namespacedName(element), default))
    return slot.value


cdef inline int bits_of(xmlNode* node, Known* known, object tags) except -1:
    """What a mapping says of an element's tag, as bits; nothing of comments and the like."""
    cdef Known* slot
    if node.type != tree.XML_ELEMENT_NODE:
        return 0
    slot = slot_of(known, node.name)
    if slot.name is not node.name or slot.space is not space_of(node):
        slot.name, slot.space, slot.value = node.name, space_of(node), tags.get(namespacedName(node), 0)
    return slot.value


cdef inline bint is_among(xmlNode* element, Known* known, object tags) except -1:
    """Whether an element's tag is one of some."""
    cdef Known* slot = slot_of(known, element.name)
    if slot.name is not element.name or slot.space is not space_of(element):
        slot.name, slot.space, slot.value = element.name, space_of(element), namespacedName(element) in tags
    return slot.value


cdef inline str name_of(xmlNode* node, Known* known, list spelled):
    """The name of an element or an attribute as lxml spells it; ``spelled`` takes each once or a few times."""
    cdef Known* slot = slot_of(known, node.name)
    if slot.name is not node.name or slot.space is not space_of(node):
        slot.name, slot.space, slot.value = node.name, space_of(node), len(spelled)
        spelled.append(namespacedName(node))
    return <str>spelled[slot.value]


cdef inline int place_of(xmlAttr* attribute, Known* known, dict places) except -2:
    """What a mapping says of the name of an attribute in no namespace; -1 for all others."""
    cdef Known* slot
    if attribute.ns is not NULL:
        return -1
    slot = slot_of(known, attribute.name)
    if slot.name is not attribute.name:
        slot.name, slot.value = attribute.name, places.get(pyunicode(attribute.name), -1)
    return slot.value


cdef inline const char* plain_value(xmlAttr* attribute) noexcept nogil:
    """The value of an attribute where one text holds it, as nearly always; else NULL."""
    cdef xmlNode* text = attribute.children
    if text is NULL:
        return b""
    if text.next is not NULL or text.type != tree.XML_TEXT_NODE:
        return NULL
    if text.content is NULL:
        return b""
    return <const char*>text.content


cdef inline bint is_of_web(const char* url) noexcept nogil:
    """Whether a URL is absolute, and of the web."""
    return strncmp(url, "https://", 8) == 0 or strncmp(url, "http://", 7) == 0


cdef enum:
    BASIS = 2166136261u  # of an empty word


cdef inline unsigned int hashed(unsigned int before, unsigned char letter) noexcept nogil:
    """The hash of a word that goes on by a letter (FNV-1a)."""
    return (before ^ letter) * 16777619u
