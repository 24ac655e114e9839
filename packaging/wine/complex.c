/* The functions of complex numbers of Microsoft's C library, which Wine 8 names and does not have.

   Arguments and results lie where Microsoft's compiler puts them, and long double is double there.
   All else of that library is forwarded to Wine's (dev_wine.py). */
#include <complex.h>

typedef struct { double real, imag; } pair;
typedef struct { float real, imag; } pairf;

static double complex of(pair z) { return z.real + z.imag * I; }
static float complex off(pairf z) { return z.real + z.imag * I; }
static pair back(double complex z) { return (pair){creal(z), cimag(z)}; }
static pairf backf(float complex z) { return (pairf){crealf(z), cimagf(z)}; }

#define MAPS(NAME) \
    pair waggle_##NAME(pair z) { return back(NAME(of(z))); } \
    pair waggle_##NAME##l(pair z) { return back(NAME(of(z))); } \
    pairf waggle_##NAME##f(pairf z) { return backf(NAME##f(off(z))); }
#define MEASURES(NAME) \
    double waggle_##NAME(pair z) { return NAME(of(z)); } \
    double waggle_##NAME##l(pair z) { return NAME(of(z)); } \
    float waggle_##NAME##f(pairf z) { return NAME##f(off(z)); }
#define COMBINES(NAME) \
    pair waggle_##NAME(pair z, pair w) { return back(NAME(of(z), of(w))); } \
    pair waggle_##NAME##l(pair z, pair w) { return back(NAME(of(z), of(w))); } \
    pairf waggle_##NAME##f(pairf z, pairf w) { return backf(NAME##f(off(z), off(w))); }

MAPS(ccos)
MAPS(ccosh)
MAPS(cexp)
MAPS(clog)
MAPS(csin)
MAPS(csinh)
MAPS(csqrt)
MAPS(ctan)
MAPS(ctanh)
MEASURES(cabs)
MEASURES(carg)
MEASURES(cimag)
MEASURES(creal)
COMBINES(cpow)
