// SPDX-License-Identifier: Apache-2.0
#include "cli/picture.h"
#include "cli/resource.h"
#include "cli/schedule.h"
#include "cli/text.h"

enum { INDENT = 4 };

static bool belongs(const ks_stranded *stranded, const ks_sim_unplaced *pod)
{
    return stranded->first.workload == pod->workload && ks_str_eq(stranded->first.message, pod->message);
}

/* Pods of one workload mostly follow each other, so the newest is looked at first. */
static ks_stranded *find(const ks_stranded_list *list, const ks_sim_unplaced *pod)
{
    for (size_t i = list->count; i-- > 0;)
        if (belongs(&list->items[i], pod))
            return &list->items[i];
    return NULL;
}

bool ks_schedule_strand(ks_stranded_list *out, const ks_schedule *schedule)
{
    *out = (ks_stranded_list){0};
    for (size_t i = 0; i < schedule->summary.unplaced; i++) {
        ks_sim_unplaced pod = ks_sim_get_unplaced(schedule->sim, i);
        ks_stranded *stranded = find(out, &pod);
        if (stranded)
            stranded->count++;
        else if (!ks_vec_push(out, schedule->alloc, (ks_stranded){.first = pod, .count = 1}))
            return false;
    }
    return true;
}

void ks_schedule_put_namespace(const ks_schedule *schedule, ks_str namespace_, ks_buf *out)
{
    if (schedule->namespace_.data)
        return;
    ks_buf_put_str(out, KS_STR(" in "));
    ks_text_put(out, namespace_);
}

void ks_stranded_put(const ks_stranded *stranded, const ks_schedule *schedule, ks_buf *out)
{
    const ks_sim_unplaced *pod = &stranded->first;
    ks_buf_put_str(out, KS_STR("pod/"));
    ks_text_put(out, pod->name);
    if (stranded->count > 1)
        ks_buf_printf(out, " and %zu more", stranded->count - 1);
    ks_sim_workload workload = ks_sim_get_workload(schedule->sim, pod->workload);
    if (workload.kind != KS_POD) {
        ks_buf_printf(out, " of %s/", ks_resource_type(workload.kind));
        ks_text_put(out, workload.name);
    }
    ks_schedule_put_namespace(schedule, pod->namespace_, out);
}

/* The hard constraints, if any of them refuses a node. Pods that share a workload may differ in their specs,
 * so the pod itself is tried once more. */
static int put_numbers(const ks_schedule *schedule, const ks_sim_unplaced *pod_, ks_picture *picture,
                       ks_buf *out, ks_error *err)
{
    ks_pod pod;
    ks_cycle *cycle = NULL;
    ks_cluster *cluster = ks_sim_cluster(schedule->sim);
    int code = ks_cluster_get_pod(&pod, cluster, pod_->namespace_, pod_->name, err);
    if (code == KS_OK)
        code = ks_cycle_new(&cycle, cluster, err);
    if (code == KS_OK)
        code = ks_cycle_run(cycle, &pod, err);
    picture->cycle = cycle;
    if (code == KS_OK)
        ks_picture_print_refusing(picture, out);
    ks_cycle_free(cycle);
    return code;
}

static int put_stranded(const ks_schedule *schedule, const ks_stranded *stranded, const ks_style *style,
                        ks_buf *out, ks_error *err)
{
    ks_buf_put_char(out, '\n');
    ks_style_begin(style, out, KS_TONE_HEADING);
    ks_stranded_put(stranded, schedule, out);
    ks_style_end(style, out, KS_TONE_HEADING);
    ks_style_begin(style, out, KS_TONE_WORSE);
    ks_buf_put_str(out, KS_STR("   no place\n"));
    ks_style_end(style, out, KS_TONE_WORSE);
    ks_style_put_paragraph(style, out, KS_TONE_BAD, INDENT, stranded->first.message);
    ks_picture picture = {
        .alloc = schedule->alloc, .style = style, .kind = KS_PICTURE_NEXT, .indent = INDENT};
    return put_numbers(schedule, &stranded->first, &picture, out, err);
}

int ks_schedule_print_stranded(const ks_schedule *schedule, const ks_style *style, ks_buf *out, ks_error *err)
{
    ks_stranded_list list;
    int code = ks_schedule_strand(&list, schedule) ? KS_OK : ks_fail_nomem(err);
    for (size_t i = 0; code == KS_OK && i < list.count; i++)
        code = put_stranded(schedule, &list.items[i], style, out, err);
    ks_vec_free(&list, schedule->alloc);
    return code;
}
