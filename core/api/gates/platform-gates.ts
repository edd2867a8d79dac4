import {compareReleases} from '../lifetimes/releases.js';
import {behaviourTable} from './behaviour-table.js';
import {gatesAtRelease, type GateAtRelease} from './gates-at-release.js';

/**
 * The gates of a release with the defaults of a naming profile. A default for a gate that the release has locked, or does not have, says nothing there; names that no
 * release has are gates of the profile. What a release does without a gate is among them, and cannot be set.
 */
export function platformGates(release: string, profile: Readonly<Record<string, boolean>>): ReadonlyMap<string, GateAtRelease> {
  const gates = new Map(gatesAtRelease(release));
  for (const [name, enabled] of Object.entries(profile)) {
    if ((gates.get(name)?.setting ?? 'free') === 'free') gates.set(name, {...gates.get(name), enabled, setting: 'free'});
  }
  for (const [name, text] of Object.entries(behaviourTable)) {
    const [since, last] = text.split(' to ') as [string, string?];
    const enabled = compareReleases(since, release) <= 0 && (last === undefined || compareReleases(release, last) <= 0);
    gates.set(name, {enabled, setting: 'unknown'});
  }
  return gates;
}
