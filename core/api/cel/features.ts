/** A library or a form of the language that expressions may use. */
export type CelFeature =
  | (
      | 'authorizer'
      | 'comparisons-across-types'
      | 'optional-types'
      | 'quantity'
      | 'literal-checks'
      | 'strings-first'
      | 'strings-format'
      | 'sets'
    )
  | ('addresses' | 'formats' | 'authorizer-selectors' | 'two-variables' | 'semver' | 'lists' | 'keywords-as-fields')
  | (
      | 'names-in-backquotes'
      | 'optional-lists'
      | 'hidden-accumulator'
      | 'bounded-entries'
      | 'format-literal-checks'
      | 'opaque-type-names'
      | 'rules-as-json'
      | 'shown-values'
      | 'shown-types'
    )
  /** No release has these by itself: scopes that need them say so. */
  | ScopeFeature
  | ('rules-with-messages' | 'rules-with-paths' | 'rules-with-optional-values' | 'short-rule-faults');

type ScopeFeature = 'bindings' | 'includes';

interface Span {
  /** The release that brought it; in all releases if left out. */
  readonly since?: string;
  readonly until?: string;
  /**
   * Whether it is part of the language that the releases speak. Libraries are not: new expressions may use them one release later only, so
   * that they can be evaluated by servers of the release before.
   */
  readonly isOfLanguage?: true;
}

const spans: Readonly<Record<Exclude<CelFeature, ScopeFeature>, Span>> = {
  authorizer: {since: '1.27'},
  'comparisons-across-types': {since: '1.28'},
  'optional-types': {since: '1.28'},
  quantity: {since: '1.28'},
  'literal-checks': {since: '1.29'},
  'strings-first': {until: '1.29'},
  'strings-format': {since: '1.29'},
  sets: {since: '1.29'},
  addresses: {since: '1.30'},
  formats: {since: '1.31'},
  'authorizer-selectors': {since: '1.31'},
  // Fields whose names are keywords are found without the escape.
  'keywords-as-fields': {since: '1.31'},
  'two-variables': {since: '1.32'},
  semver: {since: '1.33'},
  lists: {since: '1.34'},
  // An expression of another type is told what it is.
  'shown-types': {since: '1.32', isOfLanguage: true},
  'names-in-backquotes': {since: '1.33', isOfLanguage: true},
  'optional-lists': {since: '1.33', isOfLanguage: true},
  'hidden-accumulator': {since: '1.33', isOfLanguage: true},
  // The sizes of what is in lists and maps that an expression makes.
  'bounded-entries': {since: '1.33', isOfLanguage: true},
  'format-literal-checks': {since: '1.31', isOfLanguage: true},
  // The type of optional values, and of times as values, has the name that it has elsewhere.
  'opaque-type-names': {since: '1.31', isOfLanguage: true},
  // Errors of what stands beside a rule do not repeat its name.
  'short-rule-faults': {since: '1.34', isOfLanguage: true},
  // Field errors show a rule as JSON, not as Go writes it.
  'rules-as-json': {since: '1.34', isOfLanguage: true},
  // What a rule has beside its expression and message.
  'rules-with-messages': {since: '1.27', isOfLanguage: true},
  'rules-with-paths': {since: '1.28', isOfLanguage: true},
  'rules-with-optional-values': {since: '1.29', isOfLanguage: true},
  // Field errors show the value instead of the name of its type.
  'shown-values': {since: '1.35', isOfLanguage: true},
};

/** What expressions of a server can use. */
export class CelFeatures {
  readonly #has: ReadonlySet<CelFeature>;
  /** Equal for equal features. */
  readonly key: string;

  constructor(features: Iterable<CelFeature>) {
    this.#has = new Set(features);
    this.key = [...this.#has].toSorted().join(' ');
  }

  has(feature: CelFeature): boolean {
    return this.#has.has(feature);
  }

  with(...features: readonly CelFeature[]): CelFeatures {
    return features.every((feature) => this.#has.has(feature)) ? this : new CelFeatures([...this.#has, ...features]);
  }
}

const made = new Map<string, CelFeatures>();

/**
 * What expressions can use in a release. New ones get by with what the release before has too; those that are stored may use all of it.
 *
 * @param release such as `1.34`
 */
export function celFeaturesOf(release: string, expressions: 'new' | 'stored'): CelFeatures {
  const key = `${release} ${expressions}`;
  let features = made.get(key);
  if (!features) {
    const minor = minorOf(release);
    const having = (Object.keys(spans) as (keyof typeof spans)[]).filter((feature) => {
      const {since, until, isOfLanguage} = spans[feature];
      const at = expressions === 'new' && !isOfLanguage && minor >= firstCompatible ? minor - 1 : minor;
      return (since === undefined || minorOf(since) <= at) && (until === undefined || minorOf(until) > at);
    });
    made.set(key, (features = new CelFeatures(having)));
  }
  return features;
}

/** The first release whose new expressions are compatible with the release before. */
const firstCompatible = 28;

function minorOf(release: string): number {
  return Number(release.split('.')[1]);
}
