/* Stands for Waggle where the setup is tried: says which release it is. */
#include <stdio.h>

int main(void) {
    puts(VERSION);
    return 0;
}
