/* The functions of Windows' own ICU that Qt names while it loads, and Wine 8 does not have. They open
   no converter, so Qt goes on without: it has UTF-8 and UTF-16 of its own. */
#define ICU(NAME) __declspec(dllexport) void *NAME(void) { return 0; }

ICU(UCNV_FROM_U_CALLBACK_SUBSTITUTE)
ICU(UCNV_TO_U_CALLBACK_SUBSTITUTE)
ICU(ucnv_cbFromUWriteUChars)
ICU(ucnv_cbToUWriteUChars)
ICU(ucnv_close)
ICU(ucnv_countAvailable)
ICU(ucnv_fromUCountPending)
ICU(ucnv_fromUnicode)
ICU(ucnv_getAvailableName)
ICU(ucnv_getFromUCallBack)
ICU(ucnv_getMaxCharSize)
ICU(ucnv_getName)
ICU(ucnv_getStandardName)
ICU(ucnv_getToUCallBack)
ICU(ucnv_open)
ICU(ucnv_reset)
ICU(ucnv_setFromUCallBack)
ICU(ucnv_setToUCallBack)
ICU(ucnv_toUCountPending)
ICU(ucnv_toUnicode)
