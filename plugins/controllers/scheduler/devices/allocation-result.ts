import {randomUUID} from 'node:crypto';
import type {AllocationResult, DeviceAllocationConfiguration, ResourceClaim} from '../../../../sdk/types/unchecked/resource/v1.js';
import type {NodeSelector, NodeSelectorRequirement} from '../../../../sdk/types/unchecked/core/v1.js';
import {sameValue} from '../../../../sdk/validation/index.js';
import type {DeviceFeatures} from './device-pools.js';
import type {ChosenDevice} from './device-search.js';

/** What a claim gets, as its status says it. */
export function allocationOf(
  claim: ResourceClaim,
  chosen: readonly ChosenDevice[],
  node: string,
  {hasConditions}: DeviceFeatures,
): AllocationResult {
  const results = chosen.map(({way: {name, isAdmin, tolerations}, device: {driver, pool, device}, share}) => ({
    request: name,
    driver,
    pool,
    device: device.name ?? '',
    ...(isAdmin ? {adminAccess: true} : {}),
    ...(tolerations.length > 0 ? {tolerations: [...tolerations]} : {}),
    ...(hasConditions && device.bindingConditions?.length
      ? {bindingConditions: device.bindingConditions, bindingFailureConditions: device.bindingFailureConditions ?? []}
      : {}),
    ...(share ? {shareID: randomUUID(), ...(Object.keys(share).length > 0 ? {consumedCapacity: share} : {})} : {}),
  }));
  const config = configOf(claim, chosen);
  const nodeSelector = selectorOf(chosen, node);
  return {
    devices: {results, ...(config.length > 0 ? {config} : {})},
    ...(nodeSelector ? {nodeSelector} : {}),
  } as AllocationResult;
}

/** Settings of the classes, each once, and those of the claim for what was chosen. */
function configOf(claim: ResourceClaim, chosen: readonly ChosenDevice[]): DeviceAllocationConfiguration[] {
  const ways = [...new Map(chosen.map(({way}) => [way.name, way])).values()];
  const ofClasses = new Map<string, {requests: string[]; readonly configs: readonly object[]}>();
  for (const {name, deviceClass} of ways) {
    const className = deviceClass.metadata.name ?? '';
    const known = ofClasses.get(className);
    if (known) known.requests.push(name);
    else ofClasses.set(className, {requests: [name], configs: deviceClass.spec?.config ?? []});
  }
  const classConfig = [...ofClasses.values()].flatMap(({requests, configs}) =>
    configs.map((config) => ({...config, source: 'FromClass', requests: [...requests]})),
  );
  const names = new Set(ways.flatMap(({name, request}) => [name, request]));
  const claimConfig = (claim.spec?.devices?.config ?? []).flatMap(({requests, ...config}) => {
    const wanted = requests ?? [];
    if (wanted.length > 0 && !wanted.some((name) => names.has(name ?? ''))) return [];
    return [{...config, source: 'FromClaim', ...(wanted.length > 0 ? {requests: wanted} : {})}];
  });
  return [...classConfig, ...claimConfig] as DeviceAllocationConfiguration[];
}

/** The nodes that can use all of the devices; undefined for all nodes. */
function selectorOf(chosen: readonly ChosenDevice[], node: string): NodeSelector | undefined {
  const matchFields: NodeSelectorRequirement[] = [];
  const matchExpressions: NodeSelectorRequirement[] = [];
  for (const {device} of chosen) {
    const {nodeName, nodeSelector} = device.slice.spec?.perDeviceNodeSelection === true ? device.device : (device.slice.spec ?? {});
    if (nodeName || device.device.bindsToNode)
      return {nodeSelectorTerms: [{matchFields: [{key: 'metadata.name', operator: 'In', values: [node]}]}]};
    const term = nodeSelector?.nodeSelectorTerms?.[0];
    addNew(matchFields, term?.matchFields ?? []);
    addNew(matchExpressions, term?.matchExpressions ?? []);
  }
  if (matchFields.length + matchExpressions.length === 0) return undefined;
  const term = {...(matchFields.length > 0 ? {matchFields} : {}), ...(matchExpressions.length > 0 ? {matchExpressions} : {})};
  return {nodeSelectorTerms: [term]};
}

function addNew(to: NodeSelectorRequirement[], all: readonly NodeSelectorRequirement[]): void {
  for (const one of all) if (!to.some((other) => sameValue(one, other))) to.push(one);
}
