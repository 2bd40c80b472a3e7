// SPDX-License-Identifier: Apache-2.0
/* Objects that come out of texts as they should. */
#include "support/decoded.h"
#include "support/failing_allocator.h"
#include "support/transcript.h"
#include "support/unit.h"
#include <stdio.h>

/* ---- every field of every kind ---- */

#define META                                                                                                 \
    "'metadata':{'name':'a','generateName':'g','namespace':'n','uid':'u','managedFields':[{'x':{}}],"        \
    "'creationTimestamp':'2024-02-29T10:00:00Z','deletionTimestamp':'2024-05-01T10:00:00.5+02:00',"          \
    "'labels':{'b':'2','a':'1','example.com/c':''},'annotations':{'z':'z'},"                                 \
    "'ownerReferences':[{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'r','uid':'v','controller':true," \
    "'blockOwnerDeletion':true}]}"
#define META_DUMP                                                                                            \
    "metadata:{creationTimestamp:'2024-02-29T10:00:00Z',deletionTimestamp:'2024-05-01T10:00:00.5+02:00',"    \
    "generateName:'g',labels:{a:'1',b:'2',example.com/c:''},name:'a',namespace:'n',"                         \
    "ownerReferences:[{apiVersion:'apps/v1',controller:true,kind:'ReplicaSet',name:'r',uid:'v'}],uid:'u'}"

#define SELECTOR                                                                                             \
    "{'matchLabels':{'y':'2','x':'1'},'matchExpressions':[{'key':'k','operator':'In','values':['v','w']},"   \
    "{'key':'e','operator':'Exists'}]}"
#define SELECTOR_DUMP                                                                                        \
    "{matchExpressions:[{key:'k',operator:'In',values:['v','w']},{key:'e',operator:'Exists'}],"              \
    "matchLabels:{x:'1',y:'2'}}"

#define TEMPLATE "'template':{'metadata':{'labels':{'app':'web'},'name':'x'},'spec':{'nodeName':'n1'}}"
#define TEMPLATE_DUMP "template:{metadata:{labels:{app:'web'}},spec:{nodeName:'n1'}}"

#define POD_SPEC                                                                                             \
    "{'nodeName':'n1','schedulerName':'s','priorityClassName':'high','preemptionPolicy':'Never',"            \
    "'priority':-5,'hostNetwork':true,'nodeSelector':{'disk':'ssd'},'restartPolicy':'Always',"               \
    "'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':["    \
    "{'matchExpressions':[{'key':'cores','operator':'Gt','values':['4']}],"                                  \
    "'matchFields':[{'key':'metadata.name','operator':'In','values':['n1']}]}]},"                            \
    "'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':7,'preference':{'matchExpressions':[]}}]}" \
    ","                                                                                                      \
    "'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'zone',"                \
    "'labelSelector':" SELECTOR ",'namespaces':['n'],'namespaceSelector':{},'matchLabelKeys':['m'],"         \
    "'mismatchLabelKeys':['o']}]},"                                                                          \
    "'podAntiAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':1,'podAffinityTerm':{"  \
    "'topologyKey':'host'}}]}},"                                                                             \
    "'tolerations':[{'key':'k','operator':'Equal','value':'v','effect':'NoSchedule','tolerationSeconds':5}]" \
    ","                                                                                                      \
    "'topologySpreadConstraints':[{'maxSkew':2,'topologyKey':'zone','whenUnsatisfiable':'DoNotSchedule',"    \
    "'labelSelector':" SELECTOR ",'minDomains':3,'nodeAffinityPolicy':'Honor','nodeTaintsPolicy':'Ignore',"  \
    "'matchLabelKeys':['pod-template-hash']}],"                                                              \
    "'initContainers':[{'name':'i','restartPolicy':'Always'}],"                                              \
    "'containers':[{'name':'c','image':'web:1','resources':{'requests':{'memory':'1.5Gi','cpu':0.25},"       \
    "'limits':{'cpu':'500m'}},'ports':[{'containerPort':80,'hostPort':8080,'protocol':'TCP',"                \
    "'hostIP':'10.0.0.1'}],'env':[{'name':'x','value':'y'}]}],"                                              \
    "'overhead':{'cpu':'10m'},'resources':{'limits':{'cpu':1}},"                                             \
    "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'claim','readOnly':true}},"                 \
    "{'name':'w','emptyDir':{}}],'schedulingGates':[{'name':'gate'}]}"
#define POD_SPEC_DUMP                                                                                        \
    "{affinity:{nodeAffinity:{preferredDuringSchedulingIgnoredDuringExecution:[{"                            \
    "preference:{matchExpressions:[]},weight:7}],"                                                           \
    "requiredDuringSchedulingIgnoredDuringExecution:{nodeSelectorTerms:[{"                                   \
    "matchExpressions:[{key:'cores',operator:'Gt',values:['4']}],"                                           \
    "matchFields:[{key:'metadata.name',operator:'In',values:['n1']}]}]}},"                                   \
    "podAffinity:{requiredDuringSchedulingIgnoredDuringExecution:[{labelSelector:" SELECTOR_DUMP ","         \
    "matchLabelKeys:['m'],mismatchLabelKeys:['o'],namespaceSelector:{},namespaces:['n'],topologyKey:'zone'}" \
    "]},podAntiAffinity:{preferredDuringSchedulingIgnoredDuringExecution:[{"                                 \
    "podAffinityTerm:{topologyKey:'host'},weight:1}]}},"                                                     \
    "containers:[{image:'web:1',name:'c',ports:[{containerPort:80,hostIP:'10.0.0.1',hostPort:8080,"          \
    "protocol:'TCP'}],resources:{limits:{cpu:5e-1},requests:{cpu:25e-2,memory:1610612736e0}}}],"             \
    "hostNetwork:true,initContainers:[{name:'i',restartPolicy:'Always'}],nodeName:'n1',"                     \
    "nodeSelector:{disk:'ssd'},overhead:{cpu:1e-2},preemptionPolicy:'Never',priority:-5,"                    \
    "priorityClassName:'high',resources:{limits:{cpu:1e0}},schedulerName:'s',"                               \
    "schedulingGates:[{name:'gate'}],"                                                                       \
    "tolerations:[{effect:'NoSchedule',key:'k',operator:'Equal',value:'v'}],"                                \
    "topologySpreadConstraints:[{labelSelector:" SELECTOR_DUMP ",matchLabelKeys:['pod-template-hash'],"      \
    "maxSkew:2,minDomains:3,nodeAffinityPolicy:'Honor',nodeTaintsPolicy:'Ignore',topologyKey:'zone',"        \
    "whenUnsatisfiable:'DoNotSchedule'}],volumes:[{name:'v',persistentVolumeClaim:{claimName:'claim'}},"     \
    "{name:'w'}]}"

static const transcript_row kinds[] = {
    {"Pod",
     "{'apiVersion':'v1','kind':'Pod'," META ",'spec':" POD_SPEC
     ",'status':{'phase':'Running','nominatedNodeName':'n2','podIP':'10.1.1.1'}}",
     "Pod {" META_DUMP ",spec:" POD_SPEC_DUMP ",status:{nominatedNodeName:'n2',phase:'Running'}}\n"},
    {"Pod in YAML, absent and empty",
     "apiVersion: v1\nkind: Pod\nmetadata: {labels: {}, name: null}\nspec:\n  affinity: {}\n  nodeSelector:\n"
     "  tolerations: []\n  topologySpreadConstraints: [{labelSelector: {}}, {labelSelector: null}]\n"
     "  nodeName: ''\n",
     "Pod {metadata:{labels:{}},spec:{affinity:{},nodeName:'',tolerations:[],"
     "topologySpreadConstraints:[{labelSelector:{}},{}]}}\n"},
    {"Node",
     "{'apiVersion':'v1','kind':'Node'," META ",'spec':{'podCIDR':'10.0.0.0/24','unschedulable':true,"
     "'taints':[{'key':'k','value':'v','effect':'NoExecute','timeAdded':null}]},"
     "'status':{'allocatable':{'pods':'110','cpu':'3920m','memory':'32Gi'},'capacity':{'cpu':'x'},"
     "'images':[{'names':['a','b'],'sizeBytes':12345678901}]}}",
     "Node {" META_DUMP ",spec:{taints:[{effect:'NoExecute',key:'k',value:'v'}],unschedulable:true},"
     "status:{allocatable:{cpu:392e-2,memory:34359738368e0,pods:110e0},"
     "images:[{names:['a','b'],sizeBytes:12345678901}]}}\n"},
    {"Namespace", "{'apiVersion':'v1','kind':'Namespace'," META "}", "Namespace {" META_DUMP "}\n"},
    {"Service", "{'apiVersion':'v1','kind':'Service'," META ",'spec':{'selector':{'app':'web'},'ports':[]}}",
     "Service {" META_DUMP ",spec:{selector:{app:'web'}}}\n"},
    {"ReplicationController",
     "{'apiVersion':'v1','kind':'ReplicationController'," META
     ",'spec':{'replicas':2,'selector':{'a':'b'}," TEMPLATE "}}",
     "ReplicationController {" META_DUMP ",spec:{replicas:2,selector:{a:'b'}," TEMPLATE_DUMP "}}\n"},
    {"ReplicaSet",
     "{'apiVersion':'apps/v1','kind':'ReplicaSet'," META ",'spec':{'replicas':0,'selector':" SELECTOR
     "," TEMPLATE "}}",
     "ReplicaSet {" META_DUMP ",spec:{replicas:0,selector:" SELECTOR_DUMP "," TEMPLATE_DUMP "}}\n"},
    {"StatefulSet",
     "{'apiVersion':'apps/v1','kind':'StatefulSet'," META ",'spec':{'serviceName':'db','updateStrategy':{"
     "'type':'RollingUpdate','rollingUpdate':{'partition':1,'maxUnavailable':'10%'}}}}",
     "StatefulSet {" META_DUMP ",spec:{serviceName:'db',"
     "strategy:{rollingUpdate:{maxUnavailable:10%},type:'RollingUpdate'},"
     "updateStrategy:{rollingUpdate:{maxUnavailable:10%},type:'RollingUpdate'}}}\n"},
    {"Deployment",
     "{'apiVersion':'apps/v1','kind':'Deployment'," META ",'spec':{'strategy':{'type':'RollingUpdate',"
     "'rollingUpdate':{'maxSurge':'25%','maxUnavailable':0}}," TEMPLATE "}}",
     "Deployment {" META_DUMP ",spec:{strategy:{rollingUpdate:{maxSurge:25%,maxUnavailable:0},"
     "type:'RollingUpdate'}," TEMPLATE_DUMP
     ",updateStrategy:{rollingUpdate:{maxSurge:25%,maxUnavailable:0},type:'RollingUpdate'}}}\n"},
    {"DaemonSet",
     "{'apiVersion':'apps/v1','kind':'DaemonSet'," META ",'spec':{'selector':" SELECTOR "," TEMPLATE "}}",
     "DaemonSet {" META_DUMP ",spec:{selector:" SELECTOR_DUMP "," TEMPLATE_DUMP "}}\n"},
    {"Job",
     "{'apiVersion':'batch/v1','kind':'Job'," META
     ",'spec':{'parallelism':2,'completions':5,'selector':" SELECTOR "," TEMPLATE "}}",
     "Job {" META_DUMP ",spec:{completions:5,parallelism:2,selector:" SELECTOR_DUMP "," TEMPLATE_DUMP "}}\n"},
    {"PriorityClass",
     "{'apiVersion':'scheduling.k8s.io/v1','kind':'PriorityClass'," META
     ",'value':-2147483648,'globalDefault':true,'preemptionPolicy':'Never'}",
     "PriorityClass {globalDefault:true," META_DUMP ",preemptionPolicy:'Never',value:-2147483648}\n"},
    {"PodDisruptionBudget",
     "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget'," META ",'spec':{'minAvailable':2,"
     "'maxUnavailable':'50%','selector':" SELECTOR "},'status':{'disruptionsAllowed':1}}",
     "PodDisruptionBudget {" META_DUMP ",spec:{maxUnavailable:50%,minAvailable:2,selector:" SELECTOR_DUMP
     "},status:{disruptionsAllowed:1}}\n"},
    {"escapes",
     "{'\\u0061piVersion':'v\\u0031','k\\u0069nd':'P\\u006fd','met\\u0061data':{'l\\u0061bels':"
     "{'b':'\\u0032','\\u0061':'1'},'name':'\\u006e\\u00e9'}}",
     "Pod {metadata:{labels:{a:'1',b:'2'},name:'né'}}\n"},
    {"names are case-sensitive", "{'apiVersion':'v1','kind':'Pod','Metadata':1,'spec':{'NodeName':1}}",
     "Pod {}\n"},
    {"null is absent everywhere",
     "{'apiVersion':'v1','kind':'Pod','metadata':{'labels':null,'creationTimestamp':null,"
     "'ownerReferences':[null]},'spec':{'priority':null,'hostNetwork':null,'affinity':null,"
     "'containers':[{'ports':null,'resources':{'limits':{'cpu':null}}}],"
     "'nodeSelector':{'a':null}},'status':null}",
     "Pod {metadata:{ownerReferences:[{}]},"
     "spec:{containers:[{resources:{limits:{cpu:0e0}}}],nodeSelector:{a:''}}}\n"},
};

static void test_kinds(void **state)
{
    (void)state;
    transcript_check(kinds, COUNT(kinds), true);
}

/* ---- streams of objects ---- */

#define POD(name) "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name "'}}"
#define BARE(name) "{'metadata':{'name':'" name "'}}"

static const transcript_row streams[] = {
    {"nothing", "", ""},
    {"blanks", " \n\t ", ""},
    {"null", "null", ""},
    {"one object", POD("a"), "Pod /a@0\n"},
    {"one after the other", POD("a") POD("b") "\n" POD("c") " ", "Pod /a@0\nPod /b@56\nPod /c@113\n"},
    {"separated", POD("a") "\n---\n" POD("b") "\n--- # next\n---\n" POD("c") "\n---\n",
     "Pod /a@0\nPod /b@61\nPod /c@133\n"},
    {"JSON and then YAML", POD("a") "\n---\napiVersion: v1\nkind: Node\nmetadata: {name: node}\n",
     "Pod /a@0\nNode /node@61\n"},
    {"byte order mark, JSON", "\xEF\xBB\xBF" POD("a"), "Pod /a@3\n"},
    {"byte order mark, YAML", "\xEF\xBB\xBF# é\nkind: Pod\napiVersion: v1\n", "Pod /@8\n"},
    {"YAML documents",
     "# first\nkind: Pod\napiVersion: v1\nmetadata: {name: é}\n---\n---\n# é\nkind: Node\napiVersion: "
     "v1\n...\n",
     "Pod /é@8\nNode /@67\n"},
    {"List", "{'apiVersion':'v1','kind':'List','metadata':{},'items':[" POD("a") "," POD("b") "]}",
     "Pod /a@56\nPod /b@113\n"},
    {"List as kubectl prints it", "{'apiVersion':'v1','items':[" POD("a") "],'kind':'List','metadata':{}}",
     "Pod /a@28\n"},
    {"List in YAML",
     "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n- apiVersion: v1\n  kind: Pod\nkind: List\n",
     "Node /@24\nPod /@54\n"},
    {"Lists in a List",
     "{'kind':'List','apiVersion':'v1','items':[{'kind':'List','apiVersion':'v1','items':[" POD(
         "a") "]}," POD("b") ",{'apiVersion':'v1','items':[" POD("c") "],'kind':'List'}]}",
     "Pod /a@84\nPod /b@143\nPod /c@228\n"},
    {"PodList", "{'kind':'PodList','apiVersion':'v1','items':[" BARE("a") "," BARE("b") "]}",
     "Pod /a@45\nPod /b@71\n"},
    {"PodList with the kind at the end",
     "{'items':[" BARE("a") "," BARE("b") "],'apiVersion':'v1','kind':'PodList'}", "Pod /a@10\nPod /b@36\n"},
    {"DeploymentList whose items say so themselves",
     "{'kind':'DeploymentList','apiVersion':'apps/v1','items':[{'kind':'Deployment','apiVersion':'apps/"
     "v1'}]}",
     "Deployment /@57\n"},
    {"a list of something else", "{'kind':'SecretList','apiVersion':'v1','items':[" BARE("a") "]}", ""},
    {"NodeList of another group", "{'kind':'NodeList','apiVersion':'example.com/v1','items':[" BARE("a") "]}",
     ""},
    {"a list of nothing",
     "{'kind':'List','apiVersion':'v1','items':[]}{'kind':'List','apiVersion':'v1'}"
     "{'kind':'PodList','apiVersion':'v1','items':null}{'kind':'List','apiVersion':'v1','items':[null]}",
     ""},
    {"other kinds",
     "{'apiVersion':'v1','kind':'Secret','data':[1,{}]}{'apiVersion':'example.com/v1','kind':'Node'}"
     "{'apiVersion':'apps/v1','kind':'Pod'}{'apiVersion':'apps/v1beta1','kind':'Deployment'}",
     ""},
    {"another kind with items",
     "{'apiVersion':'example.com/v1','items':['milk',{'a':1}],'kind':'Basket'}"
     "{'apiVersion':'example.com/v1','kind':'Basket','items':['milk']}",
     ""},
    {"the kind comes last",
     "{'metadata':{'name':'a','x':{'kind':'No'}},'spec':{},'kind':'Pod','apiVersion':'v1'}", "Pod /a@0\n"},
};

static void test_streams(void **state)
{
    (void)state;
    transcript_check(streams, COUNT(streams), false);
}

/* ---- stopping ---- */

static int stop_at_second(void *ctx, const ks_object *object, ks_error *err)
{
    int *seen = ctx;
    (void)object;
    if (++*seen < 2)
        return 0;
    snprintf(err->message, sizeof err->message, "enough");
    return KS_ESTOPPED;
}

static void test_callback_stops(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[{},{},{}]}",
        ("{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[{}]}"
         "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[{}]}{"),
        "kind: Pod\napiVersion: v1\n---\nkind: Pod\napiVersion: v1\n---\n[",
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        int seen = 0;
        ks_error err = {0};
        ks_source source = {KS_STR("x"), ks_str_of(texts[i])};
        assert_int_equal(ks_decode(source, NULL, stop_at_second, &seen, &err), KS_ESTOPPED);
        assert_int_equal(seen, 2);
        assert_string_equal(err.message, "enough");
    }
}

/* ---- want of memory ---- */

static void sweep(const char *text)
{
    size_t failures = 0;
    for (size_t n = 1;; n++, failures++) {
        failing_allocator failing = failing_allocator_make();
        failing.fail_at = n;
        ks_allocator allocator = failing_allocator_get(&failing);
        ks_alloc outside;
        ks_alloc_init(&outside, NULL);
        transcript t = {0};
        ks_buf_init(&t.buf, &outside);
        ks_error err = {0};
        ks_source source = {KS_STR("x"), ks_str_of(text)};
        int rc = ks_decode(source, &allocator, transcript_note, &t, &err);
        ks_buf_free(&t.buf);
        assert_int_equal(failing.bytes, 0);
        if (!failing.failed) {
            assert_int_equal(rc, 0);
            break;
        }
        assert_int_equal(rc, KS_ENOMEM);
        assert_string_equal(err.message, "out of memory");
    }
    assert_true(failures > 2);
}

static void test_failing_allocations(void **state)
{
    (void)state;
    decoded_memory memory;
    decoded_memory_init(&memory, NULL);
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (strcmp(kinds[i].name, "Pod") == 0)
            sweep(decoded_text(&memory.arena, kinds[i].text).data);
    sweep("apiVersion: v1\nkind: Pod\nmetadata: {name: \"a\\tb\", labels: {b: x, a: z}}\nspec:\n"
          "  containers:\n  - {name: a, resources: {requests: {cpu: 1, memory: 1Gi}}}\n"
          "  - {name: b}\n  - {name: c}\n  - {name: d}\n  - {name: e}\n");
    decoded_memory_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_callback_stops),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
