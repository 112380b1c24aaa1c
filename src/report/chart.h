/*
 * Charts as SVG, described by a struct: two axes and some series of dots, lines and error bars. A series has a colour
 * and a shape, so that series can be distinguished without colour too. Places are in units of about a pixel on a phone;
 * the chart grows with its column. Colours come from the style sheet of the page.
 */
#ifndef LM_CHART_H
#define LM_CHART_H

#include "base/file.h"

enum { LM_TICKS = 12, LM_SHAPES = 7 };

/* Round numbers that cover a range: multiples of 1, 2 or 5 times a power of ten, about `wanted` of them. */
typedef struct lm_ticks {
    size_t count;
    double value[LM_TICKS];
    int decimals; /* that distinguish them */
} lm_ticks;
/* Ticks inside low .. high; whole: integers only. Wide or empty ranges and what is not finite give one tick, or none.
 */
lm_ticks lm_ticks_linear(double low, double high, size_t wanted, bool whole);
/* Powers of ten inside low .. high, every so many; where there are fewer than two, also 2 and 5 times them. */
lm_ticks lm_ticks_powers(double low, double high, size_t wanted);

typedef struct lm_axis {
    const char *label;        /* with its unit: "accuracy in %"; NULL: none */
    double low, high;         /* equal: made wider */
    const char *const *names; /* a category for each of 0 .. high instead of numbers; NULL: numbers */
    bool whole;               /* ticks at integers only */
    bool powers;              /* logarithmic; low > 0 */
    bool plain;               /* neither ticks nor grid: places matter, numbers do not */
} lm_axis;

typedef struct lm_series {
    const char *name; /* in the legend; NULL: not there */
    size_t count;
    const double *x, *y;   /* points that are not finite are left out */
    const double *spread;  /* half an error bar, or NULL */
    bool sideways;         /* error bars along x */
    bool steps;            /* the line stays level until the next x, where it jumps */
    bool dots, line, band; /* band: the spread as an area around the line */
    bool values;           /* the number beside each dot, with so many decimals */
    int decimals;
    bool significant;          /* three significant digits instead of decimals */
    bool faded;                /* many dots, one over the other */
    bool quiet;                /* dots in the background */
    const char *const *titles; /* of the dots, shown under the pointer; NULL: none */
    unsigned style;            /* colour and shape: 0, 1, 2, ... */
} lm_series;

typedef struct lm_chart {
    const char *title, *description; /* for readers who hear the page */
    double width, height;            /* 0: as wide as a phone and two thirds as high */
    lm_axis x, y;
    const lm_series *series;
    size_t count;
    bool diagonal; /* the line y = x */
    bool equal;    /* a unit is as long on one axis as on the other: the shorter range is made wider */
} lm_chart;

/* The <svg>. O(points). */
void lm_chart_write(lm_output *out, const lm_chart *chart);
/* A list of names with their marks, below it; nothing where fewer than two series have names. */
void lm_chart_legend(lm_output *out, const lm_series *series, size_t count);
/* The colour class and the mark of style number `style` with its centre at (x, y). */
unsigned lm_style_color(unsigned style);
void lm_mark_write(lm_output *out, unsigned style, double x, double y, double radius, const char *title);

/* Least and greatest finite value of values less and plus spread (or NULL); false where there is none. */
bool lm_range_of(const double *values, const double *spread, size_t count, double *low, double *high);

#endif
