# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""What features.py counts and sums up block by block, in C, to the same result (see walks.py)."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.math cimport fmaxf
from libc.string cimport memset, strstr

from mainextract_beam._nodes cimport (
    BASIS,
    PyUnicode_1BYTE_DATA,
    PyUnicode_AsUTF8AndSize,
    PyUnicode_DATA,
    PyUnicode_GET_LENGTH,
    PyUnicode_IS_ASCII,
    PyUnicode_KIND,
    PyUnicode_READ,
    hashed,
)

# The bits of features._classes.
cdef enum:
    UPPER = 1
    DIGIT = 2
    WORD = 4
    CJK = 8
    STOP = 16
    DOT = 32
    COMMA = 64
    SEPARATOR = 128
    SPACE = 256
    OTHER = 512

cdef enum:
    NEVER = 99  # the distance of what is not above
    BUCKETS = 4096  # words are hashed to

cdef float TINY = 1e-6


def count_text(list texts not None, const unsigned short[::1] classes, int[:, ::1] out):
    """features._counted: the numbers of each text.

    Args:
        texts: none of them empty.
        classes: bits per code point below U+10000.
        out: takes a row per text; its columns are those of features._counted.
    """
    cdef Py_ssize_t row, index, last, size
    cdef unsigned int code
    cdef int kind, before, this, after
    cdef void* data
    cdef str text
    cdef int* counts
    for row in range(len(texts)):
        text = texts[row]
        size, kind, data = len(text), PyUnicode_KIND(text), PyUnicode_DATA(text)
        counts = &out[row, 0]
        counts[0] = <int>size
        before = SPACE
        code = PyUnicode_READ(kind, data, 0)
        this = classes[min(code, 0xFFFF)]
        counts[10] = (this & (UPPER | CJK)) != 0
        for index in range(size):
            if index + 1 < size:
                code = PyUnicode_READ(kind, data, index + 1)
                after = classes[min(code, 0xFFFF)]
            else:
                after = SPACE
            counts[2] += (this & (WORD | CJK)) == WORD and (before & (WORD | CJK)) != WORD
            if this & ~(WORD | SPACE | OTHER):
                counts[1] += (this & CJK) != 0
                counts[3] += (this & UPPER) != 0
                counts[4] += (this & DIGIT) != 0
                counts[5] += (this & STOP) != 0 or (this & DOT and not before & DIGIT and not after & WORD)
                counts[6] += (this & COMMA) != 0
                counts[7] += (this & SEPARATOR) != 0
            before, this = this, after
        # The last character, looking through up to two closing quotes or brackets.
        last = size - 1
        for _ in range(2):
            this = classes[min(PyUnicode_READ(kind, data, last), 0xFFFF)]
            if last and this & (OTHER | SPACE) and not this & (STOP | DOT | COMMA | SEPARATOR):
                last -= 1
        this = classes[min(PyUnicode_READ(kind, data, last), 0xFFFF)]
        counts[8] = (this & (STOP | DOT)) != 0
        counts[9] = (this & COMMA) != 0


cdef struct Kind:
    int distance
    int element


def set_ancestors(
    const int[::1] parent,
    const int[::1] start,
    const int[::1] end,
    const signed char[::1] kind,
    const unsigned char[::1] hidden,
    const int[::1] images,
    const int[::1] images_end,
    const int[::1] twins,
    const float[:, ::1] evidence,
    const int[::1] owner,
    const float[::1] size_sums,
    const float[::1] word_sums,
    const float[::1] link_sums,
    const float[::1] long_sums,
    const float[::1] prose_sums,
    const float[::1] stop_sums,
    float total,
    const int[::1] near,
    const int[::1] holding,
    int many,
    int hidden_kind,
    int climb,
    int levels,
    float[:, ::1] out,
):
    """features._set_ancestors.

    Args:
        parent: to twins: see blocks.Cut.
        evidence: lowest, highest and summed evidence of each element's names.
        owner: see blocks.Cut.
        size_sums: to total: see features._Page.
        near: the kinds whose distance is told.
        holding: the kinds whose share of the text is told.
        many: how many kinds there are, from 0.
        hidden_kind: the kind of what is hidden.
        climb: levels climbed to look for ancestors of a kind.
        levels: containers told of.
        out: takes the rows, features._ANCESTRY of them.
    """
    cdef Py_ssize_t elements = parent.shape[0], n = owner.shape[0], block, index, row
    cdef int at, step, level, first, last
    cdef float size, width
    cdef float* low = <float*>PyMem_Calloc(elements, sizeof(float))
    cdef float* high = <float*>PyMem_Calloc(elements, sizeof(float))
    cdef double* summed = <double*>PyMem_Calloc(elements, sizeof(double))
    cdef Kind* kinds = <Kind*>PyMem_Calloc(many, sizeof(Kind))
    cdef int* depth = <int*>PyMem_Calloc(elements, sizeof(int))
    cdef int* wider = <int*>PyMem_Calloc(elements, sizeof(int))  # features.wider
    try:
        if low is NULL or high is NULL or summed is NULL or kinds is NULL or depth is NULL or wider is NULL:
            raise MemoryError()
        # What an element's names and those above it say together: parents come before their children.
        for index in range(elements):
            at = parent[index]
            low[index], high[index], summed[index], depth[index] = evidence[index, 0], evidence[index, 1], evidence[index, 2], 1
            if at >= 0:
                low[index] = min(low[index], low[at])
                high[index] = max(high[index], high[at])
                summed[index] += summed[at]
                depth[index] += depth[at]
                wider[index] = wider[at] if start[index] == start[at] and end[index] == end[at] else at
        for block in range(n):
            for index in range(many):
                kinds[index].distance = NEVER
            at, step = owner[block], 0
            while at >= 0 and step < climb:
                if kind[at] >= 0 and kinds[kind[at]].distance == NEVER:
                    kinds[kind[at]].distance, kinds[kind[at]].element = step, at
                if hidden[at] and kinds[hidden_kind].distance == NEVER:
                    kinds[hidden_kind].distance, kinds[hidden_kind].element = step, at
                at = parent[at]
                step += 1
            at = owner[block]
            out[0, block] = depth[at]
            row = 1
            for index in range(near.shape[0]):
                out[row, block] = kinds[near[index]].distance
                row += 1
            for index in range(holding.shape[0]):
                if kinds[holding[index]].distance == NEVER:
                    out[row, block] = -1
                else:
                    first = kinds[holding[index]].element
                    out[row, block] = (size_sums[end[first]] - size_sums[start[first]]) / total
                row += 1
            row += 2  # what the name of the inline element says is no matter of ancestors
            out[row, block] = low[at]
            out[row + 1, block] = high[at]
            out[row + 2, block] = <float>summed[at]
            for step in range(4):
                out[row + 5 + step, block] = evidence[at, 2] if at >= 0 else 0
                at = parent[at] if at >= 0 else -1
            out[row + 3, block] = low[at] if at >= 0 else 0
            out[row + 4, block] = high[at] if at >= 0 else 0
            row += 9
            # Containers: each spans more blocks than the one before.
            at = owner[block]
            for level in range(levels):
                first, last = start[at], end[at]
                size = size_sums[last] - size_sums[first]
                width = last - first
                out[row, block] = size / total
                out[row + 1, block] = (link_sums[last] - link_sums[first]) / fmaxf(size, TINY)
                out[row + 2, block] = width
                out[row + 3, block] = long_sums[last] - long_sums[first]
                out[row + 4, block] = size / width
                out[row + 5, block] = (prose_sums[last] - prose_sums[first]) / fmaxf(size, TINY)
                out[row + 6, block] = (stop_sums[last] - stop_sums[first]) / fmaxf(word_sums[last] - word_sums[first], TINY)
                out[row + 7, block] = <float>min(<double>(images_end[at] - images[at]) / <double>width, 5.0)
                out[row + 8, block] = min(twins[at], 50)
                out[row + 9, block] = evidence[at, 0]
                out[row + 10, block] = evidence[at, 1]
                row += 11
                at = wider[at]
    finally:
        PyMem_Free(low)
        PyMem_Free(high)
        PyMem_Free(summed)
        PyMem_Free(kinds)
        PyMem_Free(depth)
        PyMem_Free(wider)


def set_regions(
    const int[::1] parent,
    const int[::1] start,
    const int[::1] end,
    const int[::1] owner,
    const float[::1] size_sums,
    const float[::1] prose_sums,
    double total,
    const double[::1] shares,
    int climb,
    float[:, ::1] out,
):
    """features._set_regions.

    Args:
        parent: to owner: see blocks.Cut.
        size_sums: to total: see features._Page.
        shares: of the page's prose that the tightest containers hold.
        climb: elements above a block that its prose counts for.
        out: takes the rows, features._REGIONS of them.
    """
    cdef Py_ssize_t elements = parent.shape[0], n = owner.shape[0], block, index
    cdef Py_ssize_t best, row = 0
    cdef double whole = max(<double>prose_sums[n], 1.0)
    cdef float enough, width, least, given
    cdef int at, k
    cdef bint found
    cdef float* scores = <float*>PyMem_Calloc(elements, sizeof(float))
    cdef double* sums = <double*>PyMem_Calloc(elements, sizeof(double))
    try:
        if scores is NULL or sums is NULL:
            raise MemoryError()
        for k in range(shares.shape[0]):
            enough, best, least, found = <float>(shares[k] * whole), 0, 0, False
            for index in range(elements):
                if prose_sums[end[index]] - prose_sums[start[index]] >= enough:
                    width = size_sums[end[index]] - size_sums[start[index]]
                    if not found or width < least:
                        best, least, found = index, width, True
            set_place(start[best], end[best], n, &out[row, 0])
            width = size_sums[end[best]] - size_sums[start[best]]
            given = <float>(<double>(prose_sums[end[best]] - prose_sums[start[best]]) / max(<double>width, 1.0))
            for block in range(n):
                out[row + 1, block] = given
            given = <float>(<double>width / total)
            for block in range(n):
                out[row + 2, block] = given
            row += 3
        for k in range(climb):
            memset(sums, 0, elements * sizeof(double))
            for block in range(n):
                given = prose_sums[block + 1] - prose_sums[block]
                if given > 0:
                    at = owner[block]
                    for index in range(k + 1):
                        at = parent[at] if at > 0 else -1
                    if at >= 0:
                        sums[at] += given / <float>(k + 1)
            for index in range(elements):
                scores[index] = <float>(<double>scores[index] + sums[index])
        best = 0
        for index in range(elements):
            if scores[index] > scores[best]:
                best = index
        set_place(start[best], end[best], n, &out[row, 0])
        given = <float>(<double>(size_sums[end[best]] - size_sums[start[best]]) / total)
        for block in range(n):
            out[row + 1, block] = max(start[best] - block, block - end[best] + 1, 0)
            out[row + 2, block] = given
    finally:
        PyMem_Free(scores)
        PyMem_Free(sums)


cdef void set_place(int begin, int finish, Py_ssize_t n, float* out) noexcept nogil:
    """How far into a span of blocks each block stands, from 0 to 1; -1 before it, 2 after it."""
    cdef Py_ssize_t block
    cdef float width = max(finish - begin, 1)
    for block in range(n):
        if block < begin:
            out[block] = -1
        elif block >= finish:
            out[block] = 2
        else:
            out[block] = <float>(block - begin) / width


def set_neighbours(
    const float[:, ::1] rows,
    const float[::1] outside,
    const int[::1] steps,
    const int[::1] reaches,
    const float[::1] size_sums,
    const float[::1] link_sums,
    const float[::1] prose_sums,
    float[:, ::1] out,
):
    """features._set_neighbours.

    Args:
        rows: what is said of the neighbours.
        outside: what is said where there is none.
        steps: how far on the neighbours are.
        reaches: how far the windows reach to each side.
        size_sums: to prose_sums: see features._Page.
        out: takes the rows, features._NEIGHBOURS of them.
    """
    cdef Py_ssize_t n = rows.shape[1], row = 0, said, block, at, step, begin, finish, index
    cdef float size
    for index in range(steps.shape[0]):
        step = steps[index]
        for said in range(rows.shape[0]):
            for block in range(n):
                at = block + step
                out[row, block] = rows[said, at] if 0 <= at < n else outside[said]
            row += 1
    for index in range(reaches.shape[0]):
        for block in range(n):
            begin, finish = max(block - reaches[index], 0), min(block + reaches[index] + 1, n)
            size = size_sums[finish] - size_sums[begin]
            out[row, block] = <float>(<double>size / <double>(finish - begin))
            out[row + 1, block] = (link_sums[finish] - link_sums[begin]) / fmaxf(size, TINY)
            out[row + 2, block] = (prose_sums[finish] - prose_sums[begin]) / fmaxf(size, TINY)
        row += 3


def repeated(list texts not None, float[:, ::1] out):
    """features._repeated."""
    cdef Py_ssize_t block
    cdef dict seen = {}
    for block in range(len(texts)):
        count = seen.get(texts[block], 0) + 1
        seen[texts[block]] = count
        out[1, block] = <float>(<int>count - 1)
    for block in range(len(texts)):
        out[0, block] = <float><int>seen[texts[block]]


def may_overlap(list texts not None, str title not None, wanted, Py_ssize_t longest):
    """Which texts may say the same as a title, as features._title_overlap has it; what is beyond ASCII may.

    Args:
        texts: with no white space but single spaces.
        title: in lower case.
        wanted: its words.
        longest: characters of the longest text looked at.

    Returns:
        The indices of those texts.
    """
    cdef Py_ssize_t row, index, size, length = len(title)
    cdef const unsigned char* data
    cdef const char* stated = PyUnicode_AsUTF8AndSize(title, NULL)
    cdef unsigned int place = BASIS
    cdef unsigned char letter
    cdef unsigned char words[BUCKETS]
    cdef char* lower = <char*>PyMem_Calloc(max(longest, 0) + 1, 1)
    cdef bint may
    cdef str text
    cdef list found = []
    if lower is NULL:
        raise MemoryError()
    try:
        memset(words, 0, sizeof(words))
        for word in wanted:
            place = BASIS
            for letter in <bytes>word.encode():
                place = hashed(place, letter)
            words[place % BUCKETS] = True
        for row in range(len(texts)):
            text = texts[row]
            size = PyUnicode_GET_LENGTH(text)
            if size > longest:
                continue
            may = True
            if PyUnicode_IS_ASCII(text):
                may, place = False, BASIS
                data = PyUnicode_1BYTE_DATA(text)
                for index in range(size):
                    letter = data[index]
                    if letter <= 0x20:
                        may, place = may or words[place % BUCKETS], BASIS
                    else:
                        letter += 0x20 * (c"A" <= letter <= c"Z")
                        place = hashed(place, letter)
                    lower[index] = letter
                lower[size] = 0
                may = may or words[place % BUCKETS] or (size * 3 > length >= size and strstr(stated, lower) is not NULL)
            if may:
                found.append(row)
        return found
    finally:
        PyMem_Free(lower)
