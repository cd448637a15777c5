# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The walk of blocks.py in C, to the same result (see walks.py)."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdlib cimport free, realloc
from libc.string cimport memset, strcmp
from lxml.includes cimport tree
from lxml.includes.etreepublic cimport _Document, _Element, attributeValue, elementFactory, import_lxml__etree, namespacedName
from lxml.includes.tree cimport xmlAttr, xmlNode

from mainextract_beam._nodes cimport (
    NAMES,
    Known,
    Numbered,
    forget,
    has_content,
    is_element,
    is_text,
    key_number,
    normal,
    slot_of,
    space_of,
    text_between,
)

import_lxml__etree()

cdef tuple NOTHING = ("", "")

# What blocks.py says of a tag, as bits; the level of a heading and the kind stand above them.
cdef enum:
    FLOWS = 1  # does not end a line
    SILENT = 2
    LINK = 4
    BOLD = 8
    PICTURE = 16
    NEW_LINE = 32
    LEVEL = 8  # bits to the right of the level
    LEVELS = 15  # its bits
    KIND = 12  # bits to the right of the kind, counted from one


cdef struct Ints:
    int* values
    size_t count
    size_t room


cdef int push(Ints* ints, int value) except -1:
    cdef int* wider
    if ints.count == ints.room:
        wider = <int*>realloc(ints.values, max(2 * ints.room, 256) * sizeof(int))
        if wider is NULL:
            raise MemoryError()
        ints.values, ints.room = wider, max(2 * ints.room, 256)
    ints.values[ints.count] = value
    ints.count += 1
    return 0


cdef bytes bytes_of(Ints* ints):
    return PyBytes_FromStringAndSize(<char*>ints.values, ints.count * sizeof(int))


cdef class Blocks:
    """The blocks of a page as far as they are known; see blocks.Walked."""

    cdef list elements, tags, names, styles, texts, flat, inner, pieces
    cdef list roles
    cdef Ints places, ends, rows, hidden, kinds, codes, siblings
    cdef Numbered coded, grouped
    cdef dict numbers  # of tags and class lists
    cdef Ints open_index  # per open element: its index, or -1 where it is not described (yet)
    cdef Ints owners
    cdef Py_ssize_t first_node, link_chars, bold_chars
    cdef int link_count, breaks, images, in_link, in_bold, level
    cdef object begun  # the tag and class of the inline element the line under way begins in

    def __cinit__(self):
        self.elements, self.tags, self.names, self.styles, self.texts, self.flat = [], [], [], [], [], []
        self.inner, self.pieces, self.roles, self.begun = [], [], [], NOTHING
        self.numbers = {}

    def __dealloc__(self):
        free(self.places.values)
        free(self.ends.values)
        free(self.rows.values)
        free(self.hidden.values)
        free(self.kinds.values)
        free(self.codes.values)
        free(self.siblings.values)
        forget(&self.coded)
        forget(&self.grouped)
        free(self.open_index.values)
        free(self.owners.values)

    cdef int end_block(self) except -1:
        """Ends the line of text under way."""
        if not self.pieces:
            return 0
        text = normal(self.pieces[0] if len(self.pieces) == 1 else "".join(self.pieces))
        self.pieces = []
        if not text:
            return 0
        self.texts.append(text)
        self.inner.append(self.begun)
        push(&self.rows, self.owners.values[self.owners.count - 1])
        push(&self.rows, <int>self.link_chars)
        push(&self.rows, self.link_count)
        push(&self.rows, <int>self.bold_chars)
        push(&self.rows, self.level)
        push(&self.rows, self.images)
        push(&self.rows, <int>self.first_node)
        self.first_node = len(self.flat)
        self.link_chars = self.bold_chars = 0
        self.link_count = 0
        return 0

    cdef int describe(self, _Document document, xmlNode* node, list seen, int number) except -1:
        """Takes an element in whose text is to be described by."""
        cdef xmlAttr* attribute = node.properties
        cdef const char* name
        cdef int index = len(self.elements), bits, code
        cdef bint hides = False
        cdef int parent = self.owners.values[self.owners.count - 1] if self.owners.count else -1
        tag, bits = <tuple>seen[number]
        push(&self.places, parent)
        push(&self.places, len(self.texts))
        push(&self.places, self.images)
        push(&self.owners, index)
        given = identity = role = None
        while attribute is not NULL:
            if attribute.ns is NULL:
                name = <const char*>attribute.name
                if strcmp(name, "class") == 0:
                    given = attributeValue(node, attribute)
                elif strcmp(name, "id") == 0:
                    identity = attributeValue(node, attribute)
                elif strcmp(name, "role") == 0:
                    role = attributeValue(node, attribute)
                elif strcmp(name, "style") == 0:
                    self.styles.append((index, attributeValue(node, attribute)))
                elif strcmp(name, "hidden") == 0:
                    hides = True
                elif strcmp(name, "aria-hidden") == 0:
                    hides = hides or attributeValue(node, attribute) == "true"
            attribute = attribute.next
        self.elements.append(elementFactory(document, node))
        self.tags.append(tag)
        push(&self.kinds, (bits >> KIND) - 1)
        names = given or ""
        code = self.numbers.setdefault(names, len(self.numbers))
        # `seen` may hold a tag twice.
        number = self.numbers.setdefault(tag, len(self.numbers))
        code = key_number(&self.coded, <unsigned long long>number << 32 | <unsigned int>code)
        push(&self.codes, code)
        push(&self.siblings, key_number(&self.grouped, <unsigned long long>(parent + 1) << 32 | <unsigned int>code))
        if identity:
            names = f"{names} {identity}"
        if role:
            names = f"{names} {role}"
            self.roles.append((index, role))
        self.names.append(names)
        if hides:
            push(&self.hidden, index)
        return 0


cdef bint is_space(xmlNode* node, xmlNode* end, bint* sure) noexcept nogil:
    """Whether the text of the nodes from one up to another is whitespace to Python; ``sure``: whether that could be told."""
    cdef const unsigned char* byte
    sure[0] = True
    while node is not end:
        if has_content(node):
            byte = <const unsigned char*>node.content
            while byte[0]:
                if byte[0] > 0x7F:
                    sure[0] = False
                    return False
                if not (byte[0] == 0x20 or 0x09 <= byte[0] <= 0x0D or 0x1C <= byte[0] <= 0x1F):
                    return False
                byte += 1
        node = node.next
    return True


def walk(_Element top not None, flags):
    """clean.blocks.walk.

    Args:
        top: where to start.
        flags: what is known of each tag, as bits; see the enumeration above.
    """
    cdef _Document document = top._doc
    cdef xmlNode* root = top._c_node
    cdef xmlNode* parent = NULL
    cdef xmlNode* node = root
    cdef xmlNode* before = NULL  # the last element of the parent so far
    cdef xmlNode* end
    cdef xmlNode* each
    cdef Known known[NAMES]
    cdef Known* slot
    cdef list seen = []  # tag and bits by number
    cdef int bits, number, index, at, k
    cdef bint blank, sure
    cdef str text
    cdef Blocks blocks = Blocks()
    memset(known, 0, sizeof(known))

    while root.type == tree.XML_ELEMENT_NODE:
        if node is NULL:
            # The end of `parent`.
            node = parent
            slot = look_up(node, known, seen, flags)
            bits = (<tuple>seen[slot.value])[1]
            blocks.open_index.count -= 1
            index = blocks.open_index.values[blocks.open_index.count]
            if index >= 0:
                blocks.end_block()
                blocks.owners.count -= 1
                push(&blocks.ends, index)
                push(&blocks.ends, len(blocks.texts))
                push(&blocks.ends, blocks.images)
                if bits >> LEVEL & LEVELS:
                    blocks.level = 0
            if bits & LINK:
                blocks.in_link -= 1
            elif bits & BOLD:
                blocks.in_bold -= 1
            if node is root:
                break
            before, parent, node = node, node.parent, node.next
        elif is_text(node):
            end = node
            while end is not NULL and is_text(end):
                end = end.next
            text = None
            blank = is_space(node, end, &sure)
            if not blank:
                text = text_between(node, end)
                if not sure:
                    blank = text.isspace()
            if blank:
                # Not even an empty text is a space.
                if blocks.pieces and has_any(node, end):
                    blocks.pieces.append(" ")
            elif text:
                if not blocks.pieces:
                    blocks.begun = NOTHING
                    if before is NULL and blocks.open_index.values[blocks.open_index.count - 1] < 0:
                        slot = look_up(parent, known, seen, flags)
                        blocks.begun = ((<tuple>seen[slot.value])[0], class_of(parent))
                blocks.pieces.append(text)
                blocks.flat.append((elementFactory(document, parent if before is NULL else before), before is not NULL))
                blocks.breaks = 0
                if blocks.in_link:
                    blocks.link_chars += len(text)
                if blocks.in_bold:
                    blocks.bold_chars += len(text)
            node = end
        elif not is_element(node):
            node = node.next
        else:
            if node.type != tree.XML_ELEMENT_NODE:
                before, node = node, node.next
                continue
            slot = look_up(node, known, seen, flags)
            number = slot.value
            bits = (<tuple>seen[number])[1]
            if bits & FLOWS and blocks.elements:
                push(&blocks.open_index, -1)
                if bits & LINK:
                    blocks.in_link += 1
                    blocks.link_count += 1
                elif bits & BOLD:
                    blocks.in_bold += 1
                elif bits & PICTURE:
                    blocks.images += 1
                elif bits & NEW_LINE:
                    blocks.breaks += 1
                    if blocks.breaks > 1:
                        blocks.end_block()
                    elif blocks.pieces:
                        blocks.pieces.append(" ")
            elif bits & SILENT:
                if node is root:
                    break
                before, node = node, node.next
                continue
            else:
                blocks.end_block()
                blocks.breaks = 0
                # Inline elements that turn out to hold block-level ones are described now.
                at = blocks.open_index.count
                while at and blocks.open_index.values[at - 1] < 0:
                    at -= 1
                for k in range(at, blocks.open_index.count):
                    each = node
                    for _ in range(blocks.open_index.count - k):
                        each = each.parent
                    blocks.open_index.values[k] = len(blocks.elements)
                    slot = look_up(each, known, seen, flags)
                    blocks.describe(document, each, seen, slot.value)
                push(&blocks.open_index, len(blocks.elements))
                blocks.describe(document, node, seen, number)
                if bits >> LEVEL & LEVELS:
                    blocks.level = bits >> LEVEL & LEVELS
            parent, before, node = node, NULL, node.children

    return (
        blocks.elements,
        blocks.tags,
        blocks.names,
        bytes_of(&blocks.kinds),
        bytes_of(&blocks.codes),
        bytes_of(&blocks.siblings),
        blocks.roles,
        blocks.styles,
        bytes_of(&blocks.hidden),
        bytes_of(&blocks.places),
        bytes_of(&blocks.ends),
        blocks.texts,
        bytes_of(&blocks.rows),
        blocks.inner,
        blocks.flat,
    )


cdef str class_of(xmlNode* node):
    cdef xmlAttr* attribute = node.properties
    while attribute is not NULL:
        if attribute.ns is NULL and strcmp(<const char*>attribute.name, "class") == 0:
            return attributeValue(node, attribute)
        attribute = attribute.next
    return ""


cdef bint has_any(xmlNode* node, xmlNode* end) noexcept nogil:
    while node is not end:
        if has_content(node):
            return True
        node = node.next
    return False


cdef Known* look_up(xmlNode* node, Known* known, list seen, object flags) except NULL:
    """The slot of an element's tag; its value is the number in `seen`."""
    cdef Known* slot = slot_of(known, node.name)
    if slot.name is not node.name or slot.space is not space_of(node):
        tag = namespacedName(node)
        slot.name, slot.space, slot.value = node.name, space_of(node), len(seen)
        seen.append((tag, flags.get(tag, 0)))
    return slot
