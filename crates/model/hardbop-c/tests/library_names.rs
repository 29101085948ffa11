//! Every function of the C11 library and the ones of POSIX that programs use daily: the page for people
//! says of each what we have, and the code says the same.

use std::fmt::Write;
use std::path::Path;

use hardbop_c::builtins::{Builtin, TABLE};
use hardbop_c::library;

const HEADERS: &[(&str, &str)] = &[
    ("<assert.h>", "assert"),
    (
        "<ctype.h>",
        "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit \
         tolower toupper",
    ),
    (
        "<fenv.h>",
        "feclearexcept fegetexceptflag feraiseexcept fesetexceptflag fetestexcept fegetround fesetround \
         fegetenv feholdexcept fesetenv feupdateenv",
    ),
    ("<inttypes.h>", "imaxabs imaxdiv strtoimax strtoumax wcstoimax wcstoumax"),
    ("<locale.h>", "setlocale localeconv"),
    (
        "<math.h>, each also with `f`",
        "acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp \
         log log10 log1p log2 logb modf scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma ceil \
         floor nearbyint rint lrint llrint round lround llround trunc fmod remainder remquo copysign nan \
         nextafter nexttoward fdim fmax fmin fma",
    ),
    ("<setjmp.h>", "setjmp longjmp"),
    ("<signal.h>", "signal raise"),
    (
        "<stdio.h>",
        "remove rename tmpfile tmpnam fclose fflush fopen freopen setbuf setvbuf fprintf fscanf printf scanf \
         snprintf sprintf sscanf vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf fgetc fgets \
         fputc fputs getc getchar putc putchar puts ungetc fread fwrite fgetpos fseek fsetpos ftell rewind \
         clearerr feof ferror perror",
    ),
    (
        "<stdlib.h>",
        "atof atoi atol atoll strtod strtof strtold strtol strtoll strtoul strtoull rand srand aligned_alloc \
         calloc free malloc realloc abort atexit at_quick_exit exit _Exit getenv quick_exit system bsearch \
         qsort abs labs llabs div ldiv lldiv mblen mbtowc wctomb mbstowcs wcstombs",
    ),
    (
        "<string.h>",
        "memcpy memmove strcpy strncpy strcat strncat memcmp strcmp strcoll strncmp strxfrm memchr strchr \
         strcspn strpbrk strrchr strspn strstr strtok memset strerror strlen",
    ),
    (
        "<threads.h>",
        "call_once mtx_init mtx_lock mtx_trylock mtx_timedlock mtx_unlock mtx_destroy cnd_init cnd_signal \
         cnd_broadcast cnd_wait cnd_timedwait cnd_destroy thrd_create thrd_current thrd_detach thrd_equal \
         thrd_exit thrd_join thrd_sleep thrd_yield tss_create tss_delete tss_get tss_set",
    ),
    ("<time.h>", "clock difftime mktime time timespec_get asctime ctime gmtime localtime strftime"),
    ("<uchar.h>", "mbrtoc16 c16rtomb mbrtoc32 c32rtomb"),
    (
        "<wchar.h>",
        "fgetwc fgetws fputwc fputws fwide getwc getwchar putwc putwchar ungetwc fwprintf fwscanf swprintf \
         swscanf vfwprintf vfwscanf vswprintf vswscanf vwprintf vwscanf wprintf wscanf wcstod wcstof \
         wcstold wcstol wcstoll wcstoul wcstoull wcscpy wcsncpy wmemcpy wmemmove wcscat wcsncat wcscmp \
         wcscoll wcsncmp wcsxfrm wmemcmp wcschr wcscspn wcspbrk wcsrchr wcsspn wcsstr wcstok wmemchr wcslen \
         wmemset wcsftime btowc wctob mbsinit mbrlen mbrtowc wcrtomb mbsrtowcs wcsrtombs",
    ),
    (
        "<wctype.h>",
        "iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper \
         iswxdigit iswctype wctype towlower towupper towctrans wctrans",
    ),
    (
        "POSIX: strings",
        "strdup strndup strnlen stpcpy stpncpy strtok_r strsep strcasecmp strncasecmp strcasestr strsignal \
         strerror_r memccpy mempcpy memrchr memmem bcmp bcopy bzero index rindex ffs basename dirname \
         strchrnul rawmemchr strlcpy strlcat strverscmp",
    ),
    (
        "POSIX: files",
        "read write pread pwrite open openat creat close lseek stat fstat lstat access unlink link symlink \
         readlink mkdir rmdir chdir getcwd dup dup2 pipe isatty fileno fdopen popen pclose dprintf asprintf \
         vasprintf getline getdelim fseeko ftello ftruncate truncate fsync chmod umask opendir readdir \
         closedir mkstemp realpath fcntl ioctl mmap munmap flock select poll",
    ),
    (
        "POSIX: processes, time, environment",
        "getpid getppid getuid geteuid getgid sleep usleep nanosleep alarm pause fork execv execvp execve \
         waitpid wait kill sigaction sigprocmask setenv unsetenv putenv clearenv secure_getenv localtime_r \
         gmtime_r ctime_r asctime_r strptime timegm gettimeofday clock_gettime tzset getopt getopt_long \
         sysconf uname gethostname getlogin getpwnam getpwuid syslog openlog closelog",
    ),
    (
        "POSIX: others",
        "rand_r random srandom drand48 erand48 lrand48 mrand48 srand48 posix_memalign reallocarray qsort_r \
         lfind lsearch tsearch tfind tdelete twalk hsearch err errx warn warnx pthread_create \
         pthread_mutex_lock pthread_once socket connect bind listen accept send recv regcomp regexec glob \
         fnmatch dlopen dlsym",
    ),
];

/// What we have of a function.
fn what(name: &str) -> &'static str {
    if let Some((_, _, _, builtin)) = TABLE.iter().find(|it| it.0 == name) {
        return match builtin {
            Builtin::Unsupported => "unsupported at the call",
            _ => "modelled",
        };
    }
    if hardbop_c::locks::LockTable::default().find(name).is_some() {
        return "modelled";
    }
    match library::definition(name) {
        // Its body is that it has none.
        Some(text) if text.contains("__hardbop_unsupported") && text.lines().count() < 8 => {
            "unsupported at the call"
        }
        Some(_) => "modelled",
        None => "a function without a body",
    }
}

fn table() -> String {
    let mut text = String::from(
        "| header | modelled | unsupported at the call | a function without a body |\n|---|---|---|---|\n",
    );
    for (header, names) in HEADERS {
        let of = |kind: &str| {
            let names = names.split_whitespace().filter(|it| what(it) == kind);
            names.map(|it| format!("`{it}`")).collect::<Vec<_>>().join(" ")
        };
        let _ = writeln!(
            text,
            "| {header} | {} | {} | {} |",
            of("modelled"),
            of("unsupported at the call"),
            of("a function without a body")
        );
    }
    text
}

/// With `HARDBOP_WRITE_DOCS=1` the page is written.
#[test]
fn the_page_says_what_there_is() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let page = root.map(|it| it.join("docs/c-library.md")).find(|it| it.is_file());
    let page = page.expect("docs/c-library.md is there");
    let text = std::fs::read_to_string(&page).expect("the page can be read");
    let (head, found) = text.split_at(text.find("| header |").expect("the page has a table"));
    if std::env::var_os("HARDBOP_WRITE_DOCS").is_some() {
        std::fs::write(&page, format!("{head}{}", table())).expect("the page can be written");
        return;
    }
    assert_eq!(found, table(), "HARDBOP_WRITE_DOCS=1 writes docs/c-library.md");
}
