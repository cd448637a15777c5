# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Finding the blocks that stand alike in C, to the same result as choose.py (see walks.py)."""

from libc.string cimport memset

from mainextract_beam._nodes cimport Numbered, forget, key_number


def structures(
    const int[::1] owner, const int[::1] parent, const int[::1] tag_code, list inner not None, int levels, int[::1] out
):
    """choose._structures.

    Args:
        owner: to inner: see blocks.Cut.
        levels: elements above a block that are looked at, eight at most.
        out: takes a number per block.
    """
    cdef Numbered pairs, places
    cdef Py_ssize_t block
    cdef int at, level
    cdef unsigned long long number
    cdef dict tags = {}
    memset(&pairs, 0, sizeof(pairs))
    memset(&places, 0, sizeof(places))
    try:
        for block in range(out.shape[0]):
            tag = (<tuple>inner[block])[0]
            number = <unsigned int>tags.setdefault(tag, len(tags))
            at = owner[block]
            for level in range(levels):
                # The number of a pair: what is known so far, and the next element above. Each level has its own.
                number = (number << 3 | level) << 24 | <unsigned int>(tag_code[at] + 1 if at >= 0 else 0)
                number = <unsigned int>key_number(&pairs, number)
                at = parent[at] if at >= 0 else -1
            out[block] = key_number(&places, number)
    finally:
        forget(&pairs)
        forget(&places)
