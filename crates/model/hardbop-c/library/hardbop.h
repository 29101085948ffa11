/*
 * What is known of functions whose body Hardbop does not see, for `#include <hardbop.h>`. Each line of a
 * program such as
 *
 *     __hardbop_returns_object(getpw);
 *
 * stands behind a declaration of the function and is a declaration itself; to other compilers it says
 * nothing new. What is relied on is listed among the assumptions of a verdict.
 */
#ifndef HARDBOP_H
#define HARDBOP_H

#ifdef __HARDBOP__
#define __hardbop_contract(f, ...) extern __typeof__(f) f __attribute__((__VA_ARGS__))
#else
#define __hardbop_contract(f, ...) extern __typeof__(f) f
#endif

/* Never null: a live object of the type that the result points to. */
#define __hardbop_returns_object(f) __hardbop_contract(f, hardbop_returns_object)
/* Never null. */
#define __hardbop_returns_nonnull(f) __hardbop_contract(f, returns_nonnull)
/* Null is one of the results: a caller that does not ask is wrong. */
#define __hardbop_may_return_null(f) __hardbop_contract(f, hardbop_may_return_null)
/* A number from `least` to `most`. */
#define __hardbop_returns_range(f, least, most) __hardbop_contract(f, hardbop_returns_range(least, most))
/* Fresh memory, or null: its size is the argument at this position, or the product of two. */
#define __hardbop_allocates(f, ...) __hardbop_contract(f, malloc, alloc_size(__VA_ARGS__))
/* These arguments, counted from 1, must not be null. */
#define __hardbop_nonnull(f, ...) __hardbop_contract(f, nonnull(__VA_ARGS__))
/* It changes nothing. */
#define __hardbop_pure(f) __hardbop_contract(f, pure)

#endif
