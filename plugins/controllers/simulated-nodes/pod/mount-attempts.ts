import {volumePauseMillis} from '../../../families/volume-binding/volume-pause.js';
import type {ContainerEvent} from './container-run.js';
import type {MountFault} from './pod-sources.js';

/** How a kubelet has fared with something that it tries again and again. */
export interface Attempt {
  failures: number;
  /** Of the next one, in milliseconds since 1970. */
  at: number;
}

/** By volume; those of claims, which are looked at together, have one. */
export type MountMemory = Map<string, Attempt>;

/** What keeps the volumes of a pod from being there. */
export interface MountFaults {
  /** Of volumes that cannot be made. */
  readonly mounts: readonly MountFault[];
  /** Of claims. */
  readonly claims: readonly MountFault[];
}

/** Until a kubelet that has got a pod tries its volumes: what is made just then is there. */
const firstMillis = 500;
/** Pauses between looks at a pod that could not be brought on: 10 to 15 seconds. */
const syncMillis = 12_500;
/** No volume has this name. */
const ofClaims = '';

/** Attempts to mount volumes that fail, with the events that say so. */
export class MountAttempts {
  readonly #memory: MountMemory;

  constructor(memory: MountMemory) {
    this.#memory = memory;
  }

  /** Tries what is due at a time. @returns what is to be said of it */
  fail(faults: MountFaults, at: number): ContainerEvent[] {
    const {mounts, claims} = faults;
    const failing = new Set([...mounts.map(({volume}) => volume), ...(claims.length > 0 ? [ofClaims] : [])]);
    for (const volume of [...this.#memory.keys()]) if (!failing.has(volume)) this.#memory.delete(volume);
    const events = mounts.flatMap(({volume, text}) => (this.#isDue(volume, at, volumePauseMillis) ? [text] : []));
    if (claims.length > 0 && this.#isDue(ofClaims, at, () => syncMillis)) events.push(claimsText(faults));
    return events.map((note) => ({type: 'Warning', reason: 'FailedMount', note}));
  }

  /** When something is tried next; undefined if nothing fails. */
  get due(): number | undefined {
    return this.#memory.size === 0 ? undefined : Math.min(...[...this.#memory.values()].map(({at}) => at));
  }

  #isDue(volume: string, now: number, pause: (failures: number) => number): boolean {
    const known = this.#memory.get(volume);
    if (!known) {
      this.#memory.set(volume, {failures: 0, at: now + firstMillis});
      return false;
    }
    if (known.at > now) return false;
    known.at = now + pause(known.failures);
    known.failures += 1;
    return true;
  }
}

function claimsText({mounts, claims}: MountFaults): string {
  const names = (faults: readonly MountFault[]) =>
    `[${faults
      .map(({volume}) => volume)
      .toSorted()
      .join(' ')}]`;
  const lists = `unmounted volumes=${names([...mounts, ...claims])}, unattached volumes=[], failed to process volumes=${names(claims)}`;
  return `Unable to attach or mount volumes: ${lists}: ${claims.map(({text}) => text).join('; ')}`;
}
