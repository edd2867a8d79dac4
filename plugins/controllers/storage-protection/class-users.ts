import {pagesOf, type ApiObject, type ListOptions, type ResourceClient, type ResourceRef} from '../../../sdk/index.js';

export const claims: ResourceRef = {group: '', version: 'v1', resource: 'persistentvolumeclaims'};
export const volumes: ResourceRef = {group: '', version: 'v1', resource: 'persistentvolumes'};

/** What claims and volumes say of classes of attributes. */
interface ClassUser {
  readonly spec?: {readonly volumeAttributesClassName?: string | null};
  readonly status?: {
    readonly currentVolumeAttributesClassName?: string | null;
    readonly modifyVolumeStatus?: {readonly targetVolumeAttributesClassName?: string} | null;
  };
}

/** The classes of attributes that a claim or a volume asks for, has, or is on its way to. */
export function classesOf(object: ApiObject): Set<string> {
  const {spec, status} = object as ClassUser;
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return new Set(names.filter((name): name is string => Boolean(name)));
}

/** Whether a claim or a volume uses a class. The cache is looked at first; it may lag behind, so that only the store can say that there is none. */
export async function isClassUsed(resources: ResourceClient, name: string): Promise<boolean> {
  for (const from of [{resourceVersion: '0'}, {}])
    for (const ref of [volumes, claims]) if (await someUse(resources, ref, name, from)) return true;
  return false;
}

async function someUse(resources: ResourceClient, ref: ResourceRef, name: string, from: ListOptions): Promise<boolean> {
  for await (const {items} of pagesOf(resources, ref, '', from)) if (items.some((object) => classesOf(object).has(name))) return true;
  return false;
}

/** Which classes the claims and volumes of this server use: those that use none, as most do, are not kept. */
export class ClassUsers {
  readonly #known = new Map<string, ReadonlySet<string>>();

  /** @param key of the claim or volume. @returns the classes that it has used and does not use any more */
  changed(key: string, classes: ReadonlySet<string>): string[] {
    const before = this.#known.get(key) ?? new Set<string>();
    if (classes.size > 0) this.#known.set(key, classes);
    else this.#known.delete(key);
    return [...before].filter((name) => !classes.has(name));
  }
}
