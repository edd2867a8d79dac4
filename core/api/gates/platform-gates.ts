import {compareReleases} from '../lifetimes/releases.js';
import {behaviourTable} from './behaviour-table.js';
import {gatesAtRelease, type GateAtRelease} from './gates-at-release.js';

/**
 * The gates of a release with the defaults of a naming profile. A default for a gate that the release has locked, or has no more, says nothing there; one that is yet to
 * come can be on, and not be set; names that no release has are gates of the profile. What a release does without a gate is among them, and cannot be set.
 */
export function platformGates(release: string, profile: Readonly<Record<string, boolean>>): ReadonlyMap<string, GateAtRelease> {
  const gates = new Map(gatesAtRelease(release));
  for (const [name, enabled] of Object.entries(profile)) {
    const {setting = 'free', stage} = gates.get(name) ?? {};
    if (setting === 'free' || (setting === 'unknown' && stage === undefined)) gates.set(name, {...gates.get(name), enabled, setting});
  }
  for (const [name, text] of Object.entries(behaviourTable)) {
    const [since, last] = text.split(' to ') as [string, string?];
    const enabled = compareReleases(since, release) <= 0 && (last === undefined || compareReleases(release, last) <= 0);
    gates.set(name, {enabled, setting: 'unknown'});
  }
  return gates;
}
