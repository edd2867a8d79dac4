import {coveringPath} from './path-rules.js';
import type {PolicyRule} from './policy-rule.js';

/** Whether a rule has a value. */
export type Test = (value: string) => boolean;

/** A rule that a user holds, prepared for fast checks of which values of another rule it has. */
export class HeldRule {
  readonly #verbs: Test;
  readonly #groups: Test;
  readonly #resources: Test;
  readonly #names: ReadonlySet<string>;
  readonly #paths: Test;
  /** The cost of looking up one path, in steps. */
  readonly pathSteps: number;

  constructor({verbs, apiGroups, resources, resourceNames, nonResourceURLs}: PolicyRule) {
    this.#verbs = oneOf(verbs);
    this.#groups = oneOf(apiGroups);
    this.#resources = coveringResource(resources);
    this.#names = new Set(resourceNames);
    this.#paths = coveringPath(nonResourceURLs);
    this.pathSteps = 1 + (nonResourceURLs?.length ?? 0);
  }

  get verbs(): Test {
    return this.#verbs;
  }

  get groups(): Test {
    return this.#groups;
  }

  /** Resources as written in rules, with their subresources. */
  get resources(): Test {
    return this.#resources;
  }

  get paths(): Test {
    return this.#paths;
  }

  /** @param name undefined for all names, including future ones */
  hasName(name: string | undefined): boolean {
    return this.#names.size === 0 || (name !== undefined && this.#names.has(name));
  }
}

const always: Test = () => true;

function oneOf(values: readonly string[] | null | undefined): Test {
  const set = new Set(values);
  return set.has('*') ? always : (value) => set.has(value);
}

/** `*` before a subresource covers all resources that have it. */
function coveringResource(resources: readonly string[] | null | undefined): Test {
  const set = new Set(resources);
  if (set.has('*')) return always;
  return (resource) => {
    if (set.has(resource)) return true;
    const slash = resource.indexOf('/');
    return slash >= 0 && set.has(`*${resource.slice(slash)}`);
  };
}
