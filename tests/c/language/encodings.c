// expect: safe
// options: --property assert
// models: lp64 ilp32
extern void reach_error(void);

int main(void) {
  if (sizeof(u"ab") != 6 || sizeof(U"ab") != 12 || sizeof(u8"ab") != 3) reach_error();
  if (sizeof(u"\U0001F600") != 6 || u"\U0001F600"[0] != 0xd83d) reach_error();
  if (sizeof("\u00e9") != 3 || (unsigned char)"\u00e9"[0] != 0xc3) reach_error();
  if (L"é"[0] != 0xe9 || U"a" "é"[1] != 0xe9) reach_error();
  if (_Generic(u'a', unsigned short: 1, default: 0) != 1) reach_error();
  if (_Generic(U'a', unsigned: 1, default: 0) != 1) reach_error();
  if ('\j' != 'j' || '\e' != 27 || "\%"[0] != '%' || '\x0041' != 'A') reach_error();
  int \u00e9t = 3;
  if (ét != 3) reach_error();
}
