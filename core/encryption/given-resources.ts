import type {ConfigurationReader} from '../configuration/configuration-reader.js';

const everything = '*.*';
/** `plural`, `plural.group`, `*.group`, `*.` or `*.*`. */
const form = /^(?:[a-z0-9][a-z0-9-]*|\*)(?:\.(?:\*|[a-z0-9][a-z0-9.-]*)?)?$/;

/** The resources that an encryption configuration names, in its order: finds names that cannot take effect. */
export class GivenResources {
  readonly #earlier = new Set<string>();
  readonly #reader: ConfigurationReader;

  constructor(reader: ConfigurationReader) {
    this.#reader = reader;
  }

  /** The names of one entry, as `EncryptionRules` look for them: without the dot at the end of `secrets.`. */
  take(values: readonly unknown[], path: string): readonly string[] {
    const names: string[] = [];
    for (const [index, value] of values.entries()) {
      const place = `${path}[${index}]`;
      const given = this.#reader.text(value, place);
      if (given === undefined) continue;
      const name = given.endsWith('.') && given !== '*.' ? given.slice(0, -1) : given;
      const fault = this.#faultOf(name, names);
      if (fault === undefined) names.push(name);
      else this.#reader.fault(place, fault);
    }
    for (const name of names) this.#earlier.add(name);
    return names;
  }

  #faultOf(name: string, beside: readonly string[]): string | undefined {
    if (name === '*') return 'must be *. for all resources of the core group, or *.* for all resources';
    if (!form.test(name) || (name.endsWith('.*') && name !== everything)) {
      return 'must be the plural name of a resource, followed by its group unless that is the core group: secrets, deployments.apps, *.apps, *., *.*';
    }
    const masking = [`*.${groupOf(name)}`, everything];
    const earlier = masking.find((wildcard) => wildcard !== name && (this.#earlier.has(wildcard) || beside.includes(wildcard)));
    if (earlier !== undefined) return `has no effect beside ${earlier}, which comes earlier and covers it`;
    const covered = beside.find((other) => other !== name && (name === everything || name === `*.${groupOf(other)}`));
    if (covered !== undefined) return `covers ${covered} in the same list`;
    // A resource named again later gets more providers; a wildcard must not be repeated.
    return beside.includes(name) || (name.startsWith('*') && this.#earlier.has(name)) ? 'is given twice' : undefined;
  }
}

function groupOf(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1);
}
