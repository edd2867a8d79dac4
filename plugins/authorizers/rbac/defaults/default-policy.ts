import {
  StatusError,
  taskOf,
  unlessExists,
  type ApiObject,
  type DeclaredAccount,
  type Logger,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
  type Task,
} from '../../../../sdk/index.js';
import {sameValue} from '../../../../sdk/validation/index.js';
import type {PolicyRule} from '../../../families/rbac/policy-rule.js';
import type {Edition} from '../../../families/rbac/released-rules.js';
import {lackingPermissions} from '../../../families/rbac/lacking-permissions.js';
import {rbacGroup, type BindingObject, type RoleObject, type Subject} from '../rbac-objects.js';
import {defaultObjects, type Default} from './default-objects.js';

/** What authorization by roles is made of. */
export interface RbacParts {
  readonly resources: ResourceClient;
  readonly naming: NamingProfile;
  readonly edition: Edition;
  /** Those whose permissions plugins declare. */
  readonly accounts: readonly DeclaredAccount[];
  readonly logger: Logger;
}

/**
 * Ensures that the default roles and bindings exist. Missing objects are created, and existing ones are given missing permissions and
 * subjects, unless their annotation `rbac.authorization.orch/autoupdate` is `false`. Nothing is ever removed, except that a default binding
 * to another role is recreated. An object that admission rejects is skipped and logged: whoever lacks it can do less.
 */
export class DefaultPolicy {
  readonly #autoUpdate: string;
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #edition: Edition;
  readonly #accounts: readonly DeclaredAccount[];
  readonly #logger: Logger;

  constructor({resources, naming, edition, accounts, logger}: RbacParts) {
    this.#accounts = accounts;
    this.#logger = logger;
    this.#resources = resources;
    this.#naming = naming;
    this.#edition = edition;
    this.#autoUpdate = naming.key(`${rbacGroup}/autoupdate`);
  }

  /** Safe to run on several servers at once. Rejects if an object cannot be read or written. */
  async ensure(): Promise<void> {
    const {roles, bindings} = defaultObjects(this.#naming, this.#edition, this.#accounts);
    await this.#ensureAll(roles, (present, wanted) => this.#completeRole(present, wanted));
    await this.#ensureAll(bindings, (present, wanted) => this.#completeBinding(present, wanted));
  }

  async #ensureAll<T extends ApiObject>(
    wanted: readonly Default<T>[],
    complete: (present: T, wanted: Default<T>) => Promise<void>,
  ): Promise<void> {
    const present = await this.#read(wanted);
    await Promise.all(
      wanted.map(async (one) => {
        const found = present.get(keyOf(one.ref, one.object));
        try {
          if (!found) await unlessExists(this.#resources.create(one.ref, one.namespace, one.object));
          else if (found.metadata.annotations?.[this.#autoUpdate] !== 'false') await complete(found as T, one);
        } catch (error) {
          if (!StatusError.is(error) || error.code !== 403) throw error;
          const {kind, metadata} = one.object;
          this.#logger.warn({kind, namespace: one.namespace, name: metadata.name, err: error}, 'a default role or binding is refused');
        }
      }),
    );
  }

  /** One list request for each type and namespace. */
  async #read(wanted: readonly Default<ApiObject>[]): Promise<Map<string, ApiObject>> {
    const places = new Map(wanted.map((one) => [`${one.ref.resource}/${one.namespace}`, one]));
    const lists = await Promise.all(
      [...places.values()].map(async ({ref, namespace}) => ({ref, list: await this.#resources.list(ref, namespace)})),
    );
    return new Map(lists.flatMap(({ref, list}) => list.items.map((object) => [keyOf(ref, object), object] as const)));
  }

  async #completeRole(present: RoleObject, {ref, namespace, object}: Default<RoleObject>): Promise<void> {
    const name = object.metadata.name!;
    if (object.aggregationRule) {
      const selectors = present.aggregationRule?.clusterRoleSelectors ?? [];
      const missing = (object.aggregationRule.clusterRoleSelectors ?? []).filter(
        (wanted) => !selectors.some((one) => sameValue(one, wanted)),
      );
      if (missing.length > 0)
        await this.#patch(ref, namespace, name, {aggregationRule: {clusterRoleSelectors: [...selectors, ...missing]}});
      return;
    }
    // True in nearly all cases; comparing permissions is more expensive.
    if (sameValue(present.rules, object.rules)) return;
    const missing = await missingRules(present.rules ?? [], object.rules ?? [], taskOf(this.#resources, 'background', 'default roles'));
    if (missing.length > 0) await this.#patch(ref, namespace, name, {rules: [...(present.rules ?? []), ...missing]});
  }

  async #completeBinding(present: BindingObject, wanted: Default<BindingObject>): Promise<void> {
    const {ref, namespace, object} = wanted;
    const name = object.metadata.name!;
    if (!sameValue(present.roleRef, object.roleRef)) {
      await this.#resources.delete(ref, namespace, name, present.metadata.uid ? {uid: present.metadata.uid} : {});
      await unlessExists(this.#resources.create(ref, namespace, object));
      return;
    }
    const subjects = present.subjects ?? [];
    const missing = (object.subjects ?? []).filter((subject) => !subjects.some((one) => isSameSubject(one, subject)));
    if (missing.length > 0) await this.#patch(ref, namespace, name, {subjects: [...subjects, ...missing]});
  }

  async #patch(ref: ResourceRef, namespace: string, name: string, patch: object): Promise<void> {
    await this.#resources.patch(ref, namespace, name, patch);
  }
}

/** The rules that the present ones do not allow completely. */
async function missingRules(present: readonly PolicyRule[], wanted: readonly PolicyRule[], task: Task): Promise<PolicyRule[]> {
  const lacking = await Promise.all(wanted.map((rule) => lackingPermissions(present, [rule], 0, task)));
  return wanted.filter((_rule, index) => lacking[index]!.count > 0);
}

function isSameSubject(one: Subject, other: Subject): boolean {
  return one.kind === other.kind && one.name === other.name && (one.namespace ?? '') === (other.namespace ?? '');
}

function keyOf({resource}: ResourceRef, {metadata}: ApiObject): string {
  return `${resource}/${metadata.namespace ?? ''}/${metadata.name}`;
}
