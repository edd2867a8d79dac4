import {sameValue} from '../../../sdk/validation/index.js';
import type {PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';

/** The label by which the pods of the ReplicaSets of a Deployment differ. */
export const hashLabel = 'pod-template-hash';

type Template = PodTemplateSpec | null | undefined;

/** A template without the label that its ReplicaSet has given it. */
export function withoutHash(template: Template): PodTemplateSpec {
  if (!template?.metadata?.labels || !(hashLabel in template.metadata.labels)) return template ?? {};
  const {[hashLabel]: _hash, ...labels} = template.metadata.labels;
  return {...template, metadata: {...template.metadata, labels}};
}

/** Whether pods of both templates are the same. Empty lists and maps count as absent. */
export function sameTemplate(one: Template, other: Template): boolean {
  return sameValue(withoutEmpty(withoutHash(one)), withoutEmpty(withoutHash(other)));
}

/** Members that are maps: where they are empty they say nothing, while an empty structure may say something. */
const maps: ReadonlySet<string> = new Set(['labels', 'annotations', 'nodeSelector', 'limits', 'requests', 'matchLabels']);

function withoutEmpty(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => withoutEmpty(item));
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const members = Object.entries(value)
    .map(([name, member]) => [name, withoutEmpty(member, name)] as const)
    .filter(([, member]) => member !== undefined);
  return members.length === 0 && maps.has(key) ? undefined : Object.fromEntries(members);
}
