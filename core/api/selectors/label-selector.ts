import {badRequest} from '../../../sdk/index.js';
import {BoundedCache} from '../cache/bounded-cache.js';
import {isJsonObject} from '../json/is-json-object.js';
import {labelRequirement, parseLabelRequirements} from './label-parser.js';
import {labelMatcher, type LabelMatcher} from './label-matcher.js';
import {requirementText, type LabelOperator, type LabelRequirement, type Labels} from './label-requirement.js';

export type {LabelOperator, LabelRequirement, Labels} from './label-requirement.js';

/** A condition on the labels of objects: all its requirements hold. Immutable, so that parsed ones can be shared. */
export class LabelSelector {
  /** Matches everything. */
  static readonly everything = new LabelSelector([]);
  /** Matches nothing, whatever its requirements: what an absent selector object stands for. */
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

  /** Whether it matches everything, so that nothing need be looked at. */
  get empty(): boolean {
    return !this.#never && this.requirements.length === 0;
  }

  matches(labels: Labels): boolean {
    if (this.#never) return false;
    this.#matcher ??= labelMatcher(this.requirements);
    return this.#matcher(labels);
  }

  /** The normal form: two selectors with the same requirements in another order, or with other blanks, have the same text. */
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
 * Parses the `labelSelector` parameter. An empty text selects everything.
 *
 * @throws StatusError 400
 */
export function parseLabelSelector(text: string): LabelSelector {
  return text === '' ? LabelSelector.everything : parsed.get(text);
}

const objectOperators: ReadonlyMap<unknown, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/**
 * Makes a selector of the object form that stands in API objects (`matchLabels`, `matchExpressions`). An absent selector
 * matches nothing, an empty one everything.
 *
 * @throws StatusError 400 when the object is not a valid selector
 */
export function labelSelectorFromObject(selector: unknown): LabelSelector {
  if (selector === undefined || selector === null) return LabelSelector.nothing;
  if (!isJsonObject(selector)) throw badRequest('a label selector must be an object');
  const {matchLabels, matchExpressions} = selector;
  const requirements: LabelRequirement[] = [];
  if (isJsonObject(matchLabels)) {
    for (const [key, value] of Object.entries(matchLabels)) requirements.push(labelRequirement(key, '=', [textOf(value)]));
  } else if (matchLabels !== undefined && matchLabels !== null) {
    throw badRequest('matchLabels must be an object');
  }
  if (Array.isArray(matchExpressions)) requirements.push(...matchExpressions.map(expressionRequirement));
  else if (matchExpressions !== undefined && matchExpressions !== null) throw badRequest('matchExpressions must be an array');
  return requirements.length === 0 ? LabelSelector.everything : new LabelSelector(requirements);
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw badRequest('keys and values of a label selector must be strings');
  return value;
}

function expressionRequirement(expression: unknown): LabelRequirement {
  if (!isJsonObject(expression)) throw badRequest('an entry of matchExpressions must be an object');
  const operator = objectOperators.get(expression.operator);
  if (operator === undefined) throw badRequest(`${JSON.stringify(expression.operator ?? '')} is not a valid label selector operator`);
  const {values} = expression;
  if (values !== undefined && values !== null && !Array.isArray(values)) throw badRequest('values of a label selector must be an array');
  return labelRequirement(textOf(expression.key), operator, (values ?? []).map(textOf));
}
