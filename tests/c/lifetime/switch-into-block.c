// expect: safe
int main(int argc, char **argv) {
  switch (argc) {
    case 0: {
      int x[2];
      case 1:
        x[0] = 1;
        return x[0] - 1;
    }
    default: return 0;
  }
}
