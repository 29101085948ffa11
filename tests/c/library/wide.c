// expect: safe
#include <assert.h>
#include <wchar.h>
#include <wctype.h>
int main(void)
{
    wchar_t text[16] = L"one,two", *rest;
    wcsncat(text, L",three", 3);
    assert(wcscmp(text, L"one,two,th") == 0);
    assert(wcsstr(text, L"two") == text + 4);
    wchar_t *word = wcstok(text, L",", &rest);
    assert(wcscmp(word, L"one") == 0);
    word = wcstok(NULL, L",", &rest);
    assert(wcscmp(word, L"two") == 0 && wcsspn(word, L"wot") == 3);
    assert(wmemchr(word, L'w', 3) == word + 1 && iswxdigit(L'f') && !iswpunct(L'a'));
    return 0;
}
