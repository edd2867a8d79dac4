import type {AggregatedVersion} from '../../../sdk/index.js';
import type {GroupEntry, GroupVersionEntry} from './group-entry.js';
import {compareVersions} from '../lifetimes/version-order.js';

/** Where versions of the server's own stand among aggregated ones of their group: as Kubernetes registers those of its own groups, and those of definitions. */
const builtInVersionPriority = 15;
const customVersionPriority = 100;

/**
 * The groups of a server's own types together with those that others answer for, in the order of discovery. Group by the highest priority of its versions;
 * a version that somebody else answers for takes the place of an own one.
 */
export function mergedGroups(own: readonly GroupEntry[], aggregated: Iterable<AggregatedVersion>): readonly GroupEntry[] {
  const byGroup = new Map<string, AggregatedVersion[]>();
  for (const version of aggregated) {
    const known = byGroup.get(version.group);
    if (known) known.push(version);
    else byGroup.set(version.group, [version]);
  }
  if (byGroup.size === 0) return own;
  const merged = own.map((entry) => {
    const versions = byGroup.get(entry.group);
    byGroup.delete(entry.group);
    return versions ? mergedGroup(entry, versions) : entry;
  });
  for (const [group, versions] of byGroup) merged.push(mergedGroup({group, priority: 0, versions: []}, versions));
  return merged.sort((a, b) => b.priority - a.priority || (a.group < b.group ? -1 : 1));
}

function mergedGroup({group, priority, versions}: GroupEntry, aggregated: readonly AggregatedVersion[]): GroupEntry {
  const replaced = new Set(aggregated.map(({version}) => version));
  const all = [
    ...versions.filter(({version}) => !replaced.has(version)),
    ...aggregated.map((one): GroupVersionEntry => ({group, version: one.version, types: [], aggregated: one})),
  ];
  return {
    group,
    priority: Math.max(priority, ...aggregated.map(({groupPriority}) => groupPriority)),
    versions: all.sort((a, b) => versionPriority(b) - versionPriority(a) || compareVersions(a.version, b.version)),
  };
}

function versionPriority({types, aggregated}: GroupVersionEntry): number {
  if (aggregated) return aggregated.versionPriority;
  return types.every(({type}) => type.origin === 'custom') ? customVersionPriority : builtInVersionPriority;
}
