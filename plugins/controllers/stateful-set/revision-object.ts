import type {NamingProfile} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {ControllerRevision, StatefulSet} from '../../../sdk/types/unchecked/apps/v1.js';
import type {PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {controllerReference} from '../../families/workload-pods/controller-reference.js';
import {setKind, setVersion} from './set-object.js';

/** The content of a revision: a patch that restores the template. */
interface RevisionData {
  readonly spec: {readonly template: PodTemplateSpec & {readonly $patch?: string}};
}

/** Maximum characters of the set's name in the names of its revisions. */
const longestPrefix = 223;

/** The revision of the set's current template. */
export function newRevision(naming: NamingProfile, set: StatefulSet, revision: number, collisions: number): ControllerRevision {
  const template = set.spec?.template ?? {};
  const data = {spec: {template: {...template, $patch: 'replace'}}};
  const hash = revisionHash(data, collisions);
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${set.metadata.name!.slice(0, longestPrefix)}-${hash}`,
      namespace: set.metadata.namespace!,
      labels: {...template.metadata?.labels, [naming.key('controller.orch/hash')]: hash},
      ownerReferences: [controllerReference(set, setVersion, setKind)],
    },
    data: data as NonNullable<ControllerRevision['data']>,
    revision,
  };
}

/** The template in a revision. */
export function templateOf({data}: ControllerRevision): PodTemplateSpec {
  const {$patch: _patch, ...template} = (data as unknown as RevisionData).spec.template;
  return template;
}

export function isSameRevision(one: ControllerRevision, other: ControllerRevision): boolean {
  return sameValue(one.data, other.data);
}

/** Oldest first; of the same number, the one created first. */
export function byAge(one: ControllerRevision, other: ControllerRevision): number {
  const created = ({metadata}: ControllerRevision) => Date.parse(metadata.creationTimestamp ?? '') || 0;
  return numberOf(one) - numberOf(other) || created(one) - created(other) || (one.metadata.name! < other.metadata.name! ? -1 : 1);
}

export function numberOf({revision}: ControllerRevision): number {
  return Number(revision ?? 0);
}

const safeCharacters = 'bcdfghjklmnpqrstvwxz2456789';

/** An FNV-1 hash of the data and the collision count, in characters that do not form words. */
function revisionHash(data: unknown, collisions: number): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${canonical(data)}${collisions}`)) hash = Math.imul(hash, 0x01000193) ^ byte;
  return [...String(hash >>> 0)].map((digit) => safeCharacters[digit.charCodeAt(0) % safeCharacters.length]).join('');
}

/** JSON with sorted members, so that all servers give a template the same name. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'bigint'
      ? String(member)
      : typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
        : member,
  );
}
