# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Walks over a page's tree that every page pays for, in C.

Each does what the Python function it is named after does, to the same result; walks.py says when they are there. They read
libxml2's nodes through lxml's C interface and change nothing.
"""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset, strcmp, strlen, strstr
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
from lxml.includes.tree cimport const_xmlChar, xmlAttr, xmlNode

from mainextract_beam._nodes cimport (
    NAMES,
    Known,
    Length,
    bits_of,
    following,
    has_content,
    is_element,
    is_text,
    measure,
    next_node,
    normal,
    place_of,
    plain_value,
    slot_of,
    space_of,
    text_between,
)

cdef extern from "lxml-version.h":
    const char* LXML_VERSION_STRING

cdef extern from "libxml/xmlversion.h":
    int LIBXML_VERSION

import_lxml__etree()

LXML = LXML_VERSION_STRING.decode("ascii")
LIBXML = LIBXML_VERSION

# ---------------------------------------------------------------------------------------------------------------------------
# line_layout.read_text

cdef enum:
    INLINE, BLOCK, UNSEEN, BREAK, PRE, IMAGE, ENTITY, UNKNOWN


cdef int kind_of(xmlNode* node, _Document document, Known* known, object kinds, object kind_of_element) except -1:
    cdef Known* slot
    cdef int kind
    if node.type == tree.XML_ENTITY_REF_NODE:
        return ENTITY
    if node.type != tree.XML_ELEMENT_NODE:
        return UNSEEN
    slot = slot_of(known, node.name)
    if slot.name is node.name and slot.space is space_of(node):
        return slot.value
    kind = kinds[namespacedName(node)]
    if kind == UNKNOWN:  # its prefix decides
        return kind_of_element(elementFactory(document, node))
    slot.name, slot.space, slot.value = node.name, space_of(node), kind
    return kind


def read_text(_Element top not None, bint whole, bint newlines, kinds, kind_of_element, entity_text, is_unseen):
    """line_layout.read_text: (atoms, images).

    Args:
        top: see there.
        whole: see there.
        newlines: see there.
        kinds: kind by tag.
        kind_of_element: the kind of an element whose prefix decides.
        entity_text: the text of an entity reference by its name.
        is_unseen: whether a text is whitespace, where that cannot be said from its first visible ASCII character.
    """
    cdef _Document document = top._doc
    cdef xmlNode* root = top._c_node
    cdef xmlNode* parent = root
    cdef xmlNode* node
    cdef xmlNode* before = NULL  # the last element of the parent so far
    cdef xmlNode* end
    cdef xmlNode* each
    cdef const unsigned char* byte
    cdef Known known[NAMES]
    cdef int kind, kept = 0, boundaries = 0, breaks = 0
    cdef Py_ssize_t lines = 0
    cdef bint spaced = False, blank, sure, empty
    cdef list atoms = [], images = []
    memset(known, 0, sizeof(known))

    kind = kind_of(root, document, known, kinds, kind_of_element)
    if kind == ENTITY or kind == UNSEEN or kind == BREAK or kind == IMAGE:
        if kind == IMAGE:
            images.append((0, top))
        return atoms, images
    if kind == BLOCK or kind == PRE:
        boundaries, kept = 1, kind == PRE
    node = root.children
    while True:
        if node is NULL:
            # The end of an element.
            if parent is root:
                return atoms, images
            kind = kind_of(parent, document, known, kinds, kind_of_element)
            if kind == BLOCK or kind == PRE:
                boundaries += 1
                kept -= kind == PRE
            before, node, parent = parent, parent.next, parent.parent
        elif is_text(node):
            end = node
            blank = sure = empty = True
            while end is not NULL and is_text(end):
                if has_content(end):
                    empty = False
                    byte = <const unsigned char*>end.content
                    while blank and sure and byte[0]:
                        if byte[0] > 0x20:
                            if byte[0] < 0x7F:
                                blank = False
                            else:
                                sure = False
                        byte += 1
                end = end.next
            if not empty:
                text = None
                if not sure:
                    text = text_between(node, end)
                    blank = is_unseen(text)
                if blank or (not whole and parent is root):
                    spaced = True
                    if newlines or kept:
                        each = node
                        while each is not end:
                            if has_content(each):
                                byte = <const unsigned char*>each.content
                                while byte[0]:
                                    lines += byte[0] == c"\n"
                                    byte += 1
                            each = each.next
                else:
                    if text is None:
                        text = text_between(node, end)
                    owner = elementFactory(document, parent if before is NULL else before)
                    atoms.append((text, owner, before is not NULL, kept > 0, boundaries, breaks, lines, spaced))
                    boundaries = breaks = 0
                    lines = 0
                    spaced = False
            node = end
        elif not is_element(node):
            node = node.next
        else:
            kind = kind_of(node, document, known, kinds, kind_of_element)
            if kind == INLINE or kind == BLOCK or kind == PRE:
                if kind != INLINE:
                    boundaries += 1
                    kept += kind == PRE
                parent, before, node = node, NULL, node.children
                continue
            if kind == BREAK:
                breaks += 1
            elif kind == IMAGE:
                images.append((len(atoms), elementFactory(document, node)))
            elif kind == ENTITY:
                text = entity_text(pyunicode(node.name))
                if text:
                    if is_unseen(text):
                        spaced = True
                        if newlines or kept:
                            lines += text.count("\n")
                    else:
                        atoms.append((text, elementFactory(document, node), False, kept > 0, boundaries, breaks, lines, spaced))
                        boundaries = breaks = 0
                        lines = 0
                        spaced = False
            before, node = node, node.next


# ---------------------------------------------------------------------------------------------------------------------------
# line_layout.block_lines

def block_lines(list atoms not None, line_class, keep_lines):
    """line_layout.block_lines.

    Args:
        atoms: see there.
        line_class: line_layout.Line.
        keep_lines: adds the lines of a run of text that keeps its line breaks; gives the index of the atom after it.
    """
    cdef list lines = [], parts = []
    cdef tuple atom
    cdef Py_ssize_t index, first = 0, after_kept = 0
    cdef bint apart
    cdef object make = tuple.__new__
    cdef object before = 0
    cdef int blank = 0
    for index in range(len(atoms) + 1):
        atom = <tuple>atoms[index] if index < len(atoms) else None
        # An atom: its text, owner, whether it follows that, whether it keeps its line breaks, boundaries, breaks, lines, spaced.
        apart = atom is None or atom[3] or atom[4] or atom[5]
        if parts:
            if not apart:
                if atom[7]:
                    parts.append(" ")
                parts.append(atom[0])
                continue
            text = normal(parts[0] if len(parts) == 1 else "".join(parts))
            lines.append(make(line_class, (text, blank, before, first, 0, index - 1, len(<str>(<tuple>atoms[index - 1])[0]))))
            parts.clear()
        if atom is None:
            return lines
        if not atom[3]:
            parts.append(atom[0])
            first, before, blank = index, atom[4], 1 if atom[4] or atom[5] > 1 else 0
        elif index >= after_kept:
            after_kept = keep_lines(atoms, index, lines)


# ---------------------------------------------------------------------------------------------------------------------------
# xmlsafe.is_plain

cdef bint is_plain_name(const_xmlChar* name) noexcept nogil:
    """Whether a name is an ASCII letter or underscore, followed by such, digits, dots and hyphens."""
    cdef const unsigned char* byte = <const unsigned char*>name
    cdef unsigned char c = byte[0]
    if not (c"a" <= c <= c"z" or c"A" <= c <= c"Z" or c == c"_"):
        return False
    while c:
        if not (c"a" <= c <= c"z" or c"A" <= c <= c"Z" or c"0" <= c <= c"9" or c == c"_" or c == c"-" or c == c"."):
            return False
        byte += 1
        c = byte[0]
    return True


cdef bint is_plain_text(const_xmlChar* text) noexcept nogil:
    """Whether XML allows every character of a UTF-8 text."""
    cdef const unsigned char* bytes_ = <const unsigned char*>text
    cdef size_t length, index
    cdef unsigned char c
    cdef unsigned char odd = 0
    if text is NULL:
        return True
    length = strlen(<const char*>text)
    for index in range(length):
        c = bytes_[index]
        # Controls, and the first byte of surrogates and of U+FFFE and U+FFFF, which others share.
        odd |= ((c < 0x20) & (c != 0x09) & (c != 0x0A) & (c != 0x0D)) | (c == 0xED) | (c == 0xEF)
    if not odd:
        return True
    for index in range(length):
        c = bytes_[index]
        if c < 0x20 and c != 0x09 and c != 0x0A and c != 0x0D:
            return False
        if c == 0xED and bytes_[index + 1] >= 0xA0:
            return False
        if c == 0xEF and bytes_[index + 1] == 0xBF and bytes_[index + 2] >= 0xBE:
            return False
    return True


cdef bint has_plain_attributes(xmlNode* node, Known* known) noexcept nogil:
    cdef xmlAttr* attribute = node.properties
    cdef xmlNode* value
    cdef Known* slot
    while attribute is not NULL:
        if attribute.ns is not NULL and strcmp(<const char*>attribute.ns.href, "http://www.w3.org/XML/1998/namespace") != 0:
            return False
        slot = slot_of(known, attribute.name)
        if slot.name is not attribute.name:
            if not is_plain_name(attribute.name) or strcmp(<const char*>attribute.name, "xmlns") == 0:
                return False
            slot.name = attribute.name
        value = attribute.children
        while value is not NULL:
            if value.type != tree.XML_TEXT_NODE or not is_plain_text(<const_xmlChar*>value.content):
                return False
            value = value.next
        attribute = attribute.next
    return True


def is_plain(_Element element not None):
    """xmlsafe.make_safe's question: whether a tree without namespaces is well-formed XML as it stands."""
    cdef xmlNode* root = element._c_node
    cdef xmlNode* node = root
    cdef Known known[NAMES]
    cdef Known attributes[NAMES]
    cdef Known* slot
    cdef size_t length
    memset(known, 0, sizeof(known))
    memset(attributes, 0, sizeof(attributes))
    while True:
        if node.type == tree.XML_ELEMENT_NODE:
            if node.ns is not NULL or node.nsDef is not NULL:
                return False
            slot = slot_of(known, node.name)
            if slot.name is not node.name:
                if not is_plain_name(node.name):
                    return False
                slot.name = node.name
            if node.properties is not NULL and not has_plain_attributes(node, attributes):
                return False
            if node.children is not NULL:
                node = node.children
                continue
        elif node.type == tree.XML_TEXT_NODE or node.type == tree.XML_CDATA_SECTION_NODE:
            if not is_plain_text(<const_xmlChar*>node.content):
                return False
        elif node.type == tree.XML_COMMENT_NODE:
            if node.content is not NULL:
                length = strlen(<const char*>node.content)
                if (length and node.content[length - 1] == c"-") or strstr(<const char*>node.content, "--") is not NULL:
                    return False
                if not is_plain_text(<const_xmlChar*>node.content):
                    return False
        else:
            return False
        node = following(node, root)
        if node is NULL:
            return True


# ---------------------------------------------------------------------------------------------------------------------------
# parse.survey

def survey(_Element element not None, names, int most):
    """parse.survey: the elements of those names, or None where elements nest deeper than ``most`` levels."""
    cdef _Document document = element._doc
    cdef xmlNode* root = element._c_node
    cdef xmlNode* node = root
    cdef int depth = 1
    cdef Known known[NAMES]
    cdef Known* slot
    cdef list found = []
    memset(known, 0, sizeof(known))
    while True:
        if node.type == tree.XML_ELEMENT_NODE:
            if depth > most:
                return None
            slot = slot_of(known, node.name)
            if slot.name is not node.name:
                slot.name, slot.value = node.name, pyunicode(node.name) in names
            if slot.value:
                found.append(elementFactory(document, node))
            if node.children is not NULL:
                node = node.children
                depth += 1
                continue
        while node is not root and node.next is NULL:
            node = node.parent
            depth -= 1
        if node is root:
            return found
        node = node.next


# ---------------------------------------------------------------------------------------------------------------------------
# regions.stating_main, regions.densest

def stating_main(_Element top not None, bint whole):
    """regions.stating_main, for trees with names in lower case."""
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef xmlAttr* attribute
    while True:
        if node.type == tree.XML_ELEMENT_NODE:
            attribute = node.properties if whole or node is not root else NULL
            while attribute is not NULL:
                if attribute.ns is NULL and strcmp(<const char*>attribute.name, "role") == 0:
                    if "main" in attributeValue(node, attribute).lower().split():
                        return elementFactory(top._doc, node)
                    break
                attribute = attribute.next
            if node.children is not NULL:
                node = node.children
                continue
        node = following(node, root)
        if node is NULL:
            return None


cdef enum:
    OTHER, CONTENT, BODY, FRAMING, UNKNOWN_REGION


# An element whose end the walk has not come to: what is known of it so far; see regions._Open.
cdef struct Open:
    xmlNode* node
    long long own
    double children
    long long content
    long long others
    Py_ssize_t place
    int kind
    bint text


def densest(_Element top not None, bint whole, kinds, kind_of_element):
    """regions.densest; NotImplemented for a tree with entity references.

    Args:
        top: the root.
        whole: whether it may be the densest itself.
        kinds: kind by tag.
        kind_of_element: the kind of an element whose prefix decides.
    """
    cdef _Document document = top._doc
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef xmlNode* best = NULL
    cdef double heaviest = 0, weight
    cdef Py_ssize_t first = 0, place = 0
    cdef Known known[NAMES]
    cdef Known* slot
    cdef int kind
    cdef Length length
    cdef Open* opened = NULL
    cdef Open* above
    cdef size_t count = 0, room = 0
    if root.type != tree.XML_ELEMENT_NODE:
        return None
    memset(known, 0, sizeof(known))
    try:
        while True:
            if node is not NULL and node.type == tree.XML_ELEMENT_NODE:
                place += 1
                slot = slot_of(known, node.name)
                if slot.name is node.name and slot.space is space_of(node):
                    kind = slot.value
                else:
                    kind = kinds[namespacedName(node)]
                    if kind == UNKNOWN_REGION:
                        kind = kind_of_element(elementFactory(document, node))
                    else:
                        slot.name, slot.space, slot.value = node.name, space_of(node), kind
                if kind != FRAMING:
                    if count == room:
                        room = 2 * room or 64
                        above = <Open*>realloc(opened, room * sizeof(Open))
                        if above is NULL:
                            raise MemoryError()
                        opened = above
                    above = &opened[count]
                    memset(above, 0, sizeof(Open))
                    above.node, above.kind, above.place = node, kind, place
                    count += 1
                    node = node.children
                    continue
                if count == 0:
                    return None
                opened[count - 1].others += 1
                node = node.next
            elif node is not NULL and is_text(node):
                length.characters = 0
                length.spaced = False
                while node is not NULL and is_text(node):
                    if has_content(node):
                        measure(<const unsigned char*>node.content, &length)
                    node = node.next
                if length.characters:
                    opened[count - 1].own += length.characters * length.characters
                    opened[count - 1].text = True
            elif node is not NULL:
                if node.type == tree.XML_ENTITY_REF_NODE:
                    return NotImplemented
                node = node.next
            else:
                # The end of the innermost open element.
                count -= 1
                above = &opened[count]
                weight = above.children
                if above.kind == CONTENT or above.kind == BODY:
                    weight += <double>above.own
                weight = weight * <double>(above.content + 1) / <double>(above.others + 1)
                if count or whole:
                    if weight > heaviest or (weight == heaviest and best is not NULL and above.place < first):
                        best, heaviest, first = above.node, weight, above.place
                if count == 0:
                    break
                node = above.node.next
                kind = above.kind
                opened[count - 1].children += weight
                if above.text:
                    above = &opened[count - 1]
                    above.text = True
                    above.others += 1
                    above.content += kind == CONTENT
        return None if best is NULL else elementFactory(document, best)
    finally:
        free(opened)


# ---------------------------------------------------------------------------------------------------------------------------
# marked.marked

cdef struct Piece:
    const char* text  # NULL after the last of an attribute
    int bits


cdef int bits_of_pieces(xmlNode* node, xmlAttr* attribute, const Piece* piece) except -1:
    """The bits of the pieces that the value of an attribute holds."""
    cdef const char* value = plain_value(attribute)
    cdef int bits = 0
    if value is NULL:
        whole = attributeValue(node, attribute).encode()
        value = whole
    while piece.text is not NULL:
        if strstr(value, piece.text) is not NULL:
            bits |= piece.bits
        piece += 1
    return bits


def marked(_Element top not None, tags, attributes):
    """marked.marked."""
    cdef _Document document = top._doc
    cdef xmlNode* root = top._c_node
    cdef xmlNode* node = root
    cdef xmlAttr* attribute
    cdef Known known[NAMES]
    cdef Known names[NAMES]
    cdef list says = list(attributes.values())
    cdef dict places = {name: place for place, name in enumerate(attributes)}
    cdef int bits, place, count = 0
    cdef list found = [], kept = []
    cdef Piece* pieces = <Piece*>calloc(1 + sum([len(said) + 1 for said in says if type(said) is dict]), sizeof(Piece))
    if pieces is NULL:
        raise MemoryError()
    memset(known, 0, sizeof(known))
    memset(names, 0, sizeof(names))
    try:
        for place, said in enumerate(says):
            if type(said) is dict:
                says[place] = (count,)
                for text, number in said.items():
                    kept.append(text.encode())
                    pieces[count].text, pieces[count].bits = <bytes>kept[len(kept) - 1], number
                    count += 1
                count += 1
        while node is not NULL:
            bits = bits_of(node, known, tags)
            attribute = node.properties if node.type == tree.XML_ELEMENT_NODE else NULL
            while attribute is not NULL:
                place = place_of(attribute, names, places)
                if place >= 0:
                    said = says[place]
                    if type(said) is tuple:
                        bits |= bits_of_pieces(node, attribute, &pieces[<int>(<tuple>said)[0]])
                    else:
                        bits |= said if isinstance(said, int) else said[attributeValue(node, attribute)]
                attribute = attribute.next
            if bits:
                found.append((elementFactory(document, node), bits))
            node = next_node(node, root)
        return found
    finally:
        free(pieces)


# ---------------------------------------------------------------------------------------------------------------------------
# text.normalize

def normalized(text not None):
    """text.normalize."""
    return normal(text if type(text) is str else str(text))


# ---------------------------------------------------------------------------------------------------------------------------
# encodings._utf8_length

def utf8_length(data not None):
    """encodings._utf8_length."""
    cdef const unsigned char* byte = <const unsigned char*>PyBytes_AS_STRING(data)
    cdef const unsigned char* end = byte + len(data)
    cdef unsigned long long eight
    cdef Py_ssize_t characters = 0
    cdef unsigned char first, least, most
    cdef int more
    while byte < end:
        while end - byte >= 8:
            memcpy(&eight, byte, 8)
            if eight & 0x8080808080808080u:
                break
            byte += 8
            characters += 8
        if byte == end:
            break
        first = byte[0]
        byte += 1
        characters += 1
        if first < 0x80:
            continue
        # Neither longer than it need be, nor half of a pair, nor beyond U+10FFFF.
        least = 0xA0 if first == 0xE0 else 0x90 if first == 0xF0 else 0x80
        most = 0x9F if first == 0xED else 0x8F if first == 0xF4 else 0xBF
        more = 1 if 0xC2 <= first <= 0xDF else 2 if 0xE0 <= first <= 0xEF else 3 if 0xF0 <= first <= 0xF4 else 0
        if more == 0 or end - byte < more or not least <= byte[0] <= most:
            return -1
        byte += 1
        while more > 1:
            if byte[0] & 0xC0 != 0x80:
                return -1
            byte += 1
            more -= 1
    return characters
