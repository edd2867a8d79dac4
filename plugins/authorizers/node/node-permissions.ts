import type {AuthorizationAttributes, AuthorizationDecision, FeatureGates, NamingProfile} from '../../../sdk/index.js';
import {allow, noOpinion} from '../../families/authorization/answers.js';
import type {Needed, NodeGraph, Owned} from './node-graph.js';

const readVerbs = new Set(['get', 'list', 'watch']);
const ownObjectVerbs = new Set(['get', 'create', 'update', 'patch', 'delete']);

type Decide = (node: string, attributes: AuthorizationAttributes) => AuthorizationDecision | undefined;

/**
 * What nodes may do with objects of which only some concern them, in the words of Kubernetes' node authorizer. `NodeRestriction` looks at what the objects that they write
 * contain.
 */
export class NodePermissions {
  readonly #graph: NodeGraph;
  readonly #gates: FeatureGates;
  readonly #leaseNamespace: string;
  /** By resource and group. */
  readonly #decisions: ReadonlyMap<string, Decide>;

  constructor(graph: NodeGraph, gates: FeatureGates, naming: NamingProfile) {
    this.#graph = graph;
    this.#gates = gates;
    this.#leaseNamespace = naming.nodeLeaseNamespace;
    const withSelectors = gates.enabled('AuthorizeNodeWithSelectors');
    const decisions: readonly (readonly [group: string, resource: string, decide: Decide])[] = [
      ['', 'secrets', (node, attributes) => this.#read(node, 'secrets', attributes)],
      ['', 'configmaps', (node, attributes) => this.#read(node, 'configmaps', attributes)],
      ['', 'persistentvolumeclaims', (node, attributes) => this.#claim(node, attributes)],
      ['', 'persistentvolumes', (node, attributes) => this.#get(node, 'persistentvolumes', attributes)],
      ['', 'serviceaccounts', (node, attributes) => this.#serviceAccount(node, attributes)],
      ['resource.orch', 'resourceclaims', (node, attributes) => this.#get(node, 'resourceclaims', attributes)],
      ['resource.orch', 'resourceslices', (node, attributes) => this.#slice(node, withSelectors, attributes)],
      ['storage.orch', 'volumeattachments', (node, attributes) => this.#get(node, 'volumeattachments', attributes)],
      ['storage.orch', 'csinodes', (node, attributes) => this.#csiNode(node, attributes)],
      ['coordination.orch', 'leases', (node, attributes) => this.#lease(node, attributes)],
      ['certificates.orch', 'podcertificaterequests', (node, attributes) => this.#certificateRequest(node, attributes)],
      ['', 'nodes', (node, attributes) => (withSelectors ? this.#node(node, attributes) : undefined)],
      ['', 'pods', (node, attributes) => (withSelectors ? this.#pod(node, attributes) : undefined)],
    ];
    this.#decisions = new Map(decisions.map(([group, resource, decide]) => [`${resource} ${naming.group(group)}`, decide]));
  }

  /** Undefined for what all nodes may do alike, which their rules say. */
  decide(node: string, attributes: AuthorizationAttributes): AuthorizationDecision | undefined {
    if (!attributes.isResourceRequest) return undefined;
    return this.#decisions.get(`${attributes.resource} ${attributes.group}`)?.(node, attributes);
  }

  #read(node: string, kind: Needed, attributes: AuthorizationAttributes): AuthorizationDecision {
    if (!readVerbs.has(attributes.verb)) return no('can only read resources of this type');
    if (attributes.subresource !== '') return no('cannot read subresource');
    if (attributes.namespace === '') return no('can only read namespaced object of this type');
    return this.#related(node, kind, attributes);
  }

  #get(node: string, kind: Needed | Owned | 'persistentvolumes', attributes: AuthorizationAttributes): AuthorizationDecision {
    if (attributes.verb !== 'get') return no('can only get individual resources of this type');
    if (attributes.subresource !== '') return no('cannot get subresource');
    return this.#related(node, kind, attributes);
  }

  #claim(node: string, attributes: AuthorizationAttributes): AuthorizationDecision {
    if (attributes.subresource !== 'status') return this.#get(node, 'persistentvolumeclaims', attributes);
    if (attributes.verb !== 'update' && attributes.verb !== 'patch') return no('can only get/update/patch this type');
    return this.#related(node, 'persistentvolumeclaims', attributes);
  }

  #serviceAccount(node: string, attributes: AuthorizationAttributes): AuthorizationDecision {
    const {verb, subresource, name} = attributes;
    const gates = ['KubeletServiceAccountTokenForCredentialProviders', 'PodCertificateRequest'];
    if (verb === 'get' && subresource === '') {
      if (!gates.some((gate) => this.#gates.enabled(gate))) return no('not allowed to get service accounts');
      return this.#read(node, 'serviceaccounts', attributes);
    }
    if (verb !== 'create' || name === '') return no('can only create tokens for individual service accounts');
    if (subresource !== 'token') return no('can only create token subresource of serviceaccount');
    return this.#related(node, 'serviceaccounts', attributes);
  }

  #slice(node: string, withSelectors: boolean, attributes: AuthorizationAttributes): AuthorizationDecision | undefined {
    const {verb, subresource} = attributes;
    if (subresource !== '') return no('cannot authorize ResourceSlice subresources');
    switch (verb) {
      case 'create':
        return allow;
      case 'get':
      case 'update':
      case 'patch':
      case 'delete':
        return this.#related(node, 'resourceslices', attributes);
      case 'watch':
      case 'list':
      case 'deletecollection':
        // Of a collection, admission looks at each that is deleted; the rules of the release say whether nodes delete collections at all.
        if (!withSelectors) return verb === 'deletecollection' ? undefined : allow;
        if (selectsNode(attributes, 'spec.nodeName', node)) return allow;
        return no('can only list/watch/deletecollection resourceslices with nodeName field selector');
      default:
        return no(
          'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
        );
    }
  }

  #certificateRequest(node: string, attributes: AuthorizationAttributes): AuthorizationDecision {
    if (!this.#gates.enabled('PodCertificateRequest') || !this.#gates.enabled('AuthorizeNodeWithSelectors')) return noOpinion;
    const {verb, subresource} = attributes;
    if (subresource !== '') return no('nodes may not access the status subresource of PodCertificateRequests');
    if (verb === 'create') return allow;
    if (verb === 'get') return this.#related(node, 'podcertificaterequests', attributes);
    if (verb !== 'list' && verb !== 'watch') return no(`nodes may not ${verb} podcertificaterequests`);
    if (selectsNode(attributes, 'spec.nodeName', node)) return allow;
    return no('can only list/watch podcertificaterequests with nodeName field selector');
  }

  #node(node: string, {verb, subresource, name}: AuthorizationAttributes): AuthorizationDecision {
    if (subresource === 'status') return verb === 'update' || verb === 'patch' ? allow : noOpinion;
    if (subresource !== '') return noOpinion;
    if (verb === 'create' || verb === 'update' || verb === 'patch') return allow;
    if (!readVerbs.has(verb)) return noOpinion;
    // By name, not by the graph: kubelets ask for their node before they make it.
    if (name === node) return allow;
    return no(
      name === ''
        ? `node '${node}' cannot read all nodes, only its own Node object`
        : `node '${node}' cannot read '${name}', only its own Node object`,
    );
  }

  #pod(node: string, attributes: AuthorizationAttributes): AuthorizationDecision {
    const {verb, subresource, name} = attributes;
    if (subresource === 'status') return verb === 'update' || verb === 'patch' ? allow : noOpinion;
    if (subresource === 'eviction') return verb === 'create' ? allow : noOpinion;
    if (subresource !== '') return noOpinion;
    if (verb === 'get') return this.#get(node, 'pods', attributes);
    if (verb === 'create' || verb === 'delete') return allow;
    if (verb !== 'list' && verb !== 'watch') return noOpinion;
    if (selectsNode(attributes, 'spec.nodeName', node)) return allow;
    if (name !== '') return this.#related(node, 'pods', attributes);
    return no('can only list/watch pods with spec.nodeName field selector');
  }

  #lease(node: string, {verb, namespace, name}: AuthorizationAttributes): AuthorizationDecision {
    if (!ownObjectVerbs.has(verb)) return no('can only get, create, update, patch, or delete a node lease');
    if (namespace !== this.#leaseNamespace) return no(`can only access leases in the "${this.#leaseNamespace}" system namespace`);
    // The name of a new object is not known yet; an admission controller checks it.
    if (verb !== 'create' && name !== node) return no('can only access node lease with the same name as the requesting node');
    return allow;
  }

  #csiNode(node: string, {verb, subresource, name}: AuthorizationAttributes): AuthorizationDecision {
    if (!ownObjectVerbs.has(verb)) return no('can only get, create, update, patch, or delete a CSINode');
    if (subresource !== '') return no('cannot authorize CSINode subresources');
    if (verb !== 'create' && name !== node) return no('can only access CSINode with the same name as the requesting node');
    return allow;
  }

  #related(node: string, kind: Needed | Owned | 'persistentvolumes', {namespace, name}: AuthorizationAttributes): AuthorizationDecision {
    if (name === '') return no('No Object name found');
    return this.#isRelated(node, kind, namespace, name) ? allow : no(`no relationship found between node '${node}' and this object`);
  }

  #isRelated(node: string, kind: Needed | Owned | 'persistentvolumes', namespace: string, name: string): boolean {
    switch (kind) {
      case 'persistentvolumes':
        return this.#graph.needsVolume(node, name);
      case 'pods':
      case 'volumeattachments':
      case 'resourceslices':
      case 'podcertificaterequests':
        return this.#graph.owns(node, kind, namespace, name);
      default:
        return this.#graph.needs(node, kind, namespace, name);
    }
  }
}

/** Whether a field selector leaves only objects that name the node. */
function selectsNode({fieldSelector}: AuthorizationAttributes, field: string, node: string): boolean {
  return (fieldSelector ?? []).some(
    ({key, operator, values}) => key === field && operator === 'In' && values.length === 1 && values[0] === node,
  );
}

function no(reason: string): AuthorizationDecision {
  return {decision: 'no-opinion', reason};
}
