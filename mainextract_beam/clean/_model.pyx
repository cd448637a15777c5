# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Evaluating the forest of model.py in C, to the same result (see walks.py)."""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

cdef enum:
    WORDS = 8
    AT_ONCE = 64  # rows, a byte of those words each: their answers to all questions stay in the processor's cache


def scores(
    const float[:, ::1] columns,
    const short[::1] features,
    const float[::1] borders,
    const int[:, ::1] questions,
    const float[::1] leaf,
    double[::1] out,
):
    """model.Forest._scores, without the bias, for trees of at most eight levels.

    Args:
        columns: features x rows.
        features: the column each question looks at.
        borders: the question is whether the value is above it.
        questions: which question each level of each tree asks, trees x depth.
        leaf: the leaves of all trees, one tree after the other.
        out: takes the sum of the leaves of each row.
    """
    cdef Py_ssize_t rows = columns.shape[1], asked = features.shape[0], trees = questions.shape[0], depth = questions.shape[1]
    cdef Py_ssize_t begin, width, question, at, level, i
    cdef const float* column
    cdef const float* leaves
    cdef unsigned char* answers
    cdef unsigned char* answer
    cdef unsigned long long* answered
    cdef unsigned long long number[WORDS]
    cdef double total[AT_ONCE]
    cdef float border
    if rows == 0:
        return
    answers = <unsigned char*>malloc(asked * AT_ONCE)
    if answers is NULL:
        raise MemoryError()
    memset(answers, 0, asked * AT_ONCE)
    try:
        for begin in range(0, rows, AT_ONCE):
            width = min(rows - begin, AT_ONCE)
            for question in range(asked):
                column, border, answer = &columns[features[question], begin], borders[question], answers + question * AT_ONCE
                for i in range(width):
                    answer[i] = column[i] > border
            memset(total, 0, sizeof(total))
            for at in range(trees):
                memset(number, 0, sizeof(number))
                for level in range(depth - 1, -1, -1):
                    # No bit crosses from one byte to the next.
                    answered = <unsigned long long*>(answers + questions[at, level] * AT_ONCE)
                    for i in range(WORDS):
                        number[i] = number[i] << 1 | answered[i]
                leaves = &leaf[at << depth]
                for i in range(width):
                    total[i] += leaves[(<unsigned char*>number)[i]]
            for i in range(width):
                out[begin + i] = total[i]
    finally:
        free(answers)
