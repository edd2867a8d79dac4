import {apiVersionOf, componentPrefix, type DeclaredAccount, type NamingProfile, type ResourceRef} from '../../../../sdk/index.js';
import type {PolicyRule} from '../../../families/rbac/policy-rule.js';
import {isIn, rulesOf, type Edition} from '../../../families/rbac/released-rules.js';
import {aggregatedRules} from '../aggregated-rules.js';
import {
  clusterRoleBindings,
  clusterRoles,
  rbacGroup,
  roleBindings,
  roles,
  type BindingObject,
  type RoleObject,
  type Subject,
} from '../rbac-objects.js';
import {componentRoles} from './component-roles.js';
import {controllerPrefix, controllerRoles, declaredRoles} from './controller-roles.js';
import {namespaceRoles} from './namespace-roles.js';
import {allow} from '../../../families/rbac/written-rule.js';
import {userRoles, type DefaultRole} from './user-roles.js';

/** All objects that must exist, as clients see them. */
export interface DefaultObjects {
  readonly roles: readonly Default<RoleObject>[];
  readonly bindings: readonly Default<BindingObject>[];
}

export interface Default<T> {
  readonly ref: ResourceRef;
  readonly namespace: string;
  readonly object: T;
}

const user = (name: string): Subject => ({kind: 'User', name});
const group = (name: string): Subject => ({kind: 'Group', name});

/**
 * The default roles and bindings under a naming profile, as a release with its feature gates has them.
 *
 * @param accounts whose permissions plugins declare
 */
export function defaultObjects(naming: NamingProfile, edition: Edition, accounts: readonly DeclaredAccount[] = []): DefaultObjects {
  const make = new Maker(naming, edition);
  const {systemNamespace} = naming;
  const builtIn = controllerRoles(naming).filter((role) => isIn(edition, role));
  const known = new Set([...builtIn, ...namespaceRoles(naming)].map(({name}) => name));
  const declared = declaredRoles(accounts, known, naming);
  const all = [...userRoles, ...componentRoles, ...builtIn, ...declared.map(({role}) => role), ...signerRoles(naming)]
    .filter((role) => isIn(edition, role))
    .map((role) => make.clusterRole(role));
  const inNamespaces = namespaceRoles(naming);
  return {
    // Aggregated roles have their rules from the start; later a controller maintains them. There are three levels: view, edit, admin.
    roles: [
      ...withAggregatedRules(withAggregatedRules(withAggregatedRules(all))).map((object) => ({ref: clusterRoles, namespace: '', object})),
      ...inNamespaces.map(({namespace, name, rules}) => ({ref: roles, namespace, object: make.role(namespace, name, rules)})),
    ],
    bindings: [
      make.clusterBinding('cluster-admin', [group('system:masters')]),
      make.clusterBinding('system:monitoring', [group('system:monitoring')]),
      make.clusterBinding('system:discovery', [group('system:authenticated')]),
      make.clusterBinding('system:basic-user', [group('system:authenticated')]),
      make.clusterBinding('system:public-info-viewer', [group('system:authenticated'), group('system:unauthenticated')]),
      make.clusterBinding('system:service-account-issuer-discovery', [group('system:serviceaccounts')]),
      ...(edition.gates.enabled('ClusterTrustBundle')
        ? [make.clusterBinding('system:cluster-trust-bundle-discovery', [group('system:serviceaccounts')])]
        : []),
      make.clusterBinding('system:node-proxier', [user('system:kube-proxy')]),
      make.clusterBinding('system:kube-controller-manager', [
        user('system:kube-controller-manager'),
        // The controllers inside the server, where the platform has another prefix.
        ...(componentPrefix(naming) === 'kube' ? [] : [user(`system:${componentPrefix(naming)}-controller-manager`)]),
      ]),
      make.clusterBinding('system:kube-scheduler', [user('system:kube-scheduler')]),
      make.clusterBinding('system:volume-scheduler', [user('system:kube-scheduler')]),
      make.clusterBinding('system:kube-dns', [{kind: 'ServiceAccount', name: 'kube-dns', namespace: systemNamespace}]),
      make.clusterBinding('system:node', []),
      ...builtIn.map(({name}) =>
        make.clusterBinding(name, [{kind: 'ServiceAccount', name: name.slice(controllerPrefix.length), namespace: systemNamespace}]),
      ),
      ...declared.map(({role, subject}) => make.clusterBinding(role.name, [subject])),
      ...inNamespaces.map(({namespace, name, binding = name, boundTo}) =>
        make.binding(
          namespace,
          binding,
          name,
          boundTo.filter((subject) => isIn(edition, subject)).map(({since: _, ...subject}) => subject),
        ),
      ),
    ],
  };
}

/** For each built-in signer, a role for approving its requests, named after the signer. */
function signerRoles(naming: NamingProfile): DefaultRole[] {
  const certificates = naming.group('certificates.orch');
  const prefix = `system:${certificates}:`;
  const requests = ['nodeclient', 'selfnodeclient'].map((subresource) => ({
    name: `${prefix}certificatesigningrequests:${subresource}`,
    rules: [allow('create', 'certificates.orch', `certificatesigningrequests/${subresource}`)],
  }));
  const approvers = Object.values(naming.signers).map((signer) => ({
    name: `${prefix}${signer.slice(signer.indexOf('/') + 1)}-approver`,
    rules: [allow('approve', 'certificates.orch', 'signers', signer)],
  }));
  return [...requests, ...approvers];
}

function withAggregatedRules(all: readonly RoleObject[]): RoleObject[] {
  return all.map((role) => (role.aggregationRule ? {...role, rules: aggregatedRules(role, all)!} : role));
}

class Maker {
  readonly #group: string;
  readonly #apiVersion: string;
  readonly #naming: NamingProfile;
  readonly #edition: Edition;

  constructor(naming: NamingProfile, edition: Edition) {
    this.#naming = naming;
    this.#edition = edition;
    this.#group = naming.group(rbacGroup);
    this.#apiVersion = apiVersionOf({group: this.#group, version: 'v1'});
  }

  clusterRole({name, rules, partOf, aggregated}: DefaultRole): RoleObject {
    const naming = this.#naming;
    const label = (role: string) => ({[naming.key(`${rbacGroup}/aggregate-to-${role}`)]: 'true'});
    return {
      ...this.#head('ClusterRole', '', name, partOf === undefined ? {} : label(partOf)),
      ...(aggregated ? {aggregationRule: {clusterRoleSelectors: [{matchLabels: label(name)}]}} : {}),
      rules: this.#rules(rules),
    };
  }

  role(namespace: string, name: string, rules: DefaultRole['rules']): RoleObject {
    return {...this.#head('Role', namespace, name), rules: this.#rules(rules)};
  }

  /** A binding of the cluster role with the same name. */
  clusterBinding(name: string, subjects: readonly Subject[]): Default<BindingObject> {
    return {
      ref: clusterRoleBindings,
      namespace: '',
      object: this.#binding('ClusterRoleBinding', '', name, {kind: 'ClusterRole', name}, subjects),
    };
  }

  binding(namespace: string, name: string, role: string, subjects: readonly Subject[]): Default<BindingObject> {
    return {ref: roleBindings, namespace, object: this.#binding('RoleBinding', namespace, name, {kind: 'Role', name: role}, subjects)};
  }

  #binding(kind: string, namespace: string, name: string, role: {kind: string; name: string}, subjects: readonly Subject[]): BindingObject {
    return {
      ...this.#head(kind, namespace, name),
      roleRef: {apiGroup: this.#group, ...role},
      subjects: subjects.map((subject) => (subject.kind === 'ServiceAccount' ? subject : {...subject, apiGroup: this.#group})),
    };
  }

  #head(kind: string, namespace: string, name: string, labels: Record<string, string> = {}) {
    const naming = this.#naming;
    return {
      apiVersion: this.#apiVersion,
      kind,
      metadata: {
        name,
        ...(namespace ? {namespace} : {}),
        labels: {[naming.key('orch/bootstrapping')]: 'rbac-defaults', ...labels},
        annotations: {[naming.key(`${rbacGroup}/autoupdate`)]: 'true'},
      },
    };
  }

  #rules(rules: DefaultRole['rules']): PolicyRule[] {
    return rulesOf(this.#edition, rules).map((rule) =>
      rule.apiGroups ? {...rule, apiGroups: rule.apiGroups.map((one) => this.#naming.group(one))} : rule,
    );
  }
}
