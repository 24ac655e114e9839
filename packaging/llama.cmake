# Run by CMake at the start of llama.cpp's own project. Of it the library alone is wanted: what its
# programs have in common takes half as long again to compile, and the Python package insists on it.
set(LLAMA_BUILD_COMMON OFF)
