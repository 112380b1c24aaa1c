/*
 * Charts as SVG, described by a struct: two axes, and series of dots, lines and error bars. Each series has a colour
 * and a shape, so that series can be distinguished without colour. Coordinates are in units of about a pixel on a
 * phone; the chart grows with its column. Colours come from the style sheet of the page.
 */
#ifndef LM_CHART_H
#define LM_CHART_H

#include "base/file.h"

enum { LM_TICKS = 12, LM_SHAPES = 7 };

/* Round numbers in a range: multiples of 1, 2 or 5 times a power of ten. */
typedef struct lm_ticks {
    size_t count;
    double value[LM_TICKS];
    int decimals; /* decimals needed to distinguish them */
} lm_ticks;
/* Returns about `wanted` ticks in [low, high]; whole: integers only. An interval without width gives one tick. A range
 * that is reversed, not finite or overflows gives none. */
lm_ticks lm_ticks_linear(double low, double high, size_t wanted, bool whole);
/* Returns powers of ten in [low, high], skipping some if there are more than `wanted`. If there are fewer than two, 2
 * and 5 times powers of ten are added. */
lm_ticks lm_ticks_powers(double low, double high, size_t wanted);

typedef struct lm_axis {
    const char *label;        /* name with unit: "accuracy in %"; NULL: none */
    double low, high;         /* range; widened if both are equal */
    const char *const *names; /* names of categories 0 .. high instead of numbers; NULL: numbers */
    bool whole;               /* ticks at integers only */
    bool powers;              /* logarithmic; low > 0 */
    bool plain;               /* neither ticks nor grid: only relative positions matter */
} lm_axis;

typedef struct lm_series {
    const char *name; /* name in the legend; NULL: not in the legend */
    size_t count;
    const double *x, *y; /* points that are not finite are omitted; NULL: first, first + 1, ... */
    double first;
    size_t step;           /* bytes from one value of x and y to the next; 0: sizeof(double) */
    const double *spread;  /* half the length of each error bar, or NULL */
    bool sideways;         /* error bars along x */
    bool steps;            /* the line is constant up to the next x and jumps there */
    bool dots, line, band; /* band: draw the spread as an area around the line */
    bool values;           /* write the number beside each dot, with `decimals` decimals */
    int decimals;
    bool significant;          /* three significant digits instead of decimals */
    bool faded;                /* for many overlapping dots */
    bool quiet;                /* dots in the background */
    const char *const *titles; /* tooltips of the dots; NULL: none */
    unsigned style;            /* number of colour and shape: 0, 1, 2, ... */
} lm_series;

typedef struct lm_chart {
    const char *title, *description; /* texts for screen readers */
    double width, height;            /* 0: as wide as a phone, and two thirds as high */
    lm_axis x, y;
    const lm_series *series;
    size_t count;
    bool diagonal; /* draw the line y = x */
    bool equal;    /* equal units on both axes: the shorter range is widened */
} lm_chart;

/* Returns a chart without series whose axes have these labels and empty ranges. */
lm_chart lm_chart_new(const char *title, const char *description, const char *x, const char *y);
/* Returns a series of dots. The other members are 0. */
lm_series lm_series_dots(const char *name, size_t count, const double *x, const double *y, unsigned style);
/* Sets the series of a chart, and extends each axis that has an empty range to all of them: from the smallest value minus
 * spread to the largest value plus spread. Values that are not finite are ignored. */
void lm_chart_show(lm_chart *chart, const lm_series *series, size_t count);
/* Writes the chart as an <svg> element. O(points). */
void lm_chart_write(lm_output *out, const lm_chart *chart);
/* Writes the legend, a list of names with their marks. Writes nothing if fewer than two series have names. */
void lm_chart_legend(lm_output *out, const lm_series *series, size_t count);
/* Returns the number of the colour class of a style. */
unsigned lm_style_color(unsigned style);
/* Writes the mark of a style with its centre at (x, y); `title`, which may be NULL, is its tooltip. */
void lm_mark_write(lm_output *out, unsigned style, double x, double y, double radius, const char *title);

#endif
