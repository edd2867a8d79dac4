import type {AuthorizationAttributes} from '../../../sdk/index.js';
import type {PolicyRule} from '../../families/rbac/policy-rule.js';

/** A rule of a role in a form in which a question is answered by a few look-ups. */
export class CompiledRule {
  readonly #verbs: ReadonlySet<string>;
  readonly #groups: ReadonlySet<string>;
  readonly #resources: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  readonly #anyVerb: boolean;
  readonly #anyGroup: boolean;
  readonly #anyResource: boolean;
  readonly #paths: readonly string[];

  constructor(readonly rule: PolicyRule) {
    this.#verbs = new Set(rule.verbs ?? []);
    this.#groups = new Set(rule.apiGroups ?? []);
    this.#resources = new Set(rule.resources ?? []);
    this.#names = new Set(rule.resourceNames ?? []);
    this.#paths = rule.nonResourceURLs ?? [];
    this.#anyVerb = this.#verbs.has('*');
    this.#anyGroup = this.#groups.has('*');
    this.#anyResource = this.#resources.has('*');
  }

  /** @param resource the resource of a question with its subresource (`pods/log`), as `fullResource` makes it */
  allows(question: AuthorizationAttributes, resource: string): boolean {
    if (!this.#anyVerb && !this.#verbs.has(question.verb)) return false;
    if (!question.isResourceRequest) return this.#paths.some((path) => coversPath(path, question.path));
    return (
      (this.#anyGroup || this.#groups.has(question.group)) &&
      (this.#anyResource ||
        this.#resources.has(resource) ||
        (question.subresource !== '' && this.#resources.has(`*/${question.subresource}`))) &&
      (this.#names.size === 0 || this.#names.has(question.name))
    );
  }
}

/** The resource as rules spell it: with the subresource where there is one. */
export function fullResource({resource, subresource}: AuthorizationAttributes): string {
  return subresource === '' ? resource : `${resource}/${subresource}`;
}

/** A `*` at the end stands for any rest; elsewhere it is a letter like others. */
function coversPath(rule: string, path: string): boolean {
  return rule === path || (rule.endsWith('*') && path.startsWith(rule.slice(0, -1)));
}
