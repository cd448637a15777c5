# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Looking up the tokens of names in C: what name_tokens.py parts, to the same result (see walks.py)."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.string cimport memcmp, memcpy, memset

from mainextract_beam._nodes cimport (
    BASIS,
    Numbered,
    PyUnicode_AsUTF8AndSize,
    PyUnicode_DATA,
    PyUnicode_KIND,
    PyUnicode_READ,
    forget,
    hashed,
    key_number,
)

cdef extern from "Python.h":
    bint Py_UNICODE_ISSPACE(unsigned int code) nogil

cdef enum:
    SHORTEST = 2
    LONGEST = 20  # letters of a token, as in name_tokens.py

cdef struct Word:
    char letters[LONGEST]
    int size
    double value


cdef inline bint is_lower(unsigned int code) noexcept nogil:
    return c"a" <= code <= c"z"


cdef inline bint is_upper(unsigned int code) noexcept nogil:
    return c"A" <= code <= c"Z"


cdef int next_token(int kind, void* data, Py_ssize_t size, Py_ssize_t* at, char* letters) noexcept nogil:
    """Reads the next token of a text in lower case; its length, 0 where there is none.

    A token is one capital or none and what is lower-case behind it, or capitals up to the next such.
    """
    cdef Py_ssize_t begin, end, index
    cdef unsigned int code
    while at[0] < size:
        begin = at[0]
        code = PyUnicode_READ(kind, data, begin)
        end = begin + 1
        if is_upper(code) and not (end < size and is_lower(PyUnicode_READ(kind, data, end))):
            while end < size and is_upper(PyUnicode_READ(kind, data, end)):
                end += 1
            if end < size and is_lower(PyUnicode_READ(kind, data, end)):
                end -= 1
        elif is_lower(code) or is_upper(code):
            while end < size and is_lower(PyUnicode_READ(kind, data, end)):
                end += 1
        at[0] = end
        if SHORTEST <= end - begin <= LONGEST:
            for index in range(end - begin):
                letters[index] = <char>(PyUnicode_READ(kind, data, begin + index) | 0x20)
            return <int>(end - begin)
    return 0


cdef class Words:
    """A table of lower-case ASCII words of at most LONGEST letters, each with a number."""

    cdef Word* table
    cdef unsigned int mask

    def __cinit__(self, values):
        cdef Py_ssize_t size = 0
        cdef const char* letters
        cdef unsigned int place = BASIS
        cdef Word* word
        cdef Py_ssize_t index
        self.mask = 63
        while self.mask < 2 * len(values):
            self.mask = 2 * self.mask + 1
        self.table = <Word*>PyMem_Calloc(self.mask + 1, sizeof(Word))
        if self.table is NULL:
            raise MemoryError()
        for text, value in values.items():
            letters = PyUnicode_AsUTF8AndSize(text, &size)
            if not 0 < size <= LONGEST:
                continue  # no token is like it
            place = BASIS
            for index in range(size):
                place = hashed(place, letters[index])
            word = self.find(letters, size, place)
            memcpy(word.letters, letters, size)
            word.size, word.value = <int>size, value

    def __dealloc__(self):
        PyMem_Free(self.table)

    cdef Word* find(self, const char* letters, Py_ssize_t size, unsigned int place) noexcept nogil:
        """The entry of a word, or the free one where it would stand."""
        cdef Word* word
        while True:
            word = &self.table[place & self.mask]
            if word.size == 0 or (word.size == size and memcmp(word.letters, letters, size) == 0):
                return word
            place += 1

    def evidence(self, list elements not None, float[:, ::1] out):
        """model.BlockModel.evidence.

        Args:
            elements: the names of each element.
            out: takes the lowest, the highest and the sum of the numbers of its words, a row per element.
        """
        cdef Py_ssize_t row, at, size, index, alike
        cdef int kind, length
        cdef void* data
        cdef unsigned int place
        cdef dict rows = {}  # the first of each text
        cdef char letters[LONGEST]
        cdef double value, low, high, summed
        cdef str text
        for row in range(len(elements)):
            text = elements[row]
            alike = rows.setdefault(text, row)
            if alike != row:
                out[row, 0], out[row, 1], out[row, 2] = out[alike, 0], out[alike, 1], out[alike, 2]
                continue
            size, kind, data = len(text), PyUnicode_KIND(text), PyUnicode_DATA(text)
            low = high = summed = 0
            at = 0
            while True:
                length = next_token(kind, data, size, &at, letters)
                if length == 0:
                    break
                place = BASIS
                for index in range(length):
                    place = hashed(place, letters[index])
                value = self.find(letters, length, place).value
                low, high, summed = min(low, value), max(high, value), summed + value
            out[row, 0], out[row, 1], out[row, 2] = <float>low, <float>high, <float>summed

    def begun(self, list elements not None, int many):
        """metadata.name_families.count_families: how many different names hold a token that begins with a word of each number.

        Args:
            elements: the names of each element.
            many: the words' numbers are 0 and up, so many. Of several words that a token begins with the longest counts.

        Returns:
            How many names, by number.
        """
        cdef Py_ssize_t at, begin, size, index
        cdef int kind, length, names = 0
        cdef void* data
        cdef unsigned int code
        cdef unsigned int places[LONGEST + 1]
        cdef char letters[LONGEST]
        cdef Word* word
        cdef Numbered seen  # names by a hash of 64 bits
        cdef unsigned long long name
        cdef str text
        cdef list counts = [0] * many, last = [-1] * many
        memset(&seen, 0, sizeof(seen))
        places[0] = BASIS
        try:
            for text in elements:
                size, kind, data = len(text), PyUnicode_KIND(text), PyUnicode_DATA(text)
                at = 0
                while at < size:
                    if Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, at)):
                        at += 1
                        continue
                    begin, name = at, 14695981039346656037u
                    while at < size:
                        code = PyUnicode_READ(kind, data, at)
                        if Py_UNICODE_ISSPACE(code):
                            break
                        name = (name ^ code) * 1099511628211u
                        at += 1
                    if key_number(&seen, name) < names:
                        continue
                    names += 1
                    while True:
                        length = next_token(kind, data, at, &begin, letters)
                        if length == 0:
                            break
                        for index in range(length):
                            places[index + 1] = hashed(places[index], letters[index])
                        for index in range(length, 0, -1):
                            word = self.find(letters, index, places[index])
                            if word.size:
                                if last[<int>word.value] != names:
                                    last[<int>word.value] = names
                                    counts[<int>word.value] += 1
                                break
            return counts
        finally:
            forget(&seen)
