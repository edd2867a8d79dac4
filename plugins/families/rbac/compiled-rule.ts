import type {AuthorizationAttributes} from '../../../sdk/index.js';
import {coveringPath} from './path-rules.js';
import type {PolicyRule} from './policy-rule.js';

/** A role's rule, prepared so that a few look-ups decide a request. */
export class CompiledRule {
  readonly #verbs: ReadonlySet<string>;
  readonly #groups: ReadonlySet<string>;
  readonly #resources: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  readonly #anyVerb: boolean;
  readonly #anyGroup: boolean;
  readonly #anyResource: boolean;
  readonly #coversPath: (path: string) => boolean;

  constructor(readonly rule: PolicyRule) {
    this.#verbs = new Set(rule.verbs ?? []);
    this.#groups = new Set(rule.apiGroups ?? []);
    this.#resources = new Set(rule.resources ?? []);
    this.#names = new Set(rule.resourceNames ?? []);
    this.#coversPath = coveringPath(rule.nonResourceURLs);
    this.#anyVerb = this.#verbs.has('*');
    this.#anyGroup = this.#groups.has('*');
    this.#anyResource = this.#resources.has('*');
  }

  /** @param resource the requested resource with its subresource (`pods/log`), from `fullResource` */
  allows(question: AuthorizationAttributes, resource: string): boolean {
    if (!this.#anyVerb && !this.#verbs.has(question.verb)) return false;
    if (!question.isResourceRequest) return this.#coversPath(question.path);
    return (
      (this.#anyGroup || this.#groups.has(question.group)) &&
      (this.#anyResource ||
        this.#resources.has(resource) ||
        (question.subresource !== '' && this.#resources.has(`*/${question.subresource}`))) &&
      (this.#names.size === 0 || this.#names.has(question.name))
    );
  }
}

/** The resource as written in rules, including any subresource. */
export function fullResource({resource, subresource}: AuthorizationAttributes): string {
  return subresource === '' ? resource : `${resource}/${subresource}`;
}
