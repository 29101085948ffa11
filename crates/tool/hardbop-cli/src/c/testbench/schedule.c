/*
 * Makes the threads of the program come to what they share in the order of the file `schedule`. A place is known by its
 * line, by the variable or the function, and by how often the thread came by it before. A thread waits at a place
 * until its stretch begins; the next stretch begins when the thread at hand comes to the next thing after its last place.
 *
 * Which line a call of ours comes from is in `sites`, where variables are is in `symbols`: both are made of the program.
 * Where the schedule does not fit, threads that wait are let go after a while, and that is said.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "schedule.h"

int __real_usleep(useconds_t time);

/* A thread that does not come to its place in this time has lost its turn; so often, then nobody waits any more. */
enum { PATIENCE = 300000, MOST_LOST = 10, MOST_THREADS = 1000, STEP = 50 };

struct place {
    int stretch, number, is_last;
};

struct key {
    int thread, name, line, file, n, next;
    char kind;
    struct place *places;
};

struct site {
    unsigned long at;
    int file, line;
};

struct symbol {
    unsigned long from, to;
    int name;
};

int hardbop_is_scheduled;
_Thread_local int hardbop_number;

static struct key *keys;
static struct site *sites;
static struct symbol *symbols;
static char **words;
static int n_keys, n_sites, n_symbols, n_words, n_stretches;
/* The file of all places, -1 if there are several. Lines of a file by another name (`# line`) are then taken for its lines. */
static int only_file = -2;
/* By stretch, and by thread. */
static int *owners;
static int n_places[MOST_THREADS], has_ended[MOST_THREADS], wanted[MOST_THREADS];
/* The stretch at hand; how many places were passed; how often a thread was not waited for. */
static int now, n_passed, n_lost;

/* Of the thread at hand. */
static _Thread_local int stretch = -1, number, is_done;

static void *grown(void *memory, int n, unsigned long size)
{
    if (n & (n - 1))
        return memory;
    memory = realloc(memory, (n ? 2 * n : 1) * size);
    if (!memory)
        exit(3);
    return memory;
}

static int known(const char *word)
{
    for (int at = 0; at < n_words; at++)
        if (!strcmp(words[at], word))
            return at;
    return -1;
}

static int word(const char *word)
{
    int at = known(word);
    if (at >= 0)
        return at;
    words = grown(words, n_words, sizeof *words);
    words[n_words] = strdup(word);
    return n_words++;
}

static struct key *find(int thread, char kind, int name, int line, int file)
{
    for (int at = 0; at < n_keys; at++) {
        struct key *it = &keys[at];
        if (file < 0)
            file = only_file;
        if (it->thread == thread && it->kind == kind && it->name == name && it->line == line && it->file == file)
            return it;
    }
    return 0;
}

static void read_schedule(FILE *from)
{
    char text[4096];
    while (fgets(text, sizeof text, from)) {
        char kind, name[1024], file[2048] = "";
        struct place place;
        int thread, line;
        if (*text == '#' || sscanf(text, "%d %d %d %d %c %1023s %d %2047[^\n]", &thread, &place.stretch, &place.number, &place.is_last, &kind, name, &line, file) < 7)
            continue;
        if (thread < 0 || thread >= MOST_THREADS)
            exit(3);
        struct key *key = find(thread, kind, word(name), line, word(file));
        if (!key) {
            keys = grown(keys, n_keys, sizeof *keys);
            key = &keys[n_keys++];
            *key = (struct key){ .thread = thread, .kind = kind, .name = word(name), .line = line, .file = word(file) };
        }
        only_file = only_file == -2 || only_file == key->file ? key->file : -1;
        key->places = grown(key->places, key->n, sizeof *key->places);
        key->places[key->n++] = place;
        n_places[thread] = place.number;
        while (n_stretches <= place.stretch) {
            owners = grown(owners, n_stretches, sizeof *owners);
            owners[n_stretches++] = thread;
        }
    }
}

/* Lines `ADDRESS FILE:LINE ...`. */
static void read_sites(FILE *from)
{
    char text[4096];
    while (fgets(text, sizeof text, from)) {
        char *file = strchr(text, '\t'), *colon = strrchr(text, ':');
        if (!file || !colon || colon < file)
            continue;
        *colon = 0;
        file = strrchr(file, '/') ? strrchr(file, '/') + 1 : file + 1;
        sites = grown(sites, n_sites, sizeof *sites);
        sites[n_sites++] = (struct site){ strtoul(text, 0, 16), known(file), atoi(colon + 1) };
    }
}

static int by_address(const void *a, const void *b)
{
    unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;
    return (x > y) - (x < y);
}

/* Lines `ADDRESS SIZE KIND NAME`. A variable inside a function is called NAME.NUMBER, one of a library NAME@VERSION. */
static unsigned long read_symbols(FILE *from)
{
    unsigned long marker = 0;
    char text[4096];
    while (fgets(text, sizeof text, from)) {
        unsigned long at, size;
        char kind, name[2048];
        if (sscanf(text, "%lx %lx %c %2047s", &at, &size, &kind, name) != 4)
            continue;
        if (!strcmp(name, "hardbop_place"))
            marker = at;
        if (!strchr("bBdDrRgGsSuVv", kind))
            continue;
        name[strcspn(name, ".@")] = 0;
        symbols = grown(symbols, n_symbols, sizeof *symbols);
        symbols[n_symbols++] = (struct symbol){ at, at + size, known(name) };
    }
    return marker;
}

/* How far the program was moved when it was loaded. */
static unsigned long moved;

__attribute__((constructor)) static void begin(void)
{
    FILE *schedule, *lines, *names;
    if (!getenv("HARDBOP_SCHEDULE"))
        return;
    schedule = fopen("schedule", "r"), lines = fopen("sites", "r"), names = fopen("symbols", "r");
    if (schedule && lines && names) {
        word("-");
        read_schedule(schedule);
        read_sites(lines);
        moved = (unsigned long)hardbop_place - read_symbols(names);
        qsort(sites, n_sites, sizeof *sites, by_address);
        qsort(symbols, n_symbols, sizeof *symbols, by_address);
        hardbop_is_scheduled = n_stretches > 0;
    }
    for (int at = 0; at < 3; at++) {
        FILE *it = at == 0 ? schedule : at == 1 ? lines : names;
        if (it)
            fclose(it);
    }
}

/* The last call before this address. */
static const struct site *site_of(const void *from)
{
    unsigned long at = (unsigned long)from - moved;
    int low = 0, high = n_sites;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sites[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &sites[low - 1] : 0;
}

static int name_at(const void *memory)
{
    unsigned long at = (unsigned long)memory - moved;
    int low = 0, high = n_symbols;
    while (low < high) {
        int middle = (low + high) / 2;
        if (symbols[middle].from <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low && at < symbols[low - 1].to ? symbols[low - 1].name : known("-");
}

static int is_over(void)
{
    return __atomic_load_n(&now, __ATOMIC_SEQ_CST) >= n_stretches;
}

/* The stretch at hand is over; those of threads that have ended are not waited for. */
static void go_on(int from)
{
    int to = from + 1;
    while (to < n_stretches && __atomic_load_n(&has_ended[owners[to]], __ATOMIC_SEQ_CST))
        to++;
    __atomic_compare_exchange_n(&now, &from, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* The first stretch that a thread waits for. */
static int first_wanted(void)
{
    int first = n_stretches;
    for (int at = 0; at < MOST_THREADS; at++) {
        int it = __atomic_load_n(&wanted[at], __ATOMIC_SEQ_CST);
        if (it && it - 1 < first)
            first = it - 1;
    }
    return first;
}

static void until(int wants)
{
    int patience = PATIENCE, before = __atomic_load_n(&n_passed, __ATOMIC_SEQ_CST), at;
    __atomic_store_n(&wanted[hardbop_number], wants + 1, __ATOMIC_SEQ_CST);
    while ((at = __atomic_load_n(&now, __ATOMIC_SEQ_CST)) < wants) {
        int passed = __atomic_load_n(&n_passed, __ATOMIC_SEQ_CST);
        __real_usleep(STEP);
        patience -= STEP;
        if (passed != before) {
            before = passed;
            patience = PATIENCE;
        } else if (patience <= 0) {
            int to = __atomic_add_fetch(&n_lost, 1, __ATOMIC_SEQ_CST) < MOST_LOST ? first_wanted() : n_stretches;
            if (to > at && to < n_stretches)
                fprintf(stderr, "hardbop: thread %d did not come to its place\n", owners[at]);
            if (to > at)
                __atomic_compare_exchange_n(&now, &at, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
            patience = PATIENCE;
        }
    }
    __atomic_store_n(&wanted[hardbop_number], 0, __ATOMIC_SEQ_CST);
    /* Who came last is to go on first. */
    if (is_over())
        __real_usleep(20000);
}

void hardbop_leave(void)
{
    if (hardbop_is_scheduled && __atomic_load_n(&now, __ATOMIC_SEQ_CST) == stretch) {
        is_done = 0;
        go_on(stretch);
    }
}

void hardbop_may_leave(void)
{
    if (is_done)
        hardbop_leave();
}

void hardbop_end(void)
{
    if (!hardbop_is_scheduled)
        return;
    __atomic_store_n(&has_ended[hardbop_number], 1, __ATOMIC_SEQ_CST);
    int at = __atomic_load_n(&now, __ATOMIC_SEQ_CST);
    if (at < n_stretches && owners[at] == hardbop_number)
        go_on(at);
}

void hardbop_until_over(void)
{
    if (hardbop_is_scheduled && !is_over()) {
        hardbop_leave();
        until(n_stretches);
    }
}

static struct key *key_of(char kind, int name, const void *from)
{
    const struct site *site = site_of(from);
    return site && name >= 0 ? find(hardbop_number, kind, name, site->line, site->file) : 0;
}

int hardbop_will_come(const char *name, const void *from)
{
    struct key *key = hardbop_is_scheduled && !is_over() ? key_of('c', known(name), from) : 0;
    return key && key->next < key->n;
}

int hardbop_fails_next(const void *at, const void *from)
{
    struct key *fails, *does;
    if (!hardbop_is_scheduled || is_over())
        return 0;
    fails = key_of('f', name_at(at), from);
    does = key_of('a', name_at(at), from);
    if (!fails || fails->next >= fails->n)
        return 0;
    return !does || does->next >= does->n || fails->places[fails->next].number < does->places[does->next].number;
}

static int pass(struct key *key)
{
    struct place *place = key && key->next < key->n ? &key->places[key->next++] : 0;
    hardbop_may_leave();
    if (!place) {
        /* What comes after all that was recorded of this thread comes after all of the others. */
        if (number >= n_places[hardbop_number])
            hardbop_until_over();
        return 0;
    }
    if (place->stretch > stretch) {
        hardbop_leave();
        until(place->stretch);
        stretch = place->stretch;
    }
    if (place->number > number)
        number = place->number;
    is_done = place->is_last;
    __atomic_add_fetch(&n_passed, 1, __ATOMIC_SEQ_CST);
    return 1;
}

int hardbop_place(char kind, const void *at, const void *from)
{
    return hardbop_is_scheduled && !is_over() && pass(key_of(kind, name_at(at), from));
}

int hardbop_call(const char *name, const void *from)
{
    return hardbop_is_scheduled && !is_over() && pass(key_of('c', known(name), from));
}
