/* <locale.h>: there is the locale "C"; whether there are others, the system decides. */

char __hardbop_locale[2] = "C";

char *setlocale(int category, const char *name)
{
    if (!name)
        return __hardbop_locale;
    if (name[0] == 'C' && !name[1])
        return __hardbop_locale;
    strlen(name);
    if (__hardbop_any_bool("setlocale"))
        return 0;
    __hardbop_assumed("the locale is \"C\" whatever `setlocale` was asked for");
    return __hardbop_locale;
}
