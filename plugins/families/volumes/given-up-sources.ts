import type {FieldPath} from '../../../sdk/index.js';
import {isGiven} from '../../../sdk/validation/index.js';

/** Kinds of volumes that Kubernetes has given up: the releases that deprecated them, and that have no effect of them any more. */
const sources: Readonly<Record<string, readonly [deprecated: string, withoutEffect: string]>> = {
  photonPersistentDisk: ['v1.11', 'v1.16'],
  scaleIO: ['v1.16', 'v1.22'],
  flocker: ['v1.22', 'v1.25'],
  storageos: ['v1.22', 'v1.25'],
  quobyte: ['v1.22', 'v1.25'],
  glusterfs: ['v1.25', 'v1.26'],
  cephfs: ['v1.28', 'v1.31'],
  rbd: ['v1.28', 'v1.31'],
};

/** Kubernetes names it so. */
const shownNames: Readonly<Record<string, string>> = {storageos: 'storageOS'};

/** Warnings about the kind of a volume. `path` is that of the object with the sources. @param except kinds that Kubernetes says nothing about there */
export function givenUp(volume: object, path: FieldPath, except: readonly string[] = []): string[] {
  const members = volume as Readonly<Record<string, unknown>>;
  return Object.entries(sources).flatMap(([member, [deprecated, withoutEffect]]) => {
    if (!isGiven(members[member]) || except.includes(member)) return [];
    const shown = path.child(shownNames[member] ?? member).toString();
    return [`${shown}: deprecated in ${deprecated}, non-functional in ${withoutEffect}+`];
  });
}
