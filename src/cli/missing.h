// SPDX-License-Identifier: Apache-2.0
/* What to say of a pod that the input does not have. */
#ifndef KS_CLI_MISSING_H
#define KS_CLI_MISSING_H

#include "cli/common.h"

/* Fails with KS_ENOTFOUND and the most helpful hint there is: the namespaces that have a pod of that name,
 * a file that was meant for -f, the nearest name, folders that were not gone into. Reads the input again. */
int ks_pod_missing(ks_cli *cli, const ks_setup *setup, const ks_common_values *values, ks_str name,
                   ks_error *err);

/* Whether an operand is the name of a file, and so was probably meant for -f. */
bool ks_operand_is_file(const char *operand);

#endif
