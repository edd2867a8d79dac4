import {
  forbidden,
  inject,
  injectable,
  invalidObject,
  taskOf,
  Tokens,
  WorkExceeded,
  type AccessReviewer,
  type NamingProfile,
  type ResourceClient,
  type StrategyContext,
  type Task,
  type UserInfo,
} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {ClusterRole, Role, RoleBinding} from '../../../sdk/types/unchecked/rbac.authorization/v1.js';
import type {PolicyRule} from '../../families/rbac/policy-rule.js';
import {lackingPermissions, type Lacking} from '../../families/rbac/lacking-permissions.js';
import {ruleText} from '../../families/rbac/rule-text.js';
import {isMaster} from '../../families/authorization/answers.js';
import {excessFaults} from './policy-rules.js';

const everything: readonly PolicyRule[] = [
  {verbs: ['*'], apiGroups: ['*'], resources: ['*']},
  {verbs: ['*'], nonResourceURLs: ['*']},
];

/** Maximum number of rules in a rejection; there can be millions of combinations of missing permissions. */
const listedRules = 20;

/**
 * Prevents users from granting permissions that they do not have (Kubernetes' privilege escalation prevention). The writer of a role must
 * have all of its permissions or be allowed to `escalate` it; the writer of a binding must have all permissions of the role or be allowed
 * to `bind` it. Members of `system:masters` may do both.
 */
@injectable()
export class EscalationCheck {
  readonly #group: string;
  readonly #access: AccessReviewer;
  readonly #resources: ResourceClient;

  constructor(
    @inject(Tokens.Access) access: AccessReviewer,
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
  ) {
    this.#access = access;
    this.#resources = resources;
    this.#group = naming.group('rbac.authorization.orch');
  }

  /** @param old undefined for a new role. @throws 403 with the permissions that the caller lacks; 422 if the rules have too many parts */
  async role(resource: 'roles' | 'clusterroles', role: ClusterRole, old: ClusterRole | undefined, context: StrategyContext): Promise<void> {
    const {user, namespace} = context;
    if (isMaster(user) || (old && changesForCollectorOnly(role, old))) return;
    const excess = excessFaults(role.rules);
    if (excess.length > 0)
      throw invalidObject({group: this.#group, kind: resource === 'roles' ? 'Role' : 'ClusterRole'}, role.metadata.name ?? '', excess);
    const name = role.metadata.name ?? '';
    if (await this.#may('escalate', user, resource, namespace, old ? name : '')) return;
    const target = {group: this.#group, resource, name};
    // An aggregated role may end up with any permission.
    const aggregated = Boolean(role.aggregationRule ?? old?.aggregationRule);
    await this.#requireAll(target, aggregated ? [...(role.rules ?? []), ...everything] : (role.rules ?? []), context);
  }

  /** @throws 403 like `role`; 404 if the role does not exist and the caller is not allowed to bind it */
  async binding(
    resource: 'rolebindings' | 'clusterrolebindings',
    binding: RoleBinding,
    old: RoleBinding | undefined,
    context: StrategyContext,
  ): Promise<void> {
    const {user, namespace} = context;
    if (isMaster(user) || (old && changesForCollectorOnly(binding, old))) return;
    const {kind, name = ''} = binding.roleRef ?? {};
    const roles = kind === 'ClusterRole' ? 'clusterroles' : kind === 'Role' ? 'roles' : undefined;
    // Validation reports the invalid reference.
    if (!roles || !name) return;
    if (await this.#may('bind', user, roles, namespace, name)) return;
    const role = await this.#read(roles, roles === 'roles' ? namespace : '', name);
    await this.#requireAll({group: this.#group, resource, name: binding.metadata.name ?? ''}, role.rules ?? [], context);
  }

  async #may(verb: string, user: UserInfo, resource: string, namespace: string, name: string): Promise<boolean> {
    const {decision} = await this.#access.authorize({
      user,
      verb,
      isResourceRequest: true,
      path: '',
      group: this.#group,
      version: 'v1',
      resource,
      subresource: '',
      namespace,
      name,
    });
    return decision === 'allow';
  }

  async #requireAll(
    target: {group: string; resource: string; name: string},
    rules: readonly PolicyRule[],
    {user, namespace}: StrategyContext,
  ): Promise<void> {
    const {resourceRules, nonResourceRules, error} = await this.#access.rulesFor(user, namespace);
    const lacking = await compare(
      target,
      [...resourceRules, ...nonResourceRules],
      rules,
      taskOf(this.#resources, 'request', 'comparison of permissions'),
    );
    if (lacking.count === 0) return;
    const texts = lacking.examples.map(ruleText).sort();
    const more = lacking.count - texts.length;
    if (more > 0 || !lacking.complete) texts.push(lacking.complete ? `and ${more} more` : `and more than ${more} more`);
    const who = `user ${JSON.stringify(user.username)} (groups=${JSON.stringify(user.groups)})`;
    const problems = error ? `; resolution errors: [${error}]` : '';
    throw forbidden(target, `${who} is attempting to grant RBAC permissions not currently held:\n${texts.join('\n')}${problems}`);
  }

  async #read(resource: string, namespace: string, name: string): Promise<Role> {
    const role = await this.#resources.get({group: 'rbac.authorization.orch', version: 'v1', resource}, namespace, name, {
      resourceVersion: '0',
    });
    return role as Role;
  }
}

async function compare(
  target: {group: string; resource: string; name: string},
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
  task: Task,
): Promise<Lacking> {
  try {
    return await lackingPermissions(held, wanted, listedRules, task);
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error;
    throw forbidden(target, 'its permissions are too many to be compared with those of the user; divide the role into several');
  }
}

/** Garbage collection must be able to release and delete objects, whatever permissions they grant. */
function changesForCollectorOnly(object: RoleBinding | ClusterRole, old: RoleBinding | ClusterRole): boolean {
  const rest = (of: RoleBinding | ClusterRole) => {
    const {
      ownerReferences: _owners,
      finalizers: _finalizers,
      managedFields: _managed,
      resourceVersion: _version,
      ...metadata
    } = of.metadata;
    return {...of, metadata};
  };
  const same =
    sameValue(object.metadata.ownerReferences ?? [], old.metadata.ownerReferences ?? []) &&
    sameValue(object.metadata.finalizers ?? [], old.metadata.finalizers ?? []);
  return !same && sameValue(rest(object), rest(old));
}
