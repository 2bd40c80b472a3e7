// SPDX-License-Identifier: Apache-2.0
/* VolumeBinding, VolumeZone and DynamicResources: what becomes of pods with claims, node by node, in
 * kube-scheduler's words. */
#include "support/failing_allocator.h"
#include "support/storage.h"
#include "support/unit.h"

/* A claim that is particular, and volumes of one node each. */
#define FIVE                                                                                                 \
    NODE("a", "host: a")                                                                                     \
    NODE("b", "host: b") NODE("c", "host: c") NODE("d", "host: d") NODE("e", "host: e") CLASS("local", WAITS)
#define SSD_CLAIM                                                                                            \
    CLAIM("data", "storageClassName: local, accessModes: [ReadWriteOnce], selector: {matchLabels: {disk: "   \
                  "ssd}}, " SIZE("10Gi"))
#define LOCAL(name, meta, more) VOLUME("v" name, meta, ON("host", name) ", storageClassName: local, " more)
#define LOCAL_IN_PHASE(name, phase)                                                                          \
    "---\n{apiVersion: v1, kind: PersistentVolume, metadata: {name: v" name SSD                              \
    "}, spec: {" ON("host", name) ", storageClassName: local, " ONCE                                         \
                                  ", " CAPACITY("10Gi") "}, status: {phase: " phase "}}\n"
#define SSD ", labels: {disk: ssd}"
#define ONCE "accessModes: [ReadWriteOnce, ReadOnlyMany]"

typedef struct row {
    const char *name, *objects, *pod;
    const char
        *want; /* the refusal of the pod as a whole, or a line for each node: its name and the reasons */
} row;

static const row rows[] = {
    {"no volumes", THREE, POD("pending", ""), "a\nb\nc\n"},
    {"no claims among the volumes", THREE, POD("pending", "volumes: [{name: tmp, emptyDir: {}}]"),
     "a\nb\nc\n"},

    /* claims as such */
    {"no such claim", THREE, WITH("data"), "VolumeBinding: persistentvolumeclaim \"data\" not found"},
    {"a claim of another namespace", THREE CLAIM_META("data", ", namespace: prod", ""), WITH("data"),
     "VolumeBinding: persistentvolumeclaim \"data\" not found"},
    {"a claim that goes", THREE CLAIM_META("data", ", deletionTimestamp: 2026-01-01T00:00:00Z", ""),
     WITH("data"), "VolumeBinding: persistentvolumeclaim \"data\" is being deleted"},
    {"a claim whose volume is lost",
     THREE
     "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data}, spec: {volumeName: v}, "
     "status: {phase: Lost}}\n",
     WITH("data"),
     "VolumeBinding: persistentvolumeclaim \"data\" bound to non-existent persistentvolume \"v\""},
    {"an ephemeral claim that is not there yet", THREE, EPHEMERAL,
     "VolumeBinding: waiting for ephemeral volume controller to create the persistentvolumeclaim "
     "\"pending-scratch\""},
    {"somebody else's ephemeral claim", THREE CLAIM("pending-scratch", ""), EPHEMERAL,
     "VolumeBinding: PVC default/pending-scratch was not created for pod default/pending (pod is not owner)"},
    {"the pod's own ephemeral claim",
     THREE VOLUME("v", "", ON("zone", "z2"))
         CLAIM_META("pending-scratch",
                    ", annotations: {pv.kubernetes.io/bind-completed: 'yes'}, ownerReferences: [{apiVersion: "
                    "v1, kind: Pod, name: pending, uid: u, controller: true}]",
                    "volumeName: v"),
     EPHEMERAL, "a " CONFLICT "\nb " CONFLICT "\nc\n"},

    /* immediate binding */
    {"no class", THREE CLAIM("data", ""), WITH("data"),
     "VolumeBinding: pod has unbound immediate PersistentVolumeClaims"},
    {"a class that is not there", THREE CLAIM("data", "storageClassName: fast"), WITH("data"),
     "VolumeBinding: pod has unbound immediate PersistentVolumeClaims"},
    {"an immediate class",
     THREE CLASS("fast", "volumeBindingMode: Immediate, provisioner: p")
         CLAIM("data", "storageClassName: fast"),
     WITH("data"), "VolumeBinding: pod has unbound immediate PersistentVolumeClaims"},
    {"a class that says nothing is immediate",
     THREE CLASS("fast", "provisioner: p") CLAIM("data", "storageClassName: fast"), WITH("data"),
     "VolumeBinding: pod has unbound immediate PersistentVolumeClaims"},
    {"given a volume, but not bound yet",
     THREE CLASS("slow", WAITS) CLAIM("data", "storageClassName: slow, volumeName: v") VOLUME("v", "", ""),
     WITH("data"), "VolumeBinding: pod has unbound immediate PersistentVolumeClaims"},

    /* bound claims */
    {"a volume for anywhere", THREE VOLUME("v", "", "") BOUND("data", "v"), WITH("data"), "a\nb\nc\n"},
    {"bound by its phase",
     THREE VOLUME("v", "", ON("host", "b")) "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: "
                                            "{name: data}, spec: {volumeName: v}, "
                                            "status: {phase: Bound}}\n",
     WITH("data"), "a " CONFLICT "\nb\nc " CONFLICT "\n"},
    {"a volume of a zone", THREE VOLUME("v", "", ON("zone", "z1")) BOUND("data", "v"), WITH("data"),
     "a\nb\nc " CONFLICT "\n"},
    {"the node's name is not looked at",
     THREE VOLUME("v", "",
                  "nodeAffinity: {required: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, "
                  "operator: In, values: [nobody]}]}]}}") BOUND("data", "v"),
     WITH("data"), "a\nb\nc\n"},
    {"no terms: nowhere",
     THREE VOLUME("v", "", "nodeAffinity: {required: {nodeSelectorTerms: []}}") BOUND("data", "v"),
     WITH("data"), "a " CONFLICT "\nb " CONFLICT "\nc " CONFLICT "\n"},
    {"two volumes that agree on one node",
     THREE VOLUME("v", "", ON("zone", "z1")) VOLUME("w", "", ON("host", "\"b\", c")) BOUND("data", "v")
         BOUND("logs", "w"),
     POD("pending", "volumes: [" USES("data") ", " USES("logs") "]"), "a " CONFLICT "\nb\nc " CONFLICT "\n"},
    {"a volume that is not there", THREE BOUND("data", "v"), WITH("data"),
     "VolumeZone: persistentvolume \"v\" not found"},

    /* waiting for the first consumer */
    {"made anywhere", THREE CLASS("slow", WAITS ", provisioner: p") CLAIM("data", "storageClassName: slow"),
     WITH("data"), "a\nb\nc\n"},
    {"by the older annotation",
     THREE CLASS("slow", WAITS ", provisioner: p")
         CLAIM_META("data", ", annotations: {volume.beta.kubernetes.io/storage-class: slow}", ""),
     WITH("data"), "a\nb\nc\n"},
    {"made in allowed topologies",
     THREE CLASS("slow", WAITS ", provisioner: p, allowedTopologies: [{matchLabelExpressions: [{key: zone, "
                               "values: [z1]}, {key: host, values: [a, c]}]}, {}]")
         CLAIM("data", "storageClassName: slow"),
     WITH("data"), "a\nb " NO_VOLUME "\nc " NO_VOLUME "\n"},
    {"a node was selected already",
     THREE CLASS("slow", WAITS ", provisioner: p") CLAIM_META(
         "data", ", annotations: {volume.kubernetes.io/selected-node: b}", "storageClassName: slow"),
     WITH("data"), "a " NO_VOLUME "\nb\nc " NO_VOLUME "\n"},
    {"nobody makes volumes",
     THREE CLASS("local", WAITS ", provisioner: kubernetes.io/no-provisioner")
         CLAIM("data", "storageClassName: local"),
     WITH("data"), "a " NO_VOLUME "\nb " NO_VOLUME "\nc " NO_VOLUME "\n"},
    {"free volumes, or too small, or of another label, access or volume mode",
     FIVE SSD_CLAIM LOCAL("a", SSD, ONCE ", " CAPACITY("10Gi")) LOCAL("b", SSD, ONCE ", " CAPACITY("9Gi"))
         LOCAL("c", ", labels: {disk: hdd}", ONCE ", " CAPACITY("10Gi"))
             LOCAL("d", SSD, "accessModes: [ReadOnlyMany], " CAPACITY("10Gi"))
                 LOCAL("e", SSD, ONCE ", volumeMode: Block, " CAPACITY("10Gi")),
     WITH("data"), "a\nb " NO_VOLUME "\nc " NO_VOLUME "\nd " NO_VOLUME "\ne " NO_VOLUME "\n"},
    {"somebody else's volume, one that goes, of another class, not available, and available",
     FIVE SSD_CLAIM LOCAL("a", SSD, ONCE ", claimRef: {name: other, namespace: default}, " CAPACITY("10Gi"))
         LOCAL("b", SSD ", deletionTimestamp: 2026-01-01T00:00:00Z", ONCE ", " CAPACITY("10Gi")) LOCAL(
             "c", SSD ", annotations: {volume.beta.kubernetes.io/storage-class: other}",
             ONCE ", " CAPACITY("10Gi")) LOCAL_IN_PHASE("d", "Released") LOCAL_IN_PHASE("e", "Available"),
     WITH("data"), "a " NO_VOLUME "\nb " NO_VOLUME "\nc " NO_VOLUME "\nd " NO_VOLUME "\ne\n"},
    {"a volume that is kept for the claim is the only one",
     THREE CLASS("local", WAITS) CLAIM("data", "storageClassName: local")
         VOLUME("v", "", ON("host", "a") ", storageClassName: local")
             VOLUME("w", "",
                    ON("host", "b") ", storageClassName: other, claimRef: {name: data, namespace: default}"),
     WITH("data"), "a " NO_VOLUME "\nb\nc " NO_VOLUME "\n"},
    {"two claims need two volumes",
     THREE CLASS("local", WAITS) CLAIM("big", "storageClassName: local, " SIZE("10Gi"))
         CLAIM("small", "storageClassName: local, " SIZE("1Gi"))
             VOLUME("v1", "", ON("host", "a") ", storageClassName: local, " CAPACITY("10Gi"))
                 VOLUME("v2", "", ON("host", "b") ", storageClassName: local, " CAPACITY("10Gi"))
                     VOLUME("v3", "", ON("host", "b") ", storageClassName: local, " CAPACITY("2Gi"))
                         VOLUME("v4", "", ON("host", "c") ", storageClassName: local, " CAPACITY("2Gi"))
                             VOLUME("v5", "", ON("host", "c") ", storageClassName: local, " CAPACITY("3Gi")),
     POD("pending", "volumes: [" USES("big") ", " USES("small") "]"),
     "a " NO_VOLUME "\nb\nc " NO_VOLUME "\n"},
    {"both sorts of reason",
     THREE VOLUME("v", "", ON("zone", "z2")) BOUND("data", "v") CLASS("local", WAITS) CLAIM(
         "logs", "storageClassName: local") VOLUME("w", "", ON("host", "a") ", storageClassName: local"),
     POD("pending", "volumes: [" USES("data") ", " USES("logs") "]"),
     "a " CONFLICT "\nb " CONFLICT ", " NO_VOLUME "\nc " NO_VOLUME "\n"},

    /* zones by label */
    {"a zone",
     NODE("a", "topology.kubernetes.io/zone: z1") NODE("b", "topology.kubernetes.io/zone: z2") NODE("c", "")
         VOLUME("v", ", labels: {topology.kubernetes.io/zone: z1}", "") BOUND("data", "v"),
     WITH("data"), "a\nb " NO_ZONE "\nc\n"},
    {"several zones",
     NODE("a", "topology.kubernetes.io/zone: z1") NODE("b", "topology.kubernetes.io/zone: z2")
         NODE("c", "topology.kubernetes.io/zone: z3")
             VOLUME("v", ", labels: {topology.kubernetes.io/zone: z1__z3}", "") BOUND("data", "v"),
     WITH("data"), "a\nb " NO_ZONE "\nc\n"},
    {"an empty zone among several: not looked at",
     NODE("a", "topology.kubernetes.io/zone: z1")
         VOLUME("v", ", labels: {topology.kubernetes.io/zone: z2____z3}", "") BOUND("data", "v"),
     WITH("data"), "a\n"},
    {"the volume's label is the older one",
     NODE("a", "topology.kubernetes.io/zone: z1") NODE("b", "failure-domain.beta.kubernetes.io/zone: z1")
         NODE("c", "topology.kubernetes.io/zone: z2")
             VOLUME("v", ", labels: {failure-domain.beta.kubernetes.io/zone: z1}", "") BOUND("data", "v"),
     WITH("data"), "a\nb\nc " NO_ZONE "\n"},
    {"the node's label is the older one",
     NODE("a", "failure-domain.beta.kubernetes.io/zone: z1")
         VOLUME("v", ", labels: {topology.kubernetes.io/zone: z1}", "") BOUND("data", "v"),
     WITH("data"), "a " NO_ZONE "\n"},
    {"zone and region",
     NODE("a", "topology.kubernetes.io/zone: z, topology.kubernetes.io/region: r1")
         NODE("b", "topology.kubernetes.io/zone: z, topology.kubernetes.io/region: r2")
             VOLUME("v", ", labels: {topology.kubernetes.io/zone: z, topology.kubernetes.io/region: r1}", "")
                 BOUND("data", "v"),
     WITH("data"), "a\nb " NO_ZONE "\n"},

    /* devices */
    {"claims for devices", THREE, POD("pending", "resourceClaims: [{name: gpu, resourceClaimName: g}]"),
     "DynamicResources: pod claims devices (\"gpu\"), which kubespread cannot allocate"},
};

static void pods_go_where_their_volumes_can_be_used(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        storage_bed a;
        ks_error err = {0};
        storage_begin(&a, 3, NULL);
        if (storage_decode(rows[i].objects, storage_apply, &a, &err) != KS_OK ||
            storage_decode(rows[i].pod, storage_run, &a, &err) != KS_OK)
            fail_msg("%s: %s", rows[i].name, err.message);
        storage_check(rows[i].name, a.cycle, rows[i].want);
        storage_end(&a);
    }
}

/* Without VolumeZone, which speaks first of a volume that is not there. */
static void a_missing_volume_refuses_each_node(void **state)
{
    (void)state;
    storage_bed a;
    storage_begin(&a, 1, NULL);
    assert_int_equal(storage_decode(NODE("a", "") BOUND("data", "v"), storage_apply, &a, NULL), KS_OK);
    assert_int_equal(storage_decode(WITH("data"), storage_run, &a, NULL), KS_OK);
    storage_check("missing", a.cycle, "a " MISSING "\n");
    storage_end(&a);
}

/* ---- want of memory ---- */

static void survive_row(const row *row)
{
    for (size_t fail_at = 1;; fail_at++) {
        failing_allocator failing = failing_allocator_make();
        ks_allocator allocator = failing_allocator_get(&failing);
        storage_bed a;
        ks_error err = {0};
        storage_begin(&a, 3, &allocator);
        failing.fail_at = fail_at;
        int code = storage_decode(row->objects, storage_apply, &a, &err);
        if (code == KS_OK)
            code = storage_decode(row->pod, storage_run, &a, &err);
        bool failed = failing.failed;
        assert_int_equal(code, failed ? KS_ENOMEM : KS_OK);
        if (!failed)
            storage_check(row->name, a.cycle, row->want);
        storage_end(&a);
        assert_int_equal(failing.bytes, 0);
        if (!failed)
            return;
    }
}

static void survives_want_of_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        survive_row(&rows[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pods_go_where_their_volumes_can_be_used),
        cmocka_unit_test(a_missing_volume_refuses_each_node),
        cmocka_unit_test(survives_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
