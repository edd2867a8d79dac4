import {baselineChecks} from './checks/baseline-checks.js';
import type {Check, CheckedKeys, CheckedPod, Revision, Violation} from './checks/check.js';
import {restrictedChecks} from './checks/restricted-checks.js';
import {standardText, type Level, type Standard} from './standard.js';

/** The controls of the Pod Security Standards as of release 1.26. */
export const allChecks: readonly Check[] = [...baselineChecks, ...restrictedChecks];
/** The last version with changes: later ones, and `latest`, are the same. */
const newest = Math.max(...allChecks.flatMap(({revisions}) => revisions.map(({since}) => since)));

/** Revisions by standard, assembled once. */
const known = new Map<string, readonly Revision[]>();

/** How a pod violates the standard; empty if it does not. */
export function violations(standard: Standard, pod: CheckedPod, keys: CheckedKeys): Violation[] {
  return revisionsOf(standard).flatMap((revision) => revision.check(pod, keys) ?? []);
}

/** `host namespaces (hostNetwork=true), privileged (container "a" must not …)` */
export function detailText(found: readonly Violation[]): string {
  return found.map(({reason, detail}) => `${reason} (${detail})`).join(', ');
}

/** The part of the violations that other pods share. */
export function reasonText(found: readonly Violation[]): string {
  return found.map(({reason}) => reason).join(', ');
}

function revisionsOf({level, version}: Standard): readonly Revision[] {
  if (level === 'privileged') return [];
  const minor = version === 'latest' ? newest : Math.min(version, newest);
  const key = standardText({level, version: minor});
  let revisions = known.get(key);
  if (!revisions) {
    revisions = selectRevisions(level, minor);
    known.set(key, revisions);
  }
  return revisions;
}

/** The checks of a level, with those of `baseline` that no stricter one replaces, in the order in which they are reported. */
function selectRevisions(level: Level, minor: number): Revision[] {
  const inForce = (wanted: Check['level']) =>
    allChecks
      .filter((check) => check.level === wanted)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .flatMap(({id, revisions}) => {
        const revision = revisions.findLast(({since}) => since <= minor);
        return revision ? [{id, revision}] : [];
      });
  const strict = level === 'restricted' ? inForce('restricted') : [];
  const replaced = new Set(strict.flatMap(({revision}) => revision.replaces ?? []));
  return [...inForce('baseline').filter(({id}) => !replaced.has(id)), ...strict].map(({revision}) => revision);
}
