// SPDX-License-Identifier: Apache-2.0
/* Decoding a List of pods as kubectl prints it, against cJSON's parse of the same text.
 *
 *   bench_decode [MEGABYTES]    (300)
 *
 * Each measurement runs in a process of its own, so that none inherits the other's heap and the peak
 * memory is its own. Speed is measured on text that is mapped and present, and counts into that peak;
 * the last two lines show the decoder with pages given back behind it, as a program does that reads a
 * file larger than it would like to hold. */
#include "pod_list.h"
#include <kubespread/decode.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(KS_HAVE_CJSON)
#include <cjson/cJSON.h>
#endif

enum { ROUNDS = 3, MEGABYTES_DEFAULT = 300, GIVE_BACK_STEP = 1 << 20 };

typedef struct text_file {
    FILE *file; /* gone from its folder already: it goes with the process */
    size_t size;
} text_file;

typedef struct outcome {
    double seconds;
    size_t pods;
} outcome;

typedef struct figures {
    outcome outcome;
    double peak_mb;
} figures;

typedef outcome (*work_fn)(char *text, size_t size);

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "bench_decode: %s\n", what);
    exit(1);
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- what is measured ---- */

typedef struct counting {
    size_t pods;
    char *given_back; /* pages before this one are not held any more; NULL: all are kept */
    const char *text;
} counting;

static int count_pod(void *ctx, const ks_object *object, ks_error *err)
{
    (void)err;
    counting *count = ctx;
    count->pods += object->kind == KS_POD;
    if (!count->given_back)
        return 0;
    size_t behind = (size_t)(count->text + object->offset - count->given_back);
    size_t whole = behind / GIVE_BACK_STEP * GIVE_BACK_STEP;
    if (whole > 0 && madvise(count->given_back, whole, MADV_DONTNEED) == 0)
        count->given_back += whole;
    return 0;
}

static outcome decode(ks_str text, counting count)
{
    ks_error err;
    double begin = now_s();
    if (ks_decode((ks_source){KS_STR("pods.json"), text}, NULL, count_pod, &count, &err) != 0)
        die(err.message);
    return (outcome){now_s() - begin, count.pods};
}

static outcome decode_all(char *text, size_t size)
{
    return decode((ks_str){text, size}, (counting){0});
}

static outcome decode_giving_back(char *text, size_t size)
{
    return decode((ks_str){text, size}, (counting){.given_back = text, .text = text});
}

#if defined(KS_HAVE_CJSON)
static outcome parse_with_cjson(char *text, size_t size)
{
    double begin = now_s();
    cJSON *list = cJSON_ParseWithLength(text, size);
    outcome done = {.seconds = now_s() - begin};
    if (!list)
        die("cJSON refuses the text");
    done.pods = (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(list, "items"));
    cJSON_Delete(list);
    return done;
}
#endif

/* ---- how ---- */

static text_file make_file(size_t bytes)
{
    text_file made = {.file = tmpfile()};
    if (!made.file || !pod_list_write(made.file, bytes))
        die("cannot write a temporary file");
    made.size = (size_t)ftell(made.file);
    return made;
}

static outcome run_here(work_fn work, const text_file *from)
{
    int populate = work == decode_giving_back ? 0 : MAP_POPULATE;
    void *text = mmap(NULL, from->size, PROT_READ, MAP_PRIVATE | populate, fileno(from->file), 0);
    if (text == MAP_FAILED)
        die("cannot map the file");
    /* The first pass is not counted: it pays for the heap, which is not what is compared. */
    work(text, from->size);
    return work(text, from->size);
}

static figures run_apart(work_fn work, const text_file *from)
{
    figures found = {0};
    int ends[2];
    if (pipe(ends) != 0)
        die("no pipe");
    pid_t child = fork();
    if (child < 0)
        die("cannot fork");
    if (child == 0) {
        outcome done = run_here(work, from);
        _exit(write(ends[1], &done, sizeof done) == sizeof done ? 0 : 1);
    }
    close(ends[1]);
    struct rusage usage;
    int status;
    bool read_back = read(ends[0], &found.outcome, sizeof found.outcome) == sizeof found.outcome;
    close(ends[0]);
    if (wait4(child, &status, 0, &usage) != child || status != 0 || !read_back)
        die("a measurement failed");
    found.peak_mb = (double)usage.ru_maxrss / 1024;
    return found;
}

static double megabytes(const text_file *text)
{
    return (double)text->size / 1e6;
}

static double measure(const char *name, work_fn work, const text_file *text)
{
    figures found = run_apart(work, text);
    double rate = megabytes(text) / found.outcome.seconds;
    printf("%-10s %8.0f MB/s %8zu pods %8.1f MiB peak\n", name, rate, found.outcome.pods, found.peak_mb);
    return rate;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void compare_speed(const text_file *text)
{
    double cjson = 0, ours = 0;
    for (int round = 0; round < ROUNDS; round++) {
#if defined(KS_HAVE_CJSON)
        cjson = larger(cjson, measure("cJSON", parse_with_cjson, text));
#endif
        ours = larger(ours, measure("ks_decode", decode_all, text));
    }
    if (cjson > 0)
        printf("best of %d: %.0f against %.0f MB/s, %.1f times as fast\n", ROUNDS, ours, cjson, ours / cjson);
}

static void show_memory(const text_file *text)
{
    figures found = run_apart(decode_giving_back, text);
    printf("ks_decode of %.0f MB, pages given back: %.1f MiB peak\n", megabytes(text), found.peak_mb);
}

int main(int argc, char **argv)
{
    long size = argc > 1 ? strtol(argv[1], NULL, 10) : MEGABYTES_DEFAULT;
    if (size < 1 || size > 100000)
        die("the size must be 1 to 100000 megabytes");
    setvbuf(stdout, NULL, _IOLBF, 0);
    text_file whole = make_file((size_t)size * 1000000), half = make_file((size_t)size * 500000);
    printf("a List of %.0f MB\n", megabytes(&whole));
    compare_speed(&whole);
    show_memory(&half);
    show_memory(&whole);
    fclose(half.file);
    fclose(whole.file);
    return 0;
}
