/* Points of a drawing: sums, rotations, angles, crossings of segments. */
#ifndef LM_GEOMETRY_H
#define LM_GEOMETRY_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define LM_PI 3.14159265358979323846

typedef struct lm_point {
    double x, y;
} lm_point;

static inline lm_point lm_point_add(lm_point a, lm_point b)
{
    return (lm_point){a.x + b.x, a.y + b.y};
}

static inline lm_point lm_point_subtract(lm_point a, lm_point b)
{
    return (lm_point){a.x - b.x, a.y - b.y};
}

static inline lm_point lm_point_scale(lm_point a, double factor)
{
    return (lm_point){factor * a.x, factor * a.y};
}

static inline double lm_point_square(lm_point a)
{
    return a.x * a.x + a.y * a.y;
}

static inline double lm_distance(lm_point a, lm_point b)
{
    return sqrt(lm_point_square(lm_point_subtract(a, b)));
}

static inline double lm_angle(lm_point from, lm_point to)
{
    return atan2(to.y - from.y, to.x - from.x);
}

static inline lm_point lm_polar(double angle, double length)
{
    return lm_point_scale((lm_point){cos(angle), sin(angle)}, length);
}

/* Returns the widest angle between neighbouring directions; *from is the direction where it begins. A later angle must
 * be wider by more than the tolerance. Without directions it is 2 pi from 0. */
static inline double lm_widest_angle(const double *direction, size_t count, double tolerance, double *from)
{
    double widest = 0;
    *from = 0;
    if (!count) return 2 * LM_PI;
    for (size_t i = 0; i < count; i++) {
        double next = 2 * LM_PI;
        for (size_t k = 0; k < count; k++)
            if (k != i) next = fmin(next, fmod(direction[k] - direction[i] + 4 * LM_PI, 2 * LM_PI));
        if (next > widest + tolerance) widest = next, *from = direction[i];
    }
    return widest;
}

/* Returns a rotated by an angle about the origin. */
static inline lm_point lm_rotate(lm_point a, double angle)
{
    const double c = cos(angle), s = sin(angle);
    return (lm_point){c * a.x - s * a.y, s * a.x + c * a.y};
}

/* Returns a reflected at the line through `at` with this direction. */
static inline lm_point lm_reflect(lm_point a, lm_point at, double direction)
{
    const double c = cos(2 * direction), s = sin(2 * direction), x = a.x - at.x, y = a.y - at.y;
    return (lm_point){at.x + c * x + s * y, at.y + s * x - c * y};
}

/* Returns twice the signed area of the triangle, positive if a, b, c turn to the left. */
static inline double lm_side(lm_point a, lm_point b, lm_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Returns true if the segments from a to b and from c to d cross in their interior. */
static inline bool lm_cross(lm_point a, lm_point b, lm_point c, lm_point d)
{
    if (fmax(a.x, b.x) < fmin(c.x, d.x) || fmax(c.x, d.x) < fmin(a.x, b.x) || fmax(a.y, b.y) < fmin(c.y, d.y) ||
        fmax(c.y, d.y) < fmin(a.y, b.y))
        return false;
    return lm_side(a, b, c) * lm_side(a, b, d) < -1e-9 && lm_side(c, d, a) * lm_side(c, d, b) < -1e-9;
}

/* Returns the squared distance of p from the segment from a to b. */
static inline double lm_segment_square(lm_point p, lm_point a, lm_point b)
{
    const lm_point along = lm_point_subtract(b, a), to = lm_point_subtract(p, a);
    const double length = lm_point_square(along);
    double t = length > 0 ? (to.x * along.x + to.y * along.y) / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return lm_point_square((lm_point){to.x - t * along.x, to.y - t * along.y});
}

#endif
