import type {Fault, Sighting} from './history.js';

/** A version stands for one state of one object, for ever. */
export class VersionChecker {
  readonly #seen = new Map<number, Sighting>();
  readonly #faults: Fault[] = [];

  get faults(): readonly Fault[] {
    return this.#faults;
  }

  get size(): number {
    return this.#seen.size;
  }

  note(sighting: Sighting): void {
    const first = this.#seen.get(sighting.version);
    if (first === undefined) {
      this.#seen.set(sighting.version, sighting);
    } else if (first.key !== sighting.key || first.value !== sighting.value || first.deleted !== sighting.deleted) {
      this.#faults.push(`version ${sighting.version} stands for ${textOf(first)} and for ${textOf(sighting)}`);
    }
  }
}

function textOf({key, value, deleted}: Sighting): string {
  return deleted ? `the deletion of ${key}` : `${key} = ${value}`;
}
