import {isSameEndpoint, type EndpointPod, type PodForm} from './endpoint-pod.js';

interface Group {
  readonly form: PodForm;
  readonly pods: Map<string, EndpointPod>;
}

/** Pods by namespace and form, so that a selector is compared once for all pods of a template. */
export class PodsByForm {
  readonly #pods = new Map<string, EndpointPod>();
  /** By namespace, then by the key of the form. */
  readonly #groups = new Map<string, Map<string, Group>>();

  /**
   * Takes the state of a pod.
   *
   * @param pod undefined if it is gone
   * @returns the forms by which it was and is selected; none if endpoints do not notice the change
   */
  put(key: string, pod: EndpointPod | undefined): PodForm[] {
    const before = this.#pods.get(key);
    if (before) this.#leave(key, before);
    const after = pod && this.#join(key, pod);
    if (before && after && isSameEndpoint(before, after)) return [];
    const forms = [before?.form, after?.form].filter((form) => form !== undefined);
    return forms[0]?.key === forms[1]?.key ? forms.slice(0, 1) : forms;
  }

  /** Those of a namespace whose labels are selected. */
  selected(namespace: string, selects: (labels: Readonly<Record<string, string>>) => boolean): EndpointPod[] {
    const found: EndpointPod[] = [];
    for (const {form, pods} of this.#groups.get(namespace)?.values() ?? []) if (selects(form.labels)) found.push(...pods.values());
    return found;
  }

  #join(key: string, pod: EndpointPod): EndpointPod {
    const {namespace, form} = pod;
    let groups = this.#groups.get(namespace);
    if (!groups) this.#groups.set(namespace, (groups = new Map()));
    let group = groups.get(form.key);
    if (!group) groups.set(form.key, (group = {form, pods: new Map()}));
    // One form for all: of a thousand pods the labels are kept once.
    const kept = {...pod, form: group.form};
    group.pods.set(key, kept);
    this.#pods.set(key, kept);
    return kept;
  }

  #leave(key: string, {namespace, form}: EndpointPod): void {
    this.#pods.delete(key);
    const groups = this.#groups.get(namespace);
    const group = groups?.get(form.key);
    group?.pods.delete(key);
    if (group?.pods.size === 0) groups!.delete(form.key);
    if (groups?.size === 0) this.#groups.delete(namespace);
  }
}
