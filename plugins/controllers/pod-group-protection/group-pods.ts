import type {ApiObject, ObjectCache, ResourceRef} from '../../../sdk/index.js';
import {splitObjectKey} from '../../../sdk/controllers/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';

export const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};

/** The pods of groups that have not finished, by the keys of the groups. Keeps their names alone. */
export class GroupPods {
  readonly #cache: ObjectCache;
  readonly #names = new Map<string, Set<string>>();

  constructor(cache: ObjectCache) {
    this.#cache = cache;
  }

  /** A pod is there, or has changed. @returns the key of its group if that has no such pod left */
  changed(pod: ApiObject): string[] {
    if (isFinished(pod)) return this.gone(pod);
    const group = groupKey(pod);
    if (group === undefined) return [];
    const names = this.#names.get(group);
    if (names) names.add(pod.metadata.name!);
    else this.#names.set(group, new Set([pod.metadata.name!]));
    return [];
  }

  /** The same for one that is gone. */
  gone(pod: ApiObject): string[] {
    const group = groupKey(pod);
    return group !== undefined && this.#forget(group, pod.metadata.name!) ? [group] : [];
  }

  /** Whether the cache has such a pod of a group. */
  async has(group: string): Promise<boolean> {
    const [namespace] = splitObjectKey(group);
    for (const name of [...(this.#names.get(group) ?? [])]) {
      const kept = this.#cache.find(pods, namespace, name);
      const pod = kept && (await this.#cache.read(pods, kept));
      if (pod && uses(pod, group)) return true;
      // It may have gone without a word, and another one may have come in its place.
      this.#forget(group, name);
    }
    return false;
  }

  /** Whether none is left. */
  #forget(group: string, name: string): boolean {
    const names = this.#names.get(group);
    names?.delete(name);
    if (names && names.size > 0) return false;
    this.#names.delete(group);
    return true;
  }
}

/** Whether a pod is of a group and has not finished. @param group its key */
export function uses(pod: ApiObject, group: string): boolean {
  return groupKey(pod) === group && !isFinished(pod);
}

function groupKey(pod: ApiObject): string | undefined {
  const name = (pod as Pod).spec?.schedulingGroup?.podGroupName;
  return name ? `${pod.metadata.namespace}/${name}` : undefined;
}

function isFinished(pod: ApiObject): boolean {
  const phase = (pod as Pod).status?.phase;
  return phase === 'Succeeded' || phase === 'Failed';
}
