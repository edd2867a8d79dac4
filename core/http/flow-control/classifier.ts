import type {FlowSubject, UserInfo} from '../../../sdk/index.js';
import type {RequestInfo} from '../request/request-info.js';
import type {Flow, FlowSchema} from './flow-schema.js';
import type {RequestRules} from './request-rules.js';

const serviceAccountPrefix = 'system:serviceaccount:';

/** One rule of a schema, and the schema. */
export interface SchemaRule {
  readonly schema: FlowSchema;
  readonly subjects: readonly FlowSubject[];
  readonly requests: RequestRules;
}

/** A rule that applies to a user; kept in order of precedence. */
interface UserRule {
  readonly requests: RequestRules;
  readonly schema: FlowSchema;
  /** The user's flow; undefined if the schema distinguishes flows by namespace. */
  readonly flow: Flow | undefined;
}

/**
 * Finds the flow of a request: the first schema that matches it. The rules of a user are cached by identity (name and groups), so that a request costs
 * as much as its user has rules, however many there are in all.
 */
export class Classifier {
  readonly #byUser = new Map<string, SchemaRule[]>();
  readonly #byGroup = new Map<string, SchemaRule[]>();
  readonly #byServiceAccount = new Map<string, SchemaRule[]>();
  readonly #byServiceAccountNamespace = new Map<string, SchemaRule[]>();
  readonly #everybody: SchemaRule[] = [];
  readonly #users = new WeakMap<UserInfo, readonly UserRule[]>();

  readonly #fallback: FlowSchema;

  /**
   * @param rules of all schemas
   * @param fallback takes what nothing matches
   */
  constructor(rules: readonly SchemaRule[], fallback: FlowSchema) {
    this.#fallback = fallback;

    for (const rule of rules) for (const subject of rule.subjects) this.#index(subject, rule);
  }

  /** @param user the same object for all requests of an identity if possible: the cache is keyed by it */
  classify(user: UserInfo, info: RequestInfo): Flow {
    let rules = this.#users.get(user);
    if (!rules) this.#users.set(user, (rules = this.#rulesFor(user)));
    for (const rule of rules) {
      if (rule.requests.matches(info)) return rule.flow ?? rule.schema.flow(info.namespace);
    }
    return ownFlow(this.#fallback, user) ?? this.#fallback.flow(info.namespace);
  }

  #index(subject: FlowSubject, rule: SchemaRule): void {
    const {kind, name} = subject;
    if (kind === 'ServiceAccount') {
      if (name === '*') add(this.#byServiceAccountNamespace, subject.namespace, rule);
      else add(this.#byServiceAccount, `${subject.namespace}:${name}`, rule);
    } else if (name === '*') {
      this.#everybody.push(rule);
    } else {
      add(kind === 'User' ? this.#byUser : this.#byGroup, name, rule);
    }
  }

  #rulesFor(user: UserInfo): readonly UserRule[] {
    const {username, groups} = user;
    const found = new Set(this.#everybody);
    const take = (rules: readonly SchemaRule[] | undefined) => rules?.forEach((rule) => found.add(rule));
    take(this.#byUser.get(username));
    for (const group of groups) take(this.#byGroup.get(group));
    if (username.startsWith(serviceAccountPrefix)) {
      const account = username.slice(serviceAccountPrefix.length);
      take(this.#byServiceAccount.get(account));
      const colon = account.indexOf(':');
      if (colon >= 0) take(this.#byServiceAccountNamespace.get(account.slice(0, colon)));
    }
    return [...found]
      .sort((a, b) => a.schema.order - b.schema.order)
      .map(({schema, requests}) => ({schema, requests, flow: ownFlow(schema, user)}));
  }
}

/** The flow of a user in a schema that does not distinguish flows by namespace. */
function ownFlow(schema: FlowSchema, {username}: UserInfo): Flow | undefined {
  if (schema.distinguisher === 'ByNamespace') return undefined;
  return schema.flow(schema.distinguisher === 'ByUser' ? username : '');
}

function add(index: Map<string, SchemaRule[]>, key: string, rule: SchemaRule): void {
  const rules = index.get(key);
  if (rules) rules.push(rule);
  else index.set(key, [rule]);
}
