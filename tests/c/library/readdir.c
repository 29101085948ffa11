// expect: safe
#include <dirent.h>
#include <string.h>
int main(void)
{
    DIR *here = opendir(".");
    if (!here)
        return 1;
    char name[256] = "";
    struct dirent *entry = readdir(here);
    if (entry && entry->d_name[0] != '.')
        strncpy(name, entry->d_name, sizeof name - 1);
    closedir(here);
    return name[255] != 0;
}
