import {
  inject,
  strategy,
  Tokens,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import type {Node} from '../../../sdk/types/unchecked/core/v1.js';
import {roundResourceList} from '../../families/pods/resource-list.js';
import {nodeFaults, nodeUpdateFaults, nodeWarnings} from './node-rules.js';

/** Node: a machine that runs pods. The node reports its status itself, and a new node may include one. */
@strategy()
export class NodeStrategy implements ResourceStrategy<Node> {
  readonly #naming: NamingProfile;
  readonly #gates: FeatureGates;

  constructor(@inject(Tokens.Naming) naming: NamingProfile, @inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#naming = naming;
    this.#gates = gates;
  }

  applyDefaults({spec, status}: Node): void {
    if (spec) alignCidrs(spec);
    if (!status) return;
    if (!status.allocatable && status.capacity) status.allocatable = {...status.capacity};
    roundResourceList(status.capacity);
    roundResourceList(status.allocatable);
  }

  prepareForCreate(object: Node, {warn}: StrategyContext): void {
    delete object.spec?.configSource;
    delete object.status?.config;
    for (const text of nodeWarnings(object, this.#gates)) warn(text);
  }

  prepareForUpdate(object: Node, old: Node, context: StrategyContext): void {
    const {subresource} = context;
    if (subresource === 'status' && !old.status?.config) delete object.status?.config;
    if (subresource !== '') return;
    if (old.status === undefined) delete object.status;
    else object.status = old.status;
    if (!old.spec?.configSource) delete object.spec?.configSource;
    for (const text of nodeWarnings(object, this.#gates)) context.warn(text);
  }

  validateCreate(object: Node): FieldError[] {
    return nodeFaults(object, this.#naming, this.#gates);
  }

  validateUpdate(object: Node, old: Node): FieldError[] {
    return [...nodeFaults(object, this.#naming, this.#gates), ...nodeUpdateFaults(object, old)];
  }

  selectableFields({spec}: Node): Record<string, string> {
    return {'spec.unschedulable': String(spec?.unschedulable ?? false)};
  }

  tableCells(object: Node): Record<string, string> {
    const {status = {}} = object;
    const {kubeletVersion = '', osImage, kernelVersion, containerRuntimeVersion} = status.nodeInfo ?? {};
    return {
      Status: statusText(object),
      Roles: this.#roles(object),
      Version: kubeletVersion,
      'Internal-IP': addressOf(object, 'InternalIP'),
      'External-IP': addressOf(object, 'ExternalIP'),
      'OS-Image': osImage || '<unknown>',
      'Kernel-Version': kernelVersion || '<unknown>',
      'Container-Runtime': containerRuntimeVersion || '<unknown>',
    };
  }

  #roles({metadata}: Node): string {
    const prefix = this.#naming.key('node-role.orch/');
    const single = this.#naming.key('orch/role');
    const roles = new Set<string>();
    for (const [key, value] of Object.entries(metadata.labels ?? {})) {
      if (key.startsWith(prefix) && key.length > prefix.length) roles.add(key.slice(prefix.length));
      else if (key === single && value !== '') roles.add(value);
    }
    return roles.size === 0 ? '<none>' : [...roles].sort().join(',');
  }
}

/** `podCIDR` is the first of `podCIDRs`; a client that only knows the older field is followed. */
function alignCidrs(spec: NonNullable<Node['spec']>): void {
  const {podCIDR, podCIDRs} = spec;
  if (podCIDR && podCIDRs?.[0] !== podCIDR) spec.podCIDRs = [podCIDR];
  else if (!podCIDR && podCIDRs?.[0]) spec.podCIDR = podCIDRs[0];
}

function statusText({spec, status}: Node): string {
  const ready = status?.conditions?.find(({type}) => type === 'Ready');
  const text = ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return spec?.unschedulable ? `${text},SchedulingDisabled` : text;
}

function addressOf({status}: Node, wanted: string): string {
  return status?.addresses?.find(({type}) => type === wanted)?.address ?? '<none>';
}
