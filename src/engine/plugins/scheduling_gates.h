// SPDX-License-Identifier: Apache-2.0
#ifndef KS_ENGINE_PLUGINS_SCHEDULING_GATES_H
#define KS_ENGINE_PLUGINS_SCHEDULING_GATES_H

#include "util/str.h"
#include <kubespread/model.h>

/* Whether spec.schedulingGates keeps the pod from being tried. */
bool ks_pod_is_gated(const ks_pod_spec *spec);
/* Why a gated pod waits, in kube-scheduler's words. */
void ks_pod_gates_print(ks_buf *buf, const ks_pod_spec *spec);

#endif
