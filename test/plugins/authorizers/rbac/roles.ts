import type {ExecutionContext} from 'ava';
import type {TestServer} from '@orch-api/orch/testing';

const group = 'rbac.authorization.orch';
const apiVersion = `${group}/v1`;

export interface Rule {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

/** Writes roles and bindings as the administrator. */
export class Roles {
  constructor(
    private readonly t: ExecutionContext,
    private readonly server: TestServer,
  ) {}

  async clusterRole(name: string, rules: Rule[], more: object = {}): Promise<void> {
    await this.#create('clusterroles', '', {kind: 'ClusterRole', metadata: {name, ...more}, rules});
  }

  async role(namespace: string, name: string, rules: Rule[]): Promise<void> {
    await this.#create('roles', namespace, {kind: 'Role', metadata: {name}, rules});
  }

  async bindCluster(role: string, ...subjects: object[]): Promise<void> {
    const body = {
      kind: 'ClusterRoleBinding',
      metadata: {name: role},
      roleRef: {apiGroup: group, kind: 'ClusterRole', name: role},
      subjects,
    };
    await this.#create('clusterrolebindings', '', body);
  }

  async bind(namespace: string, kind: 'Role' | 'ClusterRole', role: string, ...subjects: object[]): Promise<void> {
    const body = {kind: 'RoleBinding', metadata: {name: role}, roleRef: {apiGroup: group, kind, name: role}, subjects};
    await this.#create('rolebindings', namespace, body);
  }

  async namespace(name: string): Promise<void> {
    const {status, body} = await this.server.client.post('/api/v1/namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name}});
    this.t.is(status, 201, body.toString());
  }

  async #create(resource: string, namespace: string, object: object): Promise<void> {
    const {status, body} = await this.server.client.post(rolePath(resource, namespace), {apiVersion, ...object});
    this.t.is(status, 201, body.toString());
  }
}

/** Path of a resource type of the group of roles. */
export function rolePath(resource: string, namespace = ''): string {
  return `/apis/${apiVersion}${namespace ? `/namespaces/${namespace}` : ''}/${resource}`;
}

export const user = (name: string) => ({kind: 'User', name});
export const members = (name: string) => ({kind: 'Group', name});
export const account = (namespace: string, name: string) => ({kind: 'ServiceAccount', namespace, name});
