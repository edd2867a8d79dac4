import {
  authorizer,
  inject,
  Tokens,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  type FeatureGates,
  type Logger,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
  type UserInfo,
  type UserRules,
} from '../../../sdk/index.js';
import {allow, noOpinion, noRule, unknownRules} from '../../families/authorization/answers.js';
import {Following, type TypeFollower} from '../../families/authorization/following.js';
import {CompiledRule, fullResource} from '../../families/rbac/compiled-rule.js';
import {rulesOf} from '../../families/rbac/released-rules.js';
import {nodeRules} from '../../families/rbac/node-rules.js';
import {NodeGraph, type Needed} from './node-graph.js';

const namePrefix = 'system:node:';
const nodesGroup = 'system:nodes';
const readVerbs = new Set(['get', 'list', 'watch']);
const ownObjectVerbs = new Set(['get', 'create', 'update', 'patch', 'delete']);
const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};
const volumes: ResourceRef = {group: '', version: 'v1', resource: 'persistentvolumes'};
const attachments: ResourceRef = {group: 'storage.orch', version: 'v1', resource: 'volumeattachments'};
const rules = unknownRules('node');

/**
 * Gives nodes (users `system:node:NAME` in the group `system:nodes`) the permissions that kubelets need. Of secrets, config maps, claims,
 * volumes and service accounts they may only access those that their pods need (docs/semantics/access.md#permissions). It has no opinion
 * about other users.
 */
@authorizer()
export class NodeAuthorizer implements Authorizer {
  readonly #graph: NodeGraph;
  readonly #rules: readonly CompiledRule[];
  readonly #storageGroup: string;
  readonly #leaseGroup: string;
  readonly #leaseNamespace: string;
  readonly #resources: ResourceClient;
  readonly #logger: Logger;
  readonly #following = new Following();

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Release) release: string,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.#resources = resources;
    this.#logger = logger;
    this.#graph = new NodeGraph(naming.key('orch/config.mirror'));
    this.#storageGroup = naming.group('storage.orch');
    this.#leaseGroup = naming.group('coordination.orch');
    this.#leaseNamespace = naming.nodeLeaseNamespace;
    this.#rules = rulesOf({release, gates}, nodeRules).map(
      (rule) => new CompiledRule({...rule, apiGroups: (rule.apiGroups ?? []).map((group) => naming.group(group))}),
    );
  }

  /** Resolves when all pods, volumes and attachments are known. Until then, requests that depend on them are not allowed. */
  async start(signal: AbortSignal): Promise<void> {
    const graph = this.#graph;
    const followers: TypeFollower[] = [
      {ref: pods, changed: (one) => graph.setPod(one), deleted: (one) => graph.deletePod(one)},
      {ref: volumes, changed: (one) => graph.setVolume(one as never), deleted: (one) => graph.deleteVolume(one)},
      {ref: attachments, changed: (one) => graph.setAttachment(one), deleted: (one) => graph.deleteAttachment(one)},
    ];
    const warn = (about: object) => this.#logger.warn(about, 'following failed; nodes are authorized by what is known');
    await Promise.all(followers.map((follower) => this.#following.begin(this.#resources, follower, signal, warn)));
  }

  async stop(): Promise<void> {
    await this.#following.ended();
  }

  rulesFor(user: UserInfo): UserRules {
    return nodeOf(user) === undefined ? noRule : rules;
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationDecision {
    const node = nodeOf(attributes.user);
    if (node === undefined) return noOpinion;
    const {isResourceRequest, group, resource, subresource} = attributes;
    if (isResourceRequest) {
      if (group === '') {
        if (resource === 'secrets' || resource === 'configmaps') return this.#read(node, resource, attributes);
        if (resource === 'persistentvolumeclaims') {
          return subresource === 'status' ? this.#updateStatus(node, attributes) : this.#get(node, attributes);
        }
        if (resource === 'persistentvolumes') return this.#get(node, attributes);
        if (resource === 'serviceaccounts') return this.#createToken(node, attributes);
      } else if (group === this.#storageGroup) {
        if (resource === 'volumeattachments') return this.#get(node, attributes);
        if (resource === 'csinodes') return this.#ownObject(node, attributes, 'CSINode');
      } else if (group === this.#leaseGroup && resource === 'leases') return this.#lease(node, attributes);
    }
    const full = fullResource(attributes);
    return this.#rules.some((rule) => rule.allows(attributes, full)) ? allow : noOpinion;
  }

  #read(node: string, kind: Needed, attributes: AuthorizationAttributes): AuthorizationDecision {
    if (!readVerbs.has(attributes.verb)) return no('can only read resources of this type');
    if (attributes.subresource !== '') return no('cannot read subresource');
    if (attributes.namespace === '') return no('can only read namespaced object of this type');
    return this.#related(node, kind, attributes);
  }

  #get(node: string, attributes: AuthorizationAttributes): AuthorizationDecision {
    if (attributes.verb !== 'get') return no('can only get individual resources of this type');
    if (attributes.subresource !== '') return no('cannot get subresource');
    return this.#related(node, attributes.resource, attributes);
  }

  #updateStatus(node: string, attributes: AuthorizationAttributes): AuthorizationDecision {
    if (attributes.verb !== 'update' && attributes.verb !== 'patch') return no('can only update or patch the status of this type');
    return this.#related(node, 'persistentvolumeclaims', attributes);
  }

  #createToken(node: string, attributes: AuthorizationAttributes): AuthorizationDecision {
    if (attributes.verb !== 'create' || attributes.name === '') return no('can only create tokens for individual service accounts');
    if (attributes.subresource !== 'token') return no('can only create token subresource of service account');
    return this.#related(node, 'serviceaccounts', attributes);
  }

  #lease(node: string, attributes: AuthorizationAttributes): AuthorizationDecision {
    if (attributes.namespace !== this.#leaseNamespace)
      return no(`can only access leases in the "${this.#leaseNamespace}" system namespace`);
    return this.#ownObject(node, attributes, 'node lease');
  }

  #ownObject(node: string, {verb, subresource, name}: AuthorizationAttributes, what: string): AuthorizationDecision {
    if (!ownObjectVerbs.has(verb)) return no(`can only get, create, update, patch, or delete a ${what}`);
    if (subresource !== '') return no(`cannot authorize ${what} subresources`);
    // The name of a new object is not known yet; an admission controller checks it.
    if (verb !== 'create' && name !== node) return no(`can only access a ${what} with the same name as the requesting node`);
    return allow;
  }

  #related(node: string, kind: string, {namespace, name}: AuthorizationAttributes): AuthorizationDecision {
    if (name === '') return no('no object name found');
    const graph = this.#graph;
    const related =
      kind === 'persistentvolumes'
        ? graph.needsVolume(node, name)
        : kind === 'volumeattachments'
          ? graph.isAttached(node, name)
          : graph.needs(node, kind as Needed, namespace, name);
    return related ? allow : no(`no relationship found between node ${JSON.stringify(node)} and this object`);
  }
}

/** The node's name, if a user is a node. */
function nodeOf({username, groups}: UserInfo): string | undefined {
  return username.startsWith(namePrefix) && username.length > namePrefix.length && groups.includes(nodesGroup)
    ? username.slice(namePrefix.length)
    : undefined;
}

function no(reason: string): AuthorizationDecision {
  return {decision: 'no-opinion', reason};
}
