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

struct __hardbop_lconv {
    char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol, *mon_decimal_point;
    char *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
    /* From int_frac_digits on: numbers that this locale leaves open. */
    char digits[14];
};

struct __hardbop_lconv __hardbop_conventions;

struct __hardbop_lconv *localeconv(void)
{
    struct __hardbop_lconv *it = &__hardbop_conventions;
    it->decimal_point = ".";
    it->thousands_sep = it->grouping = it->int_curr_symbol = it->currency_symbol = "";
    it->mon_decimal_point = it->mon_thousands_sep = it->mon_grouping = "";
    it->positive_sign = it->negative_sign = "";
    memset(it->digits, 127, sizeof it->digits);
    return it;
}
