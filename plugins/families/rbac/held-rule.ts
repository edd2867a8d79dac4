import type {PolicyRule} from './policy-rule.js';

/** Tells of one value whether a rule has it. */
export type Test = (value: string) => boolean;

/** A rule that somebody holds, in a form in which it is quickly told which values of another rule it has. */
export class HeldRule {
  readonly #verbs: Test;
  readonly #groups: Test;
  readonly #resources: Test;
  readonly #names: ReadonlySet<string>;
  readonly #paths: Test;
  /** Steps that it takes to look for one path. */
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

  /** Resources as rules spell them, with their subresources. */
  get resources(): Test {
    return this.#resources;
  }

  get paths(): Test {
    return this.#paths;
  }

  /** @param name undefined stands for all names, those that are not given yet among them */
  hasName(name: string | undefined): boolean {
    return this.#names.size === 0 || (name !== undefined && this.#names.has(name));
  }
}

const always: Test = () => true;

function oneOf(values: readonly string[] | null | undefined): Test {
  const set = new Set(values);
  return set.has('*') ? always : (value) => set.has(value);
}

/** `*` before a subresource stands for all resources that have it. */
function coveringResource(resources: readonly string[] | null | undefined): Test {
  const set = new Set(resources);
  if (set.has('*')) return always;
  return (resource) => {
    if (set.has(resource)) return true;
    const slash = resource.indexOf('/');
    return slash >= 0 && set.has(`*${resource.slice(slash)}`);
  };
}

/** A `*` at the end of a path stands for any rest. */
function coveringPath(paths: readonly string[] | null | undefined): Test {
  const exact = new Set(paths);
  const prefixes = [...exact].filter((path) => path.endsWith('*')).map(withoutStars);
  return (path) => exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
}

function withoutStars(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '*') end -= 1;
  return path.slice(0, end);
}
