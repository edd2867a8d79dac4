import type {AdmissionForm, AdmissionRequest, ApiObject, NamingProfile} from '../../../sdk/index.js';
import {isEmptySelector, selectorMatches, type LabelSelector} from '../../../sdk/labels/index.js';
import {nameFits, ruleFits, type MatchRule} from './match-rule.js';
import type {NamespaceLabels} from './namespace-labels.js';

/** Match criteria, as in webhook configurations and policies. */
export interface MatchCriteria {
  readonly rules?: readonly MatchRule[] | null | undefined;
  /** Take precedence over `rules`. */
  readonly excludedRules?: readonly MatchRule[] | null | undefined;
  /** `Exact`: only the form of the request counts. `Equivalent`, when absent too: also the other forms of the same objects. */
  readonly matchPolicy?: string | null | undefined;
  readonly objectSelector?: LabelSelector | null | undefined;
  readonly namespaceSelector?: LabelSelector | null | undefined;
}

/** Configurations that could lock out the administrator who wants to fix them: what is in the API never matches them; what is in files may. */
const exempt: ReadonlySet<string> = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]);

/**
 * The part that is the same for all requests of an endpoint and operation: results can be cached as long as `request.forms` is the same
 * list.
 */
export type MatchedRequest = Pick<AdmissionRequest, 'operation' | 'forms' | 'subresource' | 'namespace'>;

/** Criteria, ready to be compared with requests. */
export class RequestMatcher {
  /** Whether the result of `findForm` depends on names of objects. */
  readonly looksAtNames: boolean;
  readonly #rules: readonly MatchRule[];
  readonly #excluded: readonly MatchRule[];
  readonly #exemptGroup: string | undefined;
  readonly #isExact: boolean;
  readonly #objectSelector: LabelSelector | undefined;
  readonly #namespaceSelector: LabelSelector | undefined;

  /** @param isStatic whether the criteria are those of an object from a file */
  constructor(
    {rules, excludedRules, matchPolicy, objectSelector, namespaceSelector}: MatchCriteria,
    naming: NamingProfile,
    isStatic = false,
  ) {
    this.#exemptGroup = isStatic ? undefined : naming.group('admissionregistration.orch');
    this.#rules = rules ?? [];
    this.#excluded = excludedRules ?? [];
    this.#isExact = matchPolicy === 'Exact';
    this.#objectSelector = isEmptySelector(objectSelector) ? undefined : objectSelector!;
    this.#namespaceSelector = isEmptySelector(namespaceSelector) ? undefined : namespaceSelector!;
    this.looksAtNames = [...this.#rules, ...this.#excluded].some(({resourceNames}) => (resourceNames?.length ?? 0) > 0);
  }

  /**
   * The form of the request that a rule matches: its own form if any rule matches that, else the first match in the order of the rules.
   *
   * @param name of the object; undefined to ignore names
   * @returns undefined if no rule matches the request
   */
  findForm(request: MatchedRequest, name?: string): AdmissionForm | undefined {
    const excluded = this.#find(this.#excluded, request, name);
    return excluded ? undefined : this.#find(this.#rules, request, name);
  }

  /**
   * Whether the labels of the object, before or after the write, and of its namespace match the selectors.
   *
   * @throws StatusError 404 when the namespace does not exist
   */
  selects(request: AdmissionRequest, namespaces: NamespaceLabels): boolean | Promise<boolean> {
    const {object, oldObject} = request;
    const selector = this.#objectSelector;
    if (selector && !carries(object, selector) && !carries(oldObject, selector)) return false;
    if (!this.#namespaceSelector) return true;
    const labels = namespaces.of(request);
    return labels === undefined
      ? true
      : labels instanceof Promise
        ? labels.then((found) => this.#isNamespaceSelected(found))
        : this.#isNamespaceSelected(labels);
  }

  #isNamespaceSelected(labels: Readonly<Record<string, string>>): boolean {
    return selectorMatches(this.#namespaceSelector, labels);
  }

  #find(rules: readonly MatchRule[], request: MatchedRequest, name: string | undefined): AdmissionForm | undefined {
    if (rules.length === 0) return undefined;
    const {operation, forms, subresource, namespace} = request;
    const [own, ...others] = forms;
    if (own.resource.group === this.#exemptGroup && exempt.has(own.resource.resource)) return undefined;
    const place = {operation, subresource, isClusterScoped: namespace === '' || isNamespaces(own)};
    const fits = (rule: MatchRule, form: AdmissionForm) => ruleFits(rule, {...place, form}) && (name === undefined || nameFits(rule, name));
    if (rules.some((rule) => fits(rule, own))) return own;
    if (this.#isExact) return undefined;
    for (const rule of rules) {
      const form = others.find((other) => fits(rule, other));
      if (form) return form;
    }
    return undefined;
  }
}

function isNamespaces({resource: {group, resource}}: AdmissionForm): boolean {
  return group === '' && resource === 'namespaces';
}

/** An object without metadata, such as the options of a connection, has no labels, so no selector matches it. */
function carries(object: ApiObject | undefined, selector: LabelSelector): boolean {
  const metadata: ApiObject['metadata'] | undefined = object?.metadata;
  return metadata !== undefined && selectorMatches(selector, metadata.labels);
}
