// SPDX-License-Identifier: Apache-2.0
#include <kubespread/base.h>

/* The build passes the project's version; a file compiled on its own has none. */
#ifndef KS_VERSION
#define KS_VERSION "0.0.0"
#endif

const char *ks_version(void)
{
    return KS_VERSION;
}

const char *ks_kubernetes_version(void)
{
    return "v1.36.4";
}
