// SPDX-License-Identifier: Apache-2.0
/* Makes text like that of `kubectl get pods -A -o json --show-managed-fields`: pods of some hundred
 * workloads which differ in containers, environment, probes, volumes and constraints, indented as kubectl
 * indents. The same size gives the same text. */
#ifndef KS_BENCH_POD_LIST_H
#define KS_BENCH_POD_LIST_H

#include "util/str.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct pod_list {
    ks_buf template_; /* one pod, compact: ' stands for a quote and ^ for an escaped one */
    uint64_t state;   /* of the random numbers */
    uint32_t app, number;
} pod_list;

static uint32_t any(pod_list *l, uint32_t below)
{
    l->state = l->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(l->state >> 33) % below;
}

/* A trait of the workload, equal for all of its pods. */
static uint32_t trait(const pod_list *l, uint32_t which, uint32_t below)
{
    uint32_t mixed = (l->app * 2654435761u) ^ (which * 2246822519u);
    mixed ^= mixed >> 15;
    mixed *= 2654435761u;
    return (mixed >> 13) % below;
}

#define add(l, ...) ks_buf_printf(&(l)->template_, __VA_ARGS__)

static void add_uid(pod_list *l)
{
    add(l, "'%08x-%04x-4%03x-a%03x-%08x%04x'", any(l, UINT32_MAX), any(l, 65536), any(l, 4096), any(l, 4096),
        any(l, UINT32_MAX), any(l, 65536));
}

static void add_time(pod_list *l)
{
    add(l, "'2025-%02u-%02uT%02u:%02u:%02uZ'", 1 + any(l, 12), 1 + any(l, 28), any(l, 24), any(l, 60),
        any(l, 60));
}

static uint32_t containers(const pod_list *l)
{
    return 1 + trait(l, 1, 5) / 3;
}

static uint32_t variables(const pod_list *l, uint32_t container)
{
    return trait(l, 10 + container, 5);
}

static bool has_probes(const pod_list *l, uint32_t container)
{
    return trait(l, 20 + container, 3) > 0;
}

/* ---- metadata ---- */

static void add_annotations(pod_list *l)
{
    add(l, "'annotations':{");
    if (trait(l, 30, 3) == 0)
        add(l, "'checksum/config':'%08x%08x%08x%08x%08x%08x%08x%08x',", any(l, UINT32_MAX),
            any(l, UINT32_MAX), any(l, UINT32_MAX), any(l, UINT32_MAX), any(l, UINT32_MAX),
            any(l, UINT32_MAX), any(l, UINT32_MAX), any(l, UINT32_MAX));
    add(l, "'cni.projectcalico.org/containerID':'%08x%08x%08x%08x%08x%08x%08x%08x',", any(l, UINT32_MAX),
        any(l, UINT32_MAX), any(l, UINT32_MAX), any(l, UINT32_MAX), any(l, UINT32_MAX), any(l, UINT32_MAX),
        any(l, UINT32_MAX), any(l, UINT32_MAX));
    add(l, "'cni.projectcalico.org/podIP':'10.%u.%u.%u/32'", any(l, 256), any(l, 256), any(l, 256));
    if (trait(l, 31, 2) == 0)
        add(l, ",'prometheus.io/path':'/metrics','prometheus.io/port':'%u','prometheus.io/scrape':'true'",
            8000 + trait(l, 32, 100));
    if (trait(l, 33, 4) == 0)
        add(l, ",'sidecar.istio.io/status':'{^initContainers^:[^istio-init^],^containers^:[^istio-proxy^],"
               "^volumes^:[^istio-envoy^,^istio-data^],^imagePullSecrets^:null,^revision^:^default^}'");
    if (trait(l, 34, 3) == 0)
        add(l,
            ",'k8s.v1.cni.cncf.io/network-status':'[{\\n    ^name^: ^k8s-pod-network^,\\n    ^ips^: [\\n"
            "        ^10.%u.%u.%u^\\n    ],\\n    ^default^: true,\\n    ^dns^: {}\\n}]'",
            any(l, 256), any(l, 256), any(l, 256));
    add(l, "},'creationTimestamp':");
    add_time(l);
}

static void add_managed_container(pod_list *l, uint32_t c)
{
    add(l, "'k:{^name^:^app-%u-c%u^}':{'.':{},'f:env':{'.':{}", l->app, c);
    for (uint32_t i = 0; i < variables(l, c); i++)
        add(l, ",'k:{^name^:^SETTING_%u^}':{'.':{},'f:name':{},'f:value':{}}", i);
    add(l, "},'f:image':{},'f:imagePullPolicy':{}");
    if (has_probes(l, c))
        add(l, ",'f:livenessProbe':{'.':{},'f:httpGet':{'.':{},'f:path':{},'f:port':{}},"
               "'f:periodSeconds':{},'f:timeoutSeconds':{}}");
    add(l, ",'f:name':{},'f:ports':{},'f:resources':{'.':{},'f:limits':{},'f:requests':{'.':{},'f:cpu':{},"
           "'f:memory':{}}},'f:terminationMessagePath':{},'f:terminationMessagePolicy':{},"
           "'f:volumeMounts':{'.':{},'k:{^mountPath^:^/etc/app^}':{'.':{},'f:mountPath':{},'f:name':{}}}}");
}

static void add_managed_spec(pod_list *l)
{
    add(l,
        "{'apiVersion':'v1','fieldsType':'FieldsV1','fieldsV1':{'f:metadata':{'f:annotations':{'.':{},"
        "'f:prometheus.io/path':{},'f:prometheus.io/port':{}},'f:generateName':{},'f:labels':{'.':{},"
        "'f:app.kubernetes.io/instance':{},'f:app.kubernetes.io/name':{},'f:pod-template-hash':{}},"
        "'f:ownerReferences':{'.':{},'k:{^uid^:^1f0c7b1e-%04x-4d2a-9d52-0242ac120002^}':{}}},"
        "'f:spec':{'f:containers':{",
        l->app);
    for (uint32_t c = 0; c < containers(l); c++) {
        add(l, c ? "," : "");
        add_managed_container(l, c);
    }
    add(l, "},'f:dnsPolicy':{},'f:enableServiceLinks':{},'f:restartPolicy':{},'f:schedulerName':{},"
           "'f:securityContext':{},'f:serviceAccount':{},'f:serviceAccountName':{},"
           "'f:terminationGracePeriodSeconds':{},'f:volumes':{'.':{},'k:{^name^:^config^}':{'.':{},"
           "'f:configMap':{'.':{},'f:defaultMode':{},'f:name':{}},'f:name':{}}}}},"
           "'manager':'kube-controller-manager','operation':'Update','time':");
    add_time(l);
    add(l, "}");
}

static void add_managed_status(pod_list *l)
{
    static const char *const conditions[] = {"PodReadyToStartContainers", "ContainersReady", "Initialized",
                                             "Ready"};
    add(l, "{'apiVersion':'v1','fieldsType':'FieldsV1','fieldsV1':{'f:status':{'f:conditions':{");
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        add(l, "%s'k:{^type^:^%s^}':{'.':{},'f:lastTransitionTime':{},'f:status':{},'f:type':{}}",
            i ? "," : "", conditions[i]);
    add(l, "},'f:containerStatuses':{},'f:hostIP':{},'f:hostIPs':{},'f:phase':{},'f:podIP':{},'f:podIPs':{},"
           "'f:startTime':{}}},'manager':'kubelet',"
           "'operation':'Update','subresource':'status','time':");
    add_time(l);
    add(l, "}");
}

static void add_metadata(pod_list *l)
{
    add(l, "'metadata':{");
    add_annotations(l);
    add(l,
        ",'generateName':'app-%u-7d9c5b8f6d-','labels':{'app.kubernetes.io/instance':'app-%u',"
        "'app.kubernetes.io/name':'app-%u','app.kubernetes.io/part-of':'system-%u',"
        "'pod-template-hash':'7d9c5b8f6d','team':'team-%u'},'managedFields':[",
        l->app, l->app, l->app, trait(l, 40, 9), trait(l, 41, 17));
    add_managed_spec(l);
    add(l, ",");
    add_managed_status(l);
    add(l,
        "],'name':'app-%u-7d9c5b8f6d-%05x','namespace':'team-%u','ownerReferences':[{"
        "'apiVersion':'apps/v1','blockOwnerDeletion':true,'controller':true,'kind':'ReplicaSet',"
        "'name':'app-%u-7d9c5b8f6d','uid':",
        l->app, l->number, trait(l, 41, 17), l->app);
    add_uid(l);
    add(l, "}],'resourceVersion':'%u','uid':", 10000000 + any(l, 90000000));
    add_uid(l);
    add(l, "}");
}

/* ---- spec ---- */

static void add_probe(pod_list *l, const char *name)
{
    add(l,
        "'%s':{'failureThreshold':3,'httpGet':{'path':'/healthz','port':'http','scheme':'HTTP'},"
        "'initialDelaySeconds':%u,'periodSeconds':10,'successThreshold':1,'timeoutSeconds':%u},",
        name, 5 + trait(l, 50, 30), 1 + trait(l, 51, 5));
}

static void add_env(pod_list *l, uint32_t c)
{
    add(l,
        "'env':[{'name':'POD_IP','valueFrom':{'fieldRef':{'apiVersion':'v1','fieldPath':'status.podIP'}}}");
    for (uint32_t i = 0; i < variables(l, c); i++)
        add(l, ",{'name':'SETTING_%u','value':'http://service-%u.team-%u.svc.cluster.local:%u/v%u'}", i,
            trait(l, 60 + i, 200), trait(l, 61 + i, 17), 8000 + i, 1 + trait(l, 62 + i, 3));
    add(l, "],");
}

static void add_container(pod_list *l, uint32_t c)
{
    add(l, "{");
    if (trait(l, 70 + c, 2) == 0)
        add(l, "'args':['--listen=:8080','--log-level=info','--config=/etc/app/config.yaml'],");
    add_env(l, c);
    add(l, "'image':'images.example.org/team-%u/app-%u:v1.%u.%u','imagePullPolicy':'IfNotPresent',",
        trait(l, 41, 17), l->app, trait(l, 71, 30), trait(l, 72, 10));
    if (has_probes(l, c))
        add_probe(l, "livenessProbe");
    add(l, "'name':'app-%u-c%u','ports':[{'containerPort':8080,'name':'http','protocol':'TCP'}],", l->app, c);
    if (has_probes(l, c))
        add_probe(l, "readinessProbe");
    add(l,
        "'resources':{'limits':{'memory':'%uMi'},'requests':{'cpu':'%um','memory':'%uMi'}},"
        "'securityContext':{'allowPrivilegeEscalation':false,'capabilities':{'drop':['ALL']},"
        "'readOnlyRootFilesystem':true,'runAsNonRoot':true},'terminationMessagePath':"
        "'/dev/termination-log','terminationMessagePolicy':'File','volumeMounts':[{'mountPath':'/etc/app',"
        "'name':'config','readOnly':true},{'mountPath':'/tmp','name':'tmp'},{"
        "'mountPath':'/var/run/secrets/kubernetes.io/serviceaccount',"
        "'name':'kube-api-access-%05x','readOnly':true}]}",
        256 << trait(l, 73, 4), 50 * (1 + trait(l, 74, 20)), 128 << trait(l, 73, 4), l->number);
}

static void add_placement(pod_list *l)
{
    if (trait(l, 80, 3) == 0)
        add(l,
            "'affinity':{'podAntiAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{"
            "'podAffinityTerm':{'labelSelector':{'matchLabels':{'app.kubernetes.io/name':'app-%u'}},"
            "'topologyKey':'kubernetes.io/hostname'},'weight':100}]}},",
            l->app);
    add(l, "'automountServiceAccountToken':true,'containers':[");
    for (uint32_t c = 0; c < containers(l); c++) {
        add(l, c ? "," : "");
        add_container(l, c);
    }
    add(l, "],'dnsPolicy':'ClusterFirst','enableServiceLinks':true,'nodeName':'node-%u',", any(l, 5000));
}

static void add_spread(pod_list *l)
{
    if (trait(l, 81, 2) == 0)
        return;
    add(l,
        "'topologySpreadConstraints':[{'labelSelector':{'matchLabels':{'app.kubernetes.io/name':'app-%u'}},"
        "'maxSkew':1,'topologyKey':'topology.kubernetes.io/zone','whenUnsatisfiable':'DoNotSchedule'},"
        "{'labelSelector':{'matchLabels':{'app.kubernetes.io/name':'app-%u'}},'maxSkew':%u,"
        "'topologyKey':'kubernetes.io/hostname','whenUnsatisfiable':'ScheduleAnyway'}],",
        l->app, l->app, 1 + trait(l, 82, 3));
}

static void add_volumes(pod_list *l)
{
    add(l, "'volumes':[{'configMap':{'defaultMode':420,'name':'app-%u-config'},'name':'config'},", l->app);
    for (uint32_t i = 0; i < trait(l, 84, 4); i++)
        add(l,
            "{'name':'secret-%u','secret':{'defaultMode':420,'items':[{'key':'tls.crt','path':'tls.crt'},{"
            "'key':'tls.key','path':'tls.key'}],'secretName':'app-%u-tls-%u'}},",
            i, l->app, i);
    if (trait(l, 85, 2) == 0)
        add(l, "{'name':'data','persistentVolumeClaim':{'claimName':'data-app-%u-%u'}},", l->app, l->number);
    add(l,
        "{'emptyDir':{'medium':'Memory','sizeLimit':'64Mi'},'name':'tmp'},{'name':'kube-api-access-%05x',"
        "'projected':{'defaultMode':420,'sources':[{'serviceAccountToken':{'expirationSeconds':3607,"
        "'path':'token'}},{'configMap':{'items':[{'key':'ca.crt','path':'ca.crt'}],"
        "'name':'kube-root-ca.crt'}},{'downwardAPI':{'items':[{'fieldRef':{'apiVersion':'v1',"
        "'fieldPath':'metadata.namespace'},'path':'namespace'}]}}]}}]}",
        l->number);
}

static void add_spec(pod_list *l)
{
    add(l, ",'spec':{");
    add_placement(l);
    add(l,
        "'preemptionPolicy':'PreemptLowerPriority','priority':0,'restartPolicy':'Always',"
        "'schedulerName':'default-scheduler','securityContext':{'fsGroup':2000,'runAsUser':%u},"
        "'serviceAccount':'app-%u','serviceAccountName':'app-%u','terminationGracePeriodSeconds':30,"
        "'tolerations':[{'effect':'NoExecute','key':'node.kubernetes.io/not-ready','operator':'Exists',"
        "'tolerationSeconds':300},{'effect':'NoExecute','key':'node.kubernetes.io/unreachable',"
        "'operator':'Exists','tolerationSeconds':300}],",
        1000 + trait(l, 83, 60000), l->app, l->app);
    add_spread(l);
    add_volumes(l);
}

/* ---- status ---- */

static void add_status(pod_list *l)
{
    static const char *const conditions[] = {"PodReadyToStartContainers", "Initialized", "Ready",
                                             "ContainersReady", "PodScheduled"};
    add(l, ",'status':{'conditions':[");
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        add(l, "%s{'lastProbeTime':null,'lastTransitionTime':", i ? "," : "");
        add_time(l);
        add(l, ",'observedGeneration':1,'status':'True','type':'%s'}", conditions[i]);
    }
    add(l, "],'containerStatuses':[");
    for (uint32_t c = 0; c < containers(l); c++) {
        add(l,
            "%s{'containerID':'containerd://%08x%08x%08x%08x%08x%08x','image':"
            "'images.example.org/app-%u:v1','imageID':'images.example.org/app-%u@sha256:%08x%08x%08x%08x',"
            "'lastState':{},'name':'app-%u-c%u','ready':true,'restartCount':%u,'started':true,'state':{"
            "'running':{'startedAt':",
            c ? "," : "", any(l, UINT32_MAX), any(l, UINT32_MAX), any(l, UINT32_MAX), any(l, UINT32_MAX),
            any(l, UINT32_MAX), any(l, UINT32_MAX), l->app, l->app, any(l, UINT32_MAX), any(l, UINT32_MAX),
            any(l, UINT32_MAX), any(l, UINT32_MAX), l->app, c, any(l, 4));
        add_time(l);
        add(l, "}}}");
    }
    uint32_t a = any(l, 256), b = any(l, 256);
    add(l,
        "],'hostIP':'10.1.%u.%u','hostIPs':[{'ip':'10.1.%u.%u'}],'phase':'Running','podIP':'10.2.%u.%u',"
        "'podIPs':[{'ip':'10.2.%u.%u'}],'qosClass':'Burstable','startTime':",
        a, b, a, b, b, a, b, a);
    add_time(l);
    add(l, "}}");
}

/* ---- the text ---- */

static void break_line(ks_buf *to, uint32_t depth)
{
    ks_buf_printf(to, "\n%*s", (int)(4 * depth), "");
}

/* One byte of the template outside of strings. */
static void put_indented(ks_buf *to, const char *p, uint32_t *depth)
{
    bool empty = (p[0] == '{' && p[1] == '}') || (p[0] == '[' && p[1] == ']');
    bool ends_empty = (p[0] == '}' && p[-1] == '{') || (p[0] == ']' && p[-1] == '[');
    if ((*p == '}' || *p == ']') && !ends_empty)
        break_line(to, --*depth);
    ks_buf_put_char(to, *p);
    if ((*p == '{' || *p == '[') && !empty)
        break_line(to, ++*depth);
    if (*p == ',')
        break_line(to, *depth);
    if (*p == ':')
        ks_buf_put_char(to, ' ');
}

static void put_template(ks_buf *to, ks_str template_, uint32_t depth)
{
    bool quoted = false;
    for (const char *p = template_.data; p < template_.data + template_.len; p++) {
        if (*p == '\'') {
            quoted = !quoted;
            ks_buf_put_char(to, '"');
        } else if (*p == '^') {
            ks_buf_put_str(to, KS_STR("\\\""));
        } else if (quoted) {
            ks_buf_put_char(to, *p);
        } else {
            put_indented(to, p, &depth);
        }
    }
}

/* Appends one pod, an item of a List. */
static void pod_list_put(pod_list *l, ks_buf *to)
{
    l->app = any(l, 300);
    l->number++;
    ks_buf_clear(&l->template_);
    add(l, "{'apiVersion':'v1','kind':'Pod',");
    add_metadata(l);
    add_spec(l);
    add_status(l);
    put_template(to, ks_buf_str(&l->template_), 2);
}

/* Writes a List of about `bytes` bytes. False if writing or memory failed. */
static bool pod_list_write(FILE *file, size_t bytes)
{
    ks_alloc alloc;
    ks_alloc_init(&alloc, NULL);
    pod_list list = {.state = 1};
    ks_buf text;
    ks_buf_init(&list.template_, &alloc);
    ks_buf_init(&text, &alloc);
    size_t written = 0;
    bool failed = fputs("{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n        ", file) < 0;
    while (written < bytes && !failed) {
        ks_buf_clear(&text);
        if (written > 0)
            ks_buf_put_str(&text, KS_STR(",\n        "));
        pod_list_put(&list, &text);
        failed = text.failed || list.template_.failed || fwrite(text.data, text.len, 1, file) != 1;
        written += text.len;
    }
    const char *tail = "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        "
                       "\"resourceVersion\": \"\"\n    }\n}\n";
    failed = failed || fputs(tail, file) < 0 || fflush(file) != 0;
    ks_buf_free(&text);
    ks_buf_free(&list.template_);
    return !failed;
}

#endif
