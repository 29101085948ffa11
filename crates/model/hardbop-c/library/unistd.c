/* <unistd.h>, <fcntl.h>, <sys/stat.h>: of POSIX what programs use daily. What can fail may fail. */

int open(const char *path, int flags, ...)
{
    strlen(path);
    if (__hardbop_any_bool("open")) {
        __hardbop_fails();
        return -1;
    }
    return 3 + (__hardbop_any_ushort("open") & 1023);
}

int open64(const char *path, int flags, ...)
{
    return open(path, flags);
}

int creat(const char *path, unsigned mode)
{
    return open(path, 0);
}

int close(int fd)
{
    return __hardbop_done(__hardbop_any_bool("close"));
}

/* At most what was asked for, and less where the system has no more at hand; 0 at the end. */
long read(int fd, void *to, size_t n)
{
    unsigned char *at = to;
    size_t i = 0;
    if (__hardbop_any_bool("read")) {
        __hardbop_fails();
        return -1;
    }
    while (i < n) {
        int c;
        if (fd == 0)
            c = fgetc(&__hardbop_stdin);
        else
            c = __hardbop_file_byte();
        if (c < 0)
            break;
        at[i++] = (unsigned char)c;
        if (i < n && __hardbop_any_bool("read"))
            break;
    }
    return (long)i;
}

long pread(int fd, void *to, size_t n, long offset)
{
    return read(fd, to, n);
}

long recv(int fd, void *to, size_t n, int flags)
{
    return read(fd == 0 ? 3 : fd, to, n);
}

long write(int fd, const void *from, size_t n)
{
    if (n)
        __hardbop_readable(from, n);
    if (__hardbop_any_bool("write")) {
        __hardbop_fails();
        return -1;
    }
    size_t less = __hardbop_any_size_t("write");
    if (fd == 1)
        __hardbop_print(from, n);
    return (long)(less < n ? n - less : n);
}

long pwrite(int fd, const void *from, size_t n, long offset)
{
    return write(fd == 1 ? 3 : fd, from, n);
}

long send(int fd, const void *from, size_t n, int flags)
{
    return write(fd == 1 ? 3 : fd, from, n);
}

/* ---- sockets ---- */

int __hardbop_new_socket(void)
{
    if (__hardbop_any_bool("socket")) {
        __hardbop_fails();
        return -1;
    }
    return 3 + (__hardbop_any_ushort("socket") & 1023);
}

int socket(int domain, int type, int protocol)
{
    return __hardbop_new_socket();
}

int connect(int fd, const void *address, unsigned length)
{
    __hardbop_readable(address, (size_t)length);
    return __hardbop_done(__hardbop_any_bool("connect"));
}

int bind(int fd, const void *address, unsigned length)
{
    __hardbop_readable(address, (size_t)length);
    return __hardbop_done(__hardbop_any_bool("bind"));
}

int listen(int fd, int n_waiting)
{
    return __hardbop_done(__hardbop_any_bool("listen"));
}

/* The address of the other side is cut to the room there is for it, its length is not. */
void __hardbop_peer(void *address, unsigned *length)
{
    unsigned char *at = address;
    if (!address)
        return;
    for (unsigned i = 0; i < *length && i < 128; i++)
        at[i] = __hardbop_any_uchar("address");
    *length = __hardbop_any_uchar("address") & 127;
}

int accept(int fd, void *address, unsigned *length)
{
    int new = __hardbop_new_socket();
    if (new >= 0)
        __hardbop_peer(address, length);
    return new;
}

long recvfrom(int fd, void *to, size_t n, int flags, void *address, unsigned *length)
{
    long got = recv(fd, to, n, flags);
    if (got >= 0)
        __hardbop_peer(address, length);
    return got;
}

long sendto(int fd, const void *from, size_t n, int flags, const void *address, unsigned length)
{
    if (length)
        __hardbop_readable(address, (size_t)length);
    return send(fd, from, n, flags);
}

int shutdown(int fd, int how)
{
    return __hardbop_done(__hardbop_any_bool("shutdown"));
}

int setsockopt(int fd, int level, int name, const void *value, unsigned length)
{
    if (length)
        __hardbop_readable(value, (size_t)length);
    return __hardbop_done(__hardbop_any_bool("setsockopt"));
}

/* Four decimal numbers; the other forms of an address are rare. */
unsigned inet_addr(const char *text)
{
    unsigned bytes = 0;
    for (int i = 0; i < 4; i++) {
        unsigned number = 0, n_digits = 0;
        while (*text >= '0' && *text <= '9' && n_digits < 4) {
            number = number * 10 + (unsigned)(*text++ - '0');
            n_digits++;
        }
        int is_octal = n_digits > 1 && text[-(int)n_digits] == '0';
        int is_hex = n_digits == 1 && !number && (*text | 32) == 'x';
        if (is_octal || is_hex || n_digits > 3 || i < 3 && *text == 0 && n_digits)
            __hardbop_unsupported("an address that is not written as four decimal numbers");
        if (!n_digits || number > 255 || i < 3 && *text++ != '.')
            return ~0u;
        bytes |= number << 8 * i;
    }
    if (*text && *text != ' ')
        return ~0u;
    return bytes;
}

long lseek(int fd, long offset, int from)
{
    long at = __hardbop_any_long("lseek");
    if (at < 0) {
        __hardbop_fails();
        return -1;
    }
    return at;
}

int unlink(const char *path)
{
    strlen(path);
    return __hardbop_done(__hardbop_any_bool("unlink"));
}

int rmdir(const char *path)
{
    strlen(path);
    return __hardbop_done(__hardbop_any_bool("rmdir"));
}

int mkdir(const char *path, unsigned mode)
{
    strlen(path);
    return __hardbop_done(__hardbop_any_bool("mkdir"));
}

int chdir(const char *path)
{
    strlen(path);
    return __hardbop_done(__hardbop_any_bool("chdir"));
}

int access(const char *path, int mode)
{
    strlen(path);
    return __hardbop_done(__hardbop_any_bool("access"));
}

int chmod(const char *path, unsigned mode)
{
    strlen(path);
    return __hardbop_done(__hardbop_any_bool("chmod"));
}

int dup(int fd)
{
    if (__hardbop_any_bool("dup")) {
        __hardbop_fails();
        return -1;
    }
    return 3 + (__hardbop_any_ushort("dup") & 1023);
}

int dup2(int from, int to)
{
    if (__hardbop_any_bool("dup2")) {
        __hardbop_fails();
        return -1;
    }
    return to;
}

int pipe(int *ends)
{
    if (__hardbop_any_bool("pipe")) {
        __hardbop_fails();
        return -1;
    }
    ends[0] = 3;
    ends[1] = 4;
    return 0;
}

int fsync(int fd)
{
    return __hardbop_done(__hardbop_any_bool("fsync"));
}

int ftruncate(int fd, long size)
{
    return __hardbop_done(__hardbop_any_bool("ftruncate"));
}

int isatty(int fd)
{
    return __hardbop_any_bool("isatty");
}

int getpid(void)
{
    return 1 + (__hardbop_any_int("getpid") & 0x3fffff);
}

int getppid(void)
{
    return __hardbop_any_int("getppid") & 0x3fffff;
}

unsigned getuid(void)
{
    return __hardbop_any_uint("getuid");
}

unsigned geteuid(void)
{
    return __hardbop_any_uint("geteuid");
}

unsigned getgid(void)
{
    return __hardbop_any_uint("getgid");
}

unsigned sleep(unsigned seconds)
{
    unsigned left = __hardbop_any_uint("sleep");
    return left < seconds ? left : seconds;
}

int usleep(unsigned microseconds)
{
    return __hardbop_done(__hardbop_any_bool("usleep"));
}

/* A path of any length that fits. */
char *getcwd(char *path, size_t size)
{
    size_t n = __hardbop_any_size_t("getcwd");
    if (!path) {
        size = size ? size : 4096;
        path = malloc(size);
        if (!path)
            return 0;
    }
    if (size < 2 || n >= size) {
        __hardbop_fails();
        return 0;
    }
    path[0] = '/';
    size_t i = 1;
    for (; i < n; i++) {
        char c = __hardbop_any_char("getcwd");
        path[i] = c ? c : 'x';
    }
    path[i] = 0;
    return path;
}

/* What is known of a file is any bytes; their number is that of x86. */
int __hardbop_fill_stat(void *to)
{
    unsigned long *at = to;
    for (int i = 0; i < (sizeof(long) == 8 ? 18 : 22); i++)
        at[i] = __hardbop_any_ulong("stat");
    return 0;
}

int stat(const char *path, void *to)
{
    strlen(path);
    if (__hardbop_any_bool("stat")) {
        __hardbop_fails();
        return -1;
    }
    return __hardbop_fill_stat(to);
}

int lstat(const char *path, void *to)
{
    return stat(path, to);
}

int fstat(int fd, void *to)
{
    if (__hardbop_any_bool("fstat")) {
        __hardbop_fails();
        return -1;
    }
    return __hardbop_fill_stat(to);
}

long sysconf(int name)
{
    long value = __hardbop_any_long("sysconf");
    return value < -1 ? -1 : value;
}

int link(const char *from, const char *to)
{
    strlen(from);
    strlen(to);
    return __hardbop_done(__hardbop_any_bool("link"));
}

int symlink(const char *from, const char *to)
{
    strlen(from);
    strlen(to);
    return __hardbop_done(__hardbop_any_bool("symlink"));
}

/* Without a 0 at the end. */
long readlink(const char *path, char *to, size_t size)
{
    strlen(path);
    size_t n = __hardbop_any_size_t("readlink");
    if (n == 0 || size == 0) {
        __hardbop_fails();
        return -1;
    }
    if (n > size)
        n = size;
    for (size_t i = 0; i < n; i++) {
        char c = __hardbop_any_char("readlink");
        to[i] = c ? c : 'x';
    }
    return (long)n;
}

int truncate(const char *path, long size)
{
    strlen(path);
    return __hardbop_done(__hardbop_any_bool("truncate"));
}

unsigned umask(unsigned mask)
{
    return __hardbop_any_uint("umask") & 511;
}

/* The name is changed in place, and must be writable. */
int mkstemp(char *path)
{
    size_t n = strlen(path);
    if (n < 6 || strcmp(path + n - 6, "XXXXXX") != 0) {
        __hardbop_errno = 22;
        return -1;
    }
    for (size_t i = n - 6; i < n; i++)
        path[i] = 'a';
    return open(path, 0);
}

/* ---- directories ---- */

struct __hardbop_dirent {
    unsigned long ino;
    long offset;
    unsigned short length;
    unsigned char type;
    char name[256];
};

struct __hardbop_dir {
    struct __hardbop_dirent entry;
};

struct __hardbop_dir *opendir(const char *path)
{
    strlen(path);
    if (__hardbop_any_bool("opendir")) {
        __hardbop_fails();
        return 0;
    }
    return malloc(sizeof(struct __hardbop_dir));
}

/* The next name, of 1 to 255 bytes; null at the end. */
struct __hardbop_dirent *readdir(struct __hardbop_dir *directory)
{
    struct __hardbop_dirent *it = &directory->entry;
    size_t n = __hardbop_any_uchar("readdir");
    if (n == 0)
        return 0;
    it->ino = __hardbop_any_ulong("readdir");
    it->offset = 0;
    it->length = sizeof *it;
    it->type = __hardbop_any_uchar("readdir");
    char first = __hardbop_any_char("readdir"), second = __hardbop_any_char("readdir");
    __hardbop_assumed("names in a directory repeat their second byte");
    memset(it->name, second && second != '/' ? second : 'x', n);
    it->name[0] = first && first != '/' ? first : '.';
    it->name[n] = 0;
    return it;
}

int closedir(struct __hardbop_dir *directory)
{
    free(directory);
    return 0;
}

/* ---- names of this machine and its users ---- */

int gethostname(char *to, size_t size)
{
    size_t n = __hardbop_any_uchar("gethostname") & 63;
    if (n >= size) {
        __hardbop_errno = 36;
        return -1;
    }
    memset(to, 'x', n);
    to[n] = 0;
    return 0;
}

struct __hardbop_passwd {
    char *name, *password;
    unsigned uid, gid;
    char *comment, *home, *shell;
};

struct __hardbop_passwd __hardbop_user;

/* No such user, or some user; what is known of each is a text. */
struct __hardbop_passwd *__hardbop_any_user(void)
{
    if (!__hardbop_any_bool("getpwnam"))
        return 0;
    struct __hardbop_passwd *it = &__hardbop_user;
    __hardbop_assumed("what is known of a user is short texts");
    it->name = "user";
    it->password = "x";
    it->uid = __hardbop_any_uint("getpwnam");
    it->gid = __hardbop_any_uint("getpwnam");
    it->comment = "";
    it->home = "/home/user";
    it->shell = "/bin/sh";
    return it;
}

struct __hardbop_passwd *getpwnam(const char *name)
{
    strlen(name);
    return __hardbop_any_user();
}

struct __hardbop_passwd *getpwuid(unsigned uid)
{
    return __hardbop_any_user();
}

char *getlogin(void)
{
    struct __hardbop_passwd *it = __hardbop_any_user();
    return it ? it->name : 0;
}

unsigned alarm(unsigned seconds)
{
    __hardbop_unsupported("`alarm`");
    return 0;
}

void openlog(const char *name, int options, int facility)
{
    if (name)
        strlen(name);
}

void syslog(int priority, const char *format, ...)
{
    strlen(format);
}

void closelog(void)
{
}

/* Memory that is a file, and other programs in place of this one. */

void *mmap(void *at, size_t size, int protection, int flags, int fd, long offset)
{
    __hardbop_unsupported("`mmap`");
    return 0;
}

int execv(const char *path, char *const *arguments)
{
    __hardbop_unsupported("`execv`");
    return -1;
}

int execvp(const char *path, char *const *arguments)
{
    __hardbop_unsupported("`execvp`");
    return -1;
}

void swab(const void *from, void *to, long n)
{
    const char *source = from;
    char *target = to;
    for (long i = 1; i < n; i += 2) {
        char first = source[i - 1], second = source[i];
        target[i - 1] = second;
        target[i] = first;
    }
}

/* ---- <arpa/inet.h>: numbers with the high byte first ---- */

unsigned htonl(unsigned x)
{
    return x >> 24 | x >> 8 & 0xff00 | x << 8 & 0xff0000 | x << 24;
}

unsigned ntohl(unsigned x)
{
    return htonl(x);
}

unsigned short htons(unsigned short x)
{
    return (unsigned short)(x >> 8 | x << 8);
}

unsigned short ntohs(unsigned short x)
{
    return (unsigned short)(x >> 8 | x << 8);
}
