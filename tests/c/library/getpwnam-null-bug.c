// expect: unsafe
#include <pwd.h>
int main(void)
{
    struct passwd *root = getpwnam("root");
    return root->pw_name[0]; //~ violated
}
