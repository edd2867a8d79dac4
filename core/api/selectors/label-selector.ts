import {BoundedCache} from '../cache/bounded-cache.js';
import {parseLabelRequirements} from './label-parser.js';
import {labelMatcher, type LabelMatcher} from './label-matcher.js';
import {requirementText, type LabelRequirement, type Labels} from './label-requirement.js';

export type {LabelRequirement, Labels} from './label-requirement.js';

/** A condition on the labels of objects: all its requirements must be met. Immutable, so that parsed selectors can be shared. */
export class LabelSelector {
  /** Matches everything. */
  static readonly everything = new LabelSelector([]);
  /** Matches nothing, whatever its requirements: the meaning of an absent selector object. */
  static readonly nothing = new LabelSelector([], true);

  /** Sorted by key. */
  readonly requirements: readonly LabelRequirement[];
  #text: string | undefined;
  #matcher: LabelMatcher | undefined;

  readonly #never: boolean;

  constructor(requirements: readonly LabelRequirement[], never = false) {
    this.#never = never;

    this.requirements = [...requirements].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }

  /** Whether it matches everything, so that nothing needs to be checked. */
  get empty(): boolean {
    return !this.#never && this.requirements.length === 0;
  }

  matches(labels: Labels): boolean {
    if (this.#never) return false;
    this.#matcher ??= labelMatcher(this.requirements);
    return this.#matcher(labels);
  }

  /** The normal form: selectors with the same requirements in another order or with other blanks have the same text. */
  toString(): string {
    this.#text ??= this.requirements.map(requirementText).join(',');
    return this.#text;
  }
}

const parsed = new BoundedCache((text) => {
  const requirements = parseLabelRequirements(text);
  return requirements.length === 0 ? LabelSelector.everything : new LabelSelector(requirements);
});

/**
 * Parses the `labelSelector` parameter. An empty string selects everything.
 *
 * @throws StatusError 400
 */
export function parseLabelSelector(text: string): LabelSelector {
  return text === '' ? LabelSelector.everything : parsed.get(text);
}
