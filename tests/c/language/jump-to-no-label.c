// expect: unsafe
int main(void) {
  void *to = &&end;
  to = 0;
  goto *to;  //~ violated
end:
  return 0;
}
