import type {FeatureGates, NamingProfile} from '../../../sdk/index.js';
import {bindingKeys} from '../../families/volume-binding/binding-keys.js';
import type {Rules} from './decision/profile.js';
import {interPodAffinity} from './filters/inter-pod-affinity.js';
import {nodeResourcesFit} from './filters/node-resources-fit.js';
import {nodeVolumeLimits} from './filters/node-volume-limits.js';
import {nodeAffinity, nodePorts, nodeUnschedulable, taintToleration} from './filters/node-rules.js';
import {podTopologySpread} from './filters/pod-topology-spread.js';
import {volumeBinding} from './filters/volume-binding.js';
import {volumeRestrictions, volumeZone} from './filters/volume-rules.js';
import {deviceFeatures} from './devices/device-pools.js';
import {dynamicResources} from './filters/dynamic-resources.js';
import type {DefaultSpread} from './model/default-spread.js';
import type {DeviceView} from './model/device-view.js';
import type {StorageView} from './model/storage-view.js';
import {interPodAffinityScore} from './scores/inter-pod-affinity-score.js';
import {imageLocality, nodeAffinityScore, taintTolerationScore} from './scores/node-scores.js';
import {podTopologySpreadScore} from './scores/pod-topology-spread-score.js';
import {balancedAllocation, leastAllocated} from './scores/resource-scores.js';

/** All rules, in the order in which they are asked, with Kubernetes' weights. */
export function rulesOf(
  naming: Pick<NamingProfile, 'key'>,
  gates: Pick<FeatureGates, 'enabled'>,
  defaults: DefaultSpread,
  storage: StorageView,
  devices: DeviceView,
): Rules {
  const keys = bindingKeys(naming);
  return {
    filters: [
      nodeUnschedulable(naming.key('node.orch/unschedulable')),
      taintToleration,
      nodeAffinity,
      nodePorts,
      nodeResourcesFit(devices),
      volumeRestrictions(storage),
      nodeVolumeLimits(storage, keys, gates.enabled('VolumeLimitScaling')),
      volumeBinding(storage, keys),
      volumeZone(
        storage,
        ['zone', 'region'].map((word) => naming.key(`topology.orch/${word}`)),
      ),
      podTopologySpread,
      interPodAffinity,
      ...(gates.enabled('DynamicResourceAllocation') ? [dynamicResources(devices, deviceFeatures(gates))] : []),
    ],
    scores: [
      {score: taintTolerationScore, weight: 3},
      {score: nodeAffinityScore, weight: 2},
      {score: leastAllocated, weight: 1},
      {score: podTopologySpreadScore(defaults, naming.key('orch/hostname')), weight: 2},
      {score: interPodAffinityScore, weight: 2},
      {score: balancedAllocation, weight: 1},
      {score: imageLocality, weight: 1},
    ],
  };
}
