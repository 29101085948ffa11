// expect: unsafe
#include <dirent.h>
#include <string.h>
int main(void)
{
    DIR *here = opendir(".");
    if (!here)
        return 1;
    char name[64];
    struct dirent *entry = readdir(here);
    if (entry)
        strcpy(name, entry->d_name); //~ violated
    closedir(here);
    return 0;
}
