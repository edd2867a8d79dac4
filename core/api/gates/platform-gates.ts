import {gatesAtRelease, type GateAtRelease} from './gates-at-release.js';

/**
 * The gates of a release with the defaults of a naming profile. A default for a gate that the release has locked, or does not have, says nothing there; names that no
 * release has are gates of the profile.
 */
export function platformGates(release: string, profile: Readonly<Record<string, boolean>>): ReadonlyMap<string, GateAtRelease> {
  const gates = new Map(gatesAtRelease(release));
  for (const [name, enabled] of Object.entries(profile)) {
    if ((gates.get(name)?.setting ?? 'free') === 'free') gates.set(name, {...gates.get(name), enabled, setting: 'free'});
  }
  return gates;
}
