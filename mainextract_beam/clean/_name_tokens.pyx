# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Looking up the tokens of names in C: what name_tokens.py parts, to the same result (see walks.py)."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.string cimport memcmp, memcpy

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    unsigned int PyUnicode_READ(int kind, void* data, Py_ssize_t index)
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL

cdef enum:
    LONGEST = 20  # letters of a token, as in name_tokens.py

cdef struct Word:
    char letters[LONGEST]
    int size
    double value


cdef inline bint is_lower(unsigned int code) noexcept nogil:
    return c"a" <= code <= c"z"


cdef inline bint is_upper(unsigned int code) noexcept nogil:
    return c"A" <= code <= c"Z"


cdef inline unsigned int hashed(unsigned int before, char letter) noexcept nogil:
    """FNV-1a."""
    return (before ^ <unsigned char>letter) * 16777619u


cdef class Words:
    """A table of lower-case ASCII words of at most LONGEST letters, each with a number."""

    cdef Word* table
    cdef unsigned int mask

    def __cinit__(self, values):
        cdef Py_ssize_t size = 0
        cdef const char* letters
        cdef unsigned int place = 2166136261u
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
            place = 2166136261u
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
        cdef Py_ssize_t row, at, end, size, index
        cdef int kind
        cdef void* data
        cdef unsigned int code, place
        cdef char letters[LONGEST]
        cdef double value, low, high, summed
        cdef str text
        for row in range(len(elements)):
            text = elements[row]
            size, kind, data = len(text), PyUnicode_KIND(text), PyUnicode_DATA(text)
            low = high = summed = 0
            at = 0
            while at < size:
                code = PyUnicode_READ(kind, data, at)
                # A token: one capital or none and what is lower-case behind it, or capitals up to the next such.
                end = at + 1
                if is_upper(code) and not (end < size and is_lower(PyUnicode_READ(kind, data, end))):
                    while end < size and is_upper(PyUnicode_READ(kind, data, end)):
                        end += 1
                    if end < size and is_lower(PyUnicode_READ(kind, data, end)):
                        end -= 1
                elif is_lower(code) or is_upper(code):
                    while end < size and is_lower(PyUnicode_READ(kind, data, end)):
                        end += 1
                else:
                    at = end
                    continue
                if 1 < end - at <= LONGEST:
                    place = 2166136261u
                    for index in range(end - at):
                        letters[index] = <char>(PyUnicode_READ(kind, data, at + index) | 0x20)
                        place = hashed(place, letters[index])
                    value = self.find(letters, end - at, place).value
                    low, high, summed = min(low, value), max(high, value), summed + value
                at = end
            out[row, 0], out[row, 1], out[row, 2] = <float>low, <float>high, <float>summed
