// expect: safe
// options: --property assert
// says: in no order
int main(void) {
  int i = 0;
  i = i++;
  return 0;
}
