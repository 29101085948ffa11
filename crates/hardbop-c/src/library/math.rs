//! Of `math.h`: what can be said exactly in C, each after those it calls. Functions such as `sqrt` are
//! left without a body.

use super::Function;

pub(super) const FUNCTIONS: &[Function] = &[
    (
        "copysign",
        &[],
        "double copysign(double x, double y) { union { double d; unsigned long long n; } u, v; u.d = x; v.d = y; u.n = u.n & 0x7fffffffffffffffULL | v.n & 0x8000000000000000ULL; return u.d; }",
    ),
    ("isnan", &[], "int isnan(double x) { return x != x; }"),
    ("isnanf", &[], "int isnanf(float x) { return x != x; }"),
    (
        "isinf_sign",
        &[],
        "int isinf_sign(double x) { return x > 1.7976931348623157e308 ? 1 : x < -1.7976931348623157e308 ? -1 : 0; }",
    ),
    ("isinf", &["isinf_sign"], "int isinf(double x) { return isinf_sign(x); }"),
    (
        "isfinite",
        &[],
        "int isfinite(double x) { return x >= -1.7976931348623157e308 && x <= 1.7976931348623157e308; }",
    ),
    ("finite", &["isfinite"], "int finite(double x) { return isfinite(x); }"),
    (
        "signbit",
        &[],
        "int signbit(double x) { union { double d; unsigned long long n; } u; u.d = x; return (int)(u.n >> 63); }",
    ),
    ("signbitf", &["signbit"], "int signbitf(float x) { return signbit(x); }"),
    ("isgreater", &[], "int isgreater(double x, double y) { return x > y; }"),
    ("isgreaterequal", &[], "int isgreaterequal(double x, double y) { return x >= y; }"),
    ("isless", &[], "int isless(double x, double y) { return x < y; }"),
    ("islessequal", &[], "int islessequal(double x, double y) { return x <= y; }"),
    ("islessgreater", &[], "int islessgreater(double x, double y) { return x < y || x > y; }"),
    ("isunordered", &[], "int isunordered(double x, double y) { return x != x || y != y; }"),
    ("fabs", &["copysign"], "double fabs(double x) { return copysign(x, 1.0); }"),
    ("fabsf", &["copysign"], "float fabsf(float x) { return (float)copysign(x, 1.0); }"),
    (
        "copysignf",
        &["copysign"],
        "float copysignf(float x, float y) { return (float)copysign(x, y); }",
    ),
    (
        "fmax",
        &[],
        "double fmax(double x, double y) { return x != x ? y : y != y ? x : x < y ? y : x; }",
    ),
    ("fmaxf", &["fmax"], "float fmaxf(float x, float y) { return (float)fmax(x, y); }"),
    (
        "fmin",
        &[],
        "double fmin(double x, double y) { return x != x ? y : y != y ? x : y < x ? y : x; }",
    ),
    ("fminf", &["fmin"], "float fminf(float x, float y) { return (float)fmin(x, y); }"),
    (
        "trunc",
        &["copysign"],
        "double trunc(double x) { if (!(x > -4503599627370496.0 && x < 4503599627370496.0)) return x; return copysign((double)(long long)x, x); }",
    ),
    ("truncf", &["trunc"], "float truncf(float x) { return (float)trunc(x); }"),
    (
        "floor",
        &["trunc"],
        "double floor(double x) { double t = trunc(x); return t > x ? t - 1.0 : t; }",
    ),
    ("floorf", &["floor"], "float floorf(float x) { return (float)floor(x); }"),
    (
        "ceil",
        &["trunc", "copysign"],
        "double ceil(double x) { double t = trunc(x); return t < x ? copysign(t + 1.0, x) : t; }",
    ),
    ("ceilf", &["ceil"], "float ceilf(float x) { return (float)ceil(x); }"),
    (
        "round",
        &["trunc"],
        "double round(double x) { double t = trunc(x), d = x - t; return d >= 0.5 ? t + 1.0 : d <= -0.5 ? t - 1.0 : t; }",
    ),
    ("roundf", &["round"], "float roundf(float x) { return (float)round(x); }"),
    (
        "rint",
        &["copysign"],
        "double rint(double x) { double m = copysign(4503599627370496.0, x); if (!(x > -4503599627370496.0 && x < 4503599627370496.0)) return x; return copysign(x + m - m, x); }",
    ),
    ("nearbyint", &["rint"], "double nearbyint(double x) { return rint(x); }"),
];
