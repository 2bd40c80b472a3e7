// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

ks_str ks_namespace_or_default(ks_str name)
{
    return name.len ? name : KS_STR("default");
}

static bool has_name(const ks_row *row, const void *key)
{
    return ks_str_eq(ks_space_name((const ks_space *)row), *(const ks_str *)key);
}

static ks_space *find(const ks_cluster *cluster, ks_str name)
{
    return (ks_space *)ks_table_find(&cluster->spaces, ks_str_hash(name), has_name, &name);
}

ks_space *ks_space_get(ks_cluster *cluster, ks_str name)
{
    ks_space *space = find(cluster, name);
    if (!space) {
        if (!ks_table_reserve(&cluster->spaces, &cluster->alloc))
            return NULL;
        space = ks_alloc_get_zeroed(&cluster->alloc, sizeof *space + name.len);
        if (!space)
            return NULL;
        memcpy(space->name, name.data, name.len);
        space->name_len = name.len;
        ks_table_add(&cluster->spaces, &space->row, ks_str_hash(name));
    }
    space->row.refs++;
    return space;
}

void ks_space_unref(ks_cluster *cluster, ks_space *space)
{
    if (!space || --space->row.refs > 0)
        return;
    ks_table_remove(&cluster->spaces, &space->row);
    ks_vec_free(&space->classes, &cluster->alloc);
    ks_vec_free(&space->matchers, &cluster->counting);
    ks_vec_free(&space->services, &cluster->alloc);
    ks_alloc_free(&cluster->alloc, space, sizeof *space + space->name_len);
}
