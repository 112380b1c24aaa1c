/*
 * Resistance distances of a graph whose edges are resistors of one ohm, exactly, as residues.
 *
 * An edge joins u and v if there is an arc in at least one direction. In a component with Laplacian L let M be the inverse
 * of L without the row and the column of one vertex, extended by zeros; then r(u, v) = M_uu + M_vv - 2 M_uv. All entries
 * are rational with the number of spanning trees as a common denominator. They are computed modulo p = 2^61 - 1: equal
 * resistances have equal residues, and different ones have equal residues about as rarely as hashes collide. If p divides
 * the number of spanning trees of a component, the next smaller prime takes its place there.
 *
 * Gauss-Jordan elimination, O(m^3) for a component of m vertices.
 */
#include "refine/items/items.h"
#include <string.h>

static const uint64_t PRIMES[] = {(UINT64_C(1) << 61) - 1, (UINT64_C(1) << 61) - 31};
enum { PRIME_COUNT = sizeof PRIMES / sizeof *PRIMES };

/* a b modulo p = 2^61 - c, c < 32: the bits from the 61st on count c times. */
static uint64_t multiply(uint64_t a, uint64_t b, uint64_t p)
{
    const uint64_t low = (UINT64_C(1) << 61) - 1, c = low - p + 1;
    const unsigned __int128 product = (unsigned __int128)a * b;
    const unsigned __int128 once = (product & low) + (product >> 61) * c;
    uint64_t twice = (uint64_t)(once & low) + (uint64_t)(once >> 61) * c;
    if (twice >= p) twice -= p;
    return twice >= p ? twice - p : twice;
}

static uint64_t subtract(uint64_t a, uint64_t b, uint64_t p)
{
    return a >= b ? a - b : a + (p - b);
}

/* a^(p-2), the inverse of a modulo p. */
static uint64_t invert(uint64_t a, uint64_t p)
{
    uint64_t result = 1;
    for (uint64_t exponent = p - 2; exponent; exponent >>= 1, a = multiply(a, a, p))
        if (exponent & 1) result = multiply(result, a, p);
    return result;
}

/* Joins u and v in the Laplacian of m vertices, unless they are joined already. */
static void join(uint64_t *laplacian, size_t m, size_t u, size_t v, uint64_t p)
{
    if (u == v || laplacian[u * m + v]) return;
    laplacian[u * m + v] = laplacian[v * m + u] = p - 1;
    laplacian[u * m + u]++, laplacian[v * m + v]++;
}

/* The Laplacian of the component order[0..m). place[v] is the position of v. */
static void fill_laplacian(const lm_adjacency *out, const uint32_t *order, const uint64_t *place, size_t m, uint64_t p,
                           uint64_t *laplacian)
{
    memset(laplacian, 0, m * m * sizeof *laplacian);
    for (size_t i = 0; i < m; i++)
        for (uint64_t e = out->start[order[i]]; e < out->start[order[i] + 1]; e++)
            join(laplacian, m, i, place[out->head[e]], p);
}

/* Exchanges rows and columns a and b of the first `size` of m: a renumbering, undone by doing it again. */
static void exchange_rows(uint64_t *x, size_t m, size_t size, size_t a, size_t b)
{
    for (size_t i = 0; i < size && a != b; i++) {
        const uint64_t t = x[a * m + i];
        x[a * m + i] = x[b * m + i];
        x[b * m + i] = t;
    }
}

static void exchange_columns(uint64_t *x, size_t m, size_t size, size_t a, size_t b)
{
    for (size_t i = 0; i < size && a != b; i++) {
        const uint64_t t = x[i * m + a];
        x[i * m + a] = x[i * m + b];
        x[i * m + b] = t;
    }
}

/* Subtracts a multiple of row `pivot` from row i; column `pivot` becomes the column of the inverse. */
static void eliminate(uint64_t *x, size_t m, size_t size, size_t pivot, size_t i, uint64_t p)
{
    const uint64_t factor = x[i * m + pivot];
    if (!factor) return;
    x[i * m + pivot] = 0;
    for (size_t k = 0; k < size; k++) x[i * m + k] = subtract(x[i * m + k], multiply(factor, x[pivot * m + k], p), p);
}

/* Inverts the first `size` rows and columns of x[m][m] in place. exchanged[size] is scratch. Returns false if they are
 * singular modulo p. */
static bool invert_matrix(uint64_t *x, size_t m, size_t size, uint64_t p, uint32_t *exchanged,
                          const lm_cancellation *cancellation)
{
    for (size_t pivot = 0; pivot < size; pivot++) {
        size_t row = pivot;
        if (lm_cancellation_poll(cancellation)) return true;
        while (row < size && !x[row * m + pivot]) row++;
        if (row == size) return false;
        exchange_rows(x, m, size, pivot, row);
        exchanged[pivot] = (uint32_t)row;
        const uint64_t inverse = invert(x[pivot * m + pivot], p);
        x[pivot * m + pivot] = 1;
        for (size_t k = 0; k < size; k++) x[pivot * m + k] = multiply(x[pivot * m + k], inverse, p);
        for (size_t i = 0; i < size; i++)
            if (i != pivot) eliminate(x, m, size, pivot, i, p);
    }
    for (size_t pivot = size; pivot-- > 0;) exchange_columns(x, m, size, pivot, exchanged[pivot]);
    return true;
}

/* Lists the vertices joined with u by paths of edges, behind order[count]. Returns the new count. place[v] is set. */
static size_t find_component(const lm_adjacency *out, const lm_adjacency *in, uint32_t u, uint32_t *order, size_t count,
                             uint64_t *place)
{
    const lm_adjacency *sides[] = {out, in};
    const size_t first = count;
    place[u] = 0;
    order[count++] = u;
    for (size_t i = first; i < count; i++)
        for (int side = 0; side < 2; side++)
            for (uint64_t e = sides[side]->start[order[i]]; e < sides[side]->start[order[i] + 1]; e++) {
                const uint32_t w = sides[side]->head[e];
                if (place[w] != UINT64_MAX) continue;
                place[w] = count - first;
                order[count++] = w;
            }
    return count;
}

static void write_component(const uint32_t *order, size_t m, const uint64_t *inverse, uint64_t p, uint64_t mark,
                            size_t n, uint64_t *resistance)
{
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < m; k++) {
            const bool inner = i + 1 < m && k + 1 < m; /* the last vertex is the one that was left out */
            const uint64_t a = i + 1 < m ? inverse[i * m + i] : 0, b = k + 1 < m ? inverse[k * m + k] : 0;
            const uint64_t c = inner ? inverse[i * m + k] : 0;
            const uint64_t both = subtract(a, p - b, p), twice = subtract(c, p - c, p);
            resistance[order[i] * n + order[k]] = i == k ? 0 : subtract(both, twice, p) + mark;
        }
}

void lm_resistances(size_t n, const lm_adjacency *out, const lm_adjacency *in, const lm_cancellation *cancellation,
                    uint64_t *resistance, uint64_t *scratch, uint32_t *order)
{
    uint64_t *place = scratch + n * n;
    memset(place, 0xff, n * sizeof *place);
    memset(resistance, 0xff, n * n * sizeof *resistance);
    size_t count = 0;
    for (uint32_t u = 0; u < n; u++) {
        const size_t first = count;
        if (place[u] != UINT64_MAX) continue;
        count = find_component(out, in, u, order, count, place);
        const size_t m = count - first;
        for (size_t i = 0; i < PRIME_COUNT; i++) {
            fill_laplacian(out, order + first, place, m, PRIMES[i], scratch);
            if (!invert_matrix(scratch, m, m - 1, PRIMES[i], order + n, cancellation)) continue;
            write_component(order + first, m, scratch, PRIMES[i], (uint64_t)i << 61, n, resistance);
            break;
        }
    }
}
