// SPDX-License-Identifier: Apache-2.0
#include "cli/input.h"
#include "cli/mapping.h"
#include "util/json.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

static const char stdin_name[] = "<stdin>";

void ks_inputs_init(ks_inputs *inputs, ks_alloc *alloc, ks_arena *arena)
{
    *inputs = (ks_inputs){.alloc = alloc, .arena = arena};
}

void ks_inputs_free(ks_inputs *inputs)
{
    for (size_t i = 0; i < inputs->items.count; i++)
        if (inputs->items.items[i].fd >= 0)
            close(inputs->items.items[i].fd);
    ks_vec_free(&inputs->items, inputs->alloc);
}

/* On failure a descriptor that came with the input is closed. */
static int push(ks_inputs *inputs, ks_input input, ks_error *err)
{
    if (!ks_vec_push(&inputs->items, inputs->alloc, input)) {
        if (input.fd >= 0)
            close(input.fd);
        return ks_fail_nomem(err);
    }
    inputs->total_bytes += input.size;
    return KS_OK;
}

static int add_stream(ks_inputs *inputs, int fd, const char *name, ks_error *err)
{
    ks_input input = {.path = name};
    int code = ks_stream_spool(&input.fd, &input.size, fd, name, err);
    return code == KS_OK ? push(inputs, input, err) : code;
}

static int add_stdin(ks_inputs *inputs, ks_error *err)
{
    for (size_t i = 0; i < inputs->items.count; i++)
        if (inputs->items.items[i].path == stdin_name)
            return ks_fail(err, KS_EINVAL, "\"-\": standard input can be read only once");
    return add_stream(inputs, STDIN_FILENO, stdin_name, err);
}

static int add_named_stream(ks_inputs *inputs, const char *path, ks_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return ks_fail(err, KS_EINVAL, "%s: %s", path, strerror(errno));
    int code = add_stream(inputs, fd, path, err);
    close(fd);
    return code;
}

static int add_one(ks_inputs *inputs, const char *path, ks_error *err)
{
    struct stat stat_;
    if (strcmp(path, "-") == 0)
        return add_stdin(inputs, err);
    if (stat(path, &stat_) < 0)
        return ks_fail(err, KS_EINVAL, "%s: %s", path, strerror(errno));
    if (S_ISREG(stat_.st_mode))
        return push(inputs, (ks_input){.path = path, .fd = -1, .size = (size_t)stat_.st_size}, err);
    if (S_ISFIFO(stat_.st_mode) || S_ISCHR(stat_.st_mode))
        return add_named_stream(inputs, path, err);
    return ks_fail(err, KS_EINVAL, "%s: must be a file or a pipe", path);
}

static bool is_folder(const char *path)
{
    struct stat stat_;
    return strcmp(path, "-") != 0 && stat(path, &stat_) == 0 && S_ISDIR(stat_.st_mode);
}

int ks_inputs_add(ks_inputs *inputs, const char *path, ks_folder_reach reach, ks_error *err)
{
    if (!is_folder(path))
        return add_one(inputs, path, err);
    ks_texts files = {0};
    int code = ks_folder_list(&files, inputs->arena, path, reach, err);
    for (size_t i = 0; code == KS_OK && i < files.count; i++)
        code = add_one(inputs, files.items[i], err);
    return code;
}

static int map_input(ks_mapping *out, const ks_input *input, ks_error *err)
{
    if (input->fd >= 0)
        return ks_mapping_open(out, input->fd, input->path, err);
    int fd = open(input->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return ks_fail(err, KS_EINVAL, "%s: %s", input->path, strerror(errno));
    int code = ks_mapping_open(out, fd, input->path, err);
    close(fd);
    return code;
}

typedef struct reading {
    ks_object_fn object;
    void *ctx;
    ks_mapping mapping;
    ks_progress progress;
    size_t bytes_before; /* of the inputs that are done */
    const ks_input *input;
} reading;

/* Says where the object stands that somebody did not want. */
static int fail_at(const reading *r, size_t offset, int code, ks_error *err)
{
    uint32_t line, column;
    ks_text_position(r->mapping.text, offset, &line, &column);
    return ks_fail_wrap(err, code, "%s:%" PRIu32 ":%" PRIu32, r->input->path, line, column);
}

static int take_object(void *ctx, const ks_object *object, ks_error *err)
{
    reading *r = ctx;
    ks_mapping_release(&r->mapping, object->offset);
    ks_progress_show(&r->progress, r->bytes_before + object->offset);
    int code = r->object(r->ctx, object, err);
    if (code == KS_OK || code == KS_ENOMEM)
        return code;
    return fail_at(r, object->offset, code, err);
}

static int decode_one(reading *r, const ks_input *input, ks_error *err)
{
    int code = map_input(&r->mapping, input, err);
    if (code != KS_OK)
        return code;
    r->input = input;
    ks_source source = {.name = ks_str_of(input->path), .text = r->mapping.text};
    code = ks_decode(source, NULL, take_object, r, err);
    r->bytes_before += input->size;
    ks_mapping_close(&r->mapping);
    return code;
}

int ks_inputs_decode(const ks_inputs *inputs, ks_object_fn object, void *ctx, ks_error *err)
{
    reading r = {.object = object, .ctx = ctx};
    ks_progress_begin(&r.progress, &ks_progress_loading, inputs->total_bytes);
    int code = KS_OK;
    for (size_t i = 0; code == KS_OK && i < inputs->items.count; i++)
        code = decode_one(&r, &inputs->items.items[i], err);
    ks_progress_end(&r.progress);
    return code;
}

int ks_input_with_text(ks_inputs *inputs, const char *path, ks_text_fn text, void *ctx, ks_error *err)
{
    int code = add_one(inputs, path, err);
    if (code != KS_OK)
        return code;
    const ks_input *input = &inputs->items.items[inputs->items.count - 1];
    ks_mapping mapping = {0};
    code = map_input(&mapping, input, err);
    if (code != KS_OK)
        return code;
    code = text(ctx, (ks_source){.name = ks_str_of(input->path), .text = mapping.text}, err);
    ks_mapping_close(&mapping);
    return code;
}
