import {
  authorizer,
  inject,
  Tokens,
  type ApiObject,
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
import {NodeGraph, type Owned} from './node-graph.js';
import {NodePermissions} from './node-permissions.js';
import {nodeOfUser} from '../../families/nodes/node-of-user.js';

const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};
const volumes: ResourceRef = {group: '', version: 'v1', resource: 'persistentvolumes'};
/** Types whose objects name their node. They are followed in the first version that is served; the releases have not all of them. */
const owned: readonly {readonly kind: Owned; readonly group: string}[] = [
  {kind: 'volumeattachments', group: 'storage.orch'},
  {kind: 'resourceslices', group: 'resource.orch'},
  {kind: 'podcertificaterequests', group: 'certificates.orch'},
];
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
  readonly #permissions: NodePermissions;
  readonly #naming: NamingProfile;
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
    this.#naming = naming;
    this.#permissions = new NodePermissions(this.#graph, gates, naming);
    this.#rules = rulesOf({release, gates}, nodeRules).map(
      (rule) => new CompiledRule({...rule, apiGroups: (rule.apiGroups ?? []).map((group) => naming.group(group))}),
    );
  }

  /** Resolves when all pods, volumes and what names nodes are known. Until then, requests that depend on them are not allowed. */
  async start(signal: AbortSignal): Promise<void> {
    const graph = this.#graph;
    const followers: TypeFollower[] = [
      {ref: pods, changed: (one) => graph.setPod(one), deleted: (one) => graph.deletePod(one)},
      {ref: volumes, changed: (one) => graph.setVolume(one as never), deleted: (one) => graph.deleteVolume(one)},
      ...this.#ownedTypes().map(({ref, kind}) => ({
        ref,
        changed: (one: ApiObject) => graph.setOwned(kind, one, nodeNamedBy(one)),
        deleted: (one: ApiObject) => graph.deleteOwned(kind, one),
      })),
    ];
    const warn = (about: object) => this.#logger.warn(about, 'following failed; nodes are authorized by what is known');
    await Promise.all(followers.map((follower) => this.#following.begin(this.#resources, follower, signal, warn)));
  }

  async stop(): Promise<void> {
    await this.#following.ended();
  }

  #ownedTypes(): {readonly ref: ResourceRef; readonly kind: Owned}[] {
    const served = this.#resources.resources();
    return owned.flatMap(({kind, group}) => {
      const found = served.find((type) => type.resource === kind && type.group === this.#naming.group(group));
      return found ? [{kind, ref: {group, version: found.version, resource: kind}}] : [];
    });
  }

  rulesFor(user: UserInfo): UserRules {
    return nodeOfUser(user) === undefined ? noRule : rules;
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationDecision {
    const node = nodeOfUser(attributes.user);
    if (node === undefined) return noOpinion;
    if (node === '') return {decision: 'no-opinion', reason: `unknown node for user ${JSON.stringify(attributes.user.username)}`};
    const decision = this.#permissions.decide(node, attributes);
    if (decision) return decision;
    const full = fullResource(attributes);
    return this.#rules.some((rule) => rule.allows(attributes, full)) ? allow : noOpinion;
  }
}

/** In the oldest version, slices have it outside of the spec. */
function nodeNamedBy(object: ApiObject): string {
  const {spec, nodeName} = object as {spec?: {nodeName?: string | null}; nodeName?: string | null};
  return spec?.nodeName ?? nodeName ?? '';
}
