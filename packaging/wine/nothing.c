/* A library that only forwards has no code, and the compiler wants a file. */
typedef int nothing;
