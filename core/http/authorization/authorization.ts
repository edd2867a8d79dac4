import {
  forbidden,
  groupResourceText,
  StatusError,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  type CounterSeries,
  type NonResourceRule,
  type ResourceRule,
  type UserInfo,
  type UserRules,
} from '../../../sdk/index.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {readSelectors} from './read-selectors.js';

/** Verbs whose objects selectors choose. */
const verbsWithSelectors = new Set(['list', 'watch', 'deletecollection']);

/** An authorizer with its name, as provided by the kernel. */
export interface NamedAuthorizer {
  readonly name: string;
  /** Under which its decisions are counted; those of one without are not. */
  readonly type?: string;
  readonly instance: Authorizer;
}

/** Counters of what an authorizer decides. */
export type DecisionSeries = Readonly<Record<'allow' | 'deny', CounterSeries>>;

/** Asks the authorizers in order; the first that allows or denies decides. If none does, the request is denied. */
export class Authorization {
  #authorizers: readonly NamedAuthorizer[];
  readonly #withSelectors: boolean;
  readonly #seriesOf: (type: string, name: string) => DecisionSeries | undefined;
  readonly #series = new WeakMap<NamedAuthorizer, DecisionSeries | undefined>();

  /**
   * @param authorizers in order, as provided by the kernel
   * @param withSelectors whether authorizers see what selectors limit a request to (gate AuthorizeWithSelectors)
   * @param seriesOf the counters of an authorizer, asked for once
   */
  constructor(
    authorizers: readonly NamedAuthorizer[],
    withSelectors = false,
    seriesOf: (type: string, name: string) => DecisionSeries | undefined = () => undefined,
  ) {
    this.#authorizers = authorizers;
    this.#withSelectors = withSelectors;
    this.#seriesOf = seriesOf;
  }

  /** From here on these are asked. Questions that are under way go on with those before. */
  replace(authorizers: readonly NamedAuthorizer[]): void {
    this.#authorizers = authorizers;
  }

  /** What a request asks for. */
  attributesOf({info, user, query}: AuthenticatedExchange): AuthorizationAttributes {
    const {isResourceRequest, verb, path, group, version, resource, subresource, namespace, name} = info;
    const attributes = {user, verb, isResourceRequest, path, group, version, resource, subresource, namespace, name};
    if (!this.#withSelectors || !isResourceRequest || !verbsWithSelectors.has(verb) || info.isWatchPath) return attributes;
    const [fields, labels] = [query.get('fieldSelector') ?? '', query.get('labelSelector') ?? ''];
    if (fields === '' && labels === '') return attributes;
    const {unreadable: _left, ...selectors} = readSelectors(fields, labels);
    return {...attributes, ...selectors};
  }

  /** An exception of an authorizer fails the request: authorization fails closed. */
  decide(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision> {
    let undecided = nobodyAsked;
    const authorizers = this.#authorizers;
    for (let position = 0; position < authorizers.length; position += 1) {
      const authorizer = authorizers[position]!;
      const decision = authorizer.instance.authorize(attributes);
      if (decision instanceof Promise) return this.#continue(attributes, decision, authorizers.slice(position), undecided);
      if (decision.decision !== 'no-opinion') return this.#counted(authorizer, decision);
      undecided = both(undecided, decision);
    }
    return undecided;
  }

  async #continue(
    attributes: AuthorizationAttributes,
    pending: Promise<AuthorizationDecision>,
    authorizers: readonly NamedAuthorizer[],
    before: AuthorizationDecision,
  ): Promise<AuthorizationDecision> {
    let undecided = before;
    for (const [index, authorizer] of authorizers.entries()) {
      const decision = await (index === 0 ? pending : authorizer.instance.authorize(attributes));
      if (decision.decision !== 'no-opinion') return this.#counted(authorizer, decision);
      undecided = both(undecided, decision);
    }
    return undecided;
  }

  #counted(authorizer: NamedAuthorizer, decision: AuthorizationDecision): AuthorizationDecision {
    if (authorizer.type === undefined || decision.decision === 'no-opinion') return decision;
    let series = this.#series.get(authorizer);
    if (!series) this.#series.set(authorizer, (series = this.#seriesOf(authorizer.type, authorizer.name)));
    series?.[decision.decision].add();
    return decision;
  }

  /** @throws 403 unless the caller may do this */
  async require(attributes: AuthorizationAttributes): Promise<void> {
    const {decision, reason, error} = await this.decide(attributes);
    if (decision !== 'allow') throw refusal(attributes, joined(reason, error));
  }

  /** The combined rules of all authorizers. Incomplete if one of them cannot list rules. */
  async rulesFor(user: UserInfo, namespace: string): Promise<UserRules> {
    const resourceRules: ResourceRule[] = [];
    const nonResourceRules: NonResourceRule[] = [];
    const errors: string[] = [];
    let incomplete = false;
    for (const {name, instance} of this.#authorizers) {
      const rules = await instance.rulesFor?.(user, namespace);
      if (rules && allowsEverything(rules)) return rules;
      if (rules?.error) errors.push(rules.error);
      if (!rules) errors.push(`authorizer ${JSON.stringify(name)} does not support user rule resolution`);
      incomplete ||= rules?.incomplete ?? true;
      for (const rule of rules?.resourceRules ?? []) resourceRules.push(rule);
      for (const rule of rules?.nonResourceRules ?? []) nonResourceRules.push(rule);
    }
    return {resourceRules, nonResourceRules, incomplete, ...(errors.length > 0 ? {error: errors.join(', ')} : {})};
  }
}

/** Decisions of nobody yet: no reason and no error. */
const nobodyAsked: AuthorizationDecision = Object.freeze({decision: 'no-opinion', reason: ''});

/** Two authorizers without an opinion. */
function both(earlier: AuthorizationDecision, {reason, error}: AuthorizationDecision): AuthorizationDecision {
  if (!reason && !error) return earlier;
  const errors = joined(earlier.error, error);
  return {decision: 'no-opinion', reason: joined(earlier.reason, reason), ...(errors === '' ? {} : {error: errors})};
}

function joined(texts: string | undefined, text: string | undefined): string {
  if (!text) return texts ?? '';
  return texts ? `${texts}, ${text}` : text;
}

/** Nothing can be added to such rules. */
function allowsEverything({resourceRules, nonResourceRules}: UserRules): boolean {
  const isAll = (values: readonly string[]) => values.length === 1 && values[0] === '*';
  const [rule, paths] = [resourceRules[0], nonResourceRules[0]];
  if (resourceRules.length !== 1 || nonResourceRules.length !== 1 || !rule || !paths) return false;
  return [rule.verbs, rule.apiGroups, rule.resources, paths.verbs, paths.nonResourceURLs].every(isAll) && !rule.resourceNames?.length;
}

/** The message of a 403 response. @param reason given by the authorizers */
export function refusal(attributes: AuthorizationAttributes, reason: string | undefined): StatusError {
  const {user, verb, path, group, resource, subresource, namespace, name} = attributes;
  const because = reason ? `: ${reason}` : '';
  if (!attributes.isResourceRequest) {
    return new StatusError(
      403,
      'Forbidden',
      `forbidden: User ${JSON.stringify(user.username)} cannot ${verb} path ${JSON.stringify(path)}${because}`,
      {details: {}},
    );
  }
  const full = subresource ? `${resource}/${subresource}` : resource;
  const where = namespace ? `in the namespace ${JSON.stringify(namespace)}` : 'at the cluster scope';
  const detail = `User ${JSON.stringify(user.username)} cannot ${verb} resource ${JSON.stringify(full)} in API group ${JSON.stringify(group)} ${where}${because}`;
  const target = {group, resource, ...(name ? {name} : {})};
  if (name) return forbidden(target, detail);
  return new StatusError(403, 'Forbidden', `${groupResourceText({group, resource})} is forbidden: ${detail}`, {
    details: {...(group ? {group} : {}), kind: resource},
  });
}
