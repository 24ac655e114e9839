/* What Python's headers must know of Windows on 64 bits, where they are those of a Linux: pycosat
   is compiled with them for the Python of Windows. */
#ifndef Py_PYCONFIG_H
#define Py_PYCONFIG_H

#include <io.h>
#include <stdio.h>

#define MS_WIN32
#define MS_WIN64
#define MS_WINDOWS
#define NT_THREADS
#define WITH_THREAD
#define WITH_DOC_STRINGS 1
#define WITH_PYMALLOC 1
#define Py_ENABLE_SHARED 1
#define HAVE_DECLSPEC_DLL

#define ALIGNOF_SIZE_T 8
#define SIZEOF_DOUBLE 8
#define SIZEOF_FLOAT 4
#define SIZEOF_FPOS_T 8
#define SIZEOF_HKEY 8
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_PID_T 8
#define SIZEOF_SHORT 2
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_VOID_P 8
#define SIZEOF_WCHAR_T 2

#define HAVE_LONG_LONG 1
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define HAVE_STRING_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_WCHAR_H 1

#define HAVE_PY_SSIZE_T 1
#define PY_FORMAT_SIZE_T "I64"
#define PY_LLFORMAT "I64"
#define PY_SSIZE_T_MAX LLONG_MAX
typedef __int64 Py_ssize_t;

#endif
