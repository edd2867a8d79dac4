import type {FeatureGates} from '../../../sdk/index.js';
import {applyPodSpecDefaults} from '../../families/pods/pod-spec-defaults.js';
import {applyPodResourceDefaults} from '../../families/pods/pod-resources.js';
import type {Container, Pod} from '../../../sdk/types/unchecked/core/v1.js';

/** Fills in defaults that depend on other fields. Modifies `pod`. Fixed defaults are in the schema. */
export function applyPodDefaults(pod: Pod, gates: FeatureGates): void {
  const {spec, status} = pod;
  if (spec) {
    applyPodSpecDefaults(spec);
    for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) requestLimits(container);
    if (gates.enabled('DefaultResizePolicy') && gates.enabled('InPlacePodVerticalScaling'))
      for (const container of spec.containers ?? []) applyResizePolicies(container);
    applyPodResourceDefaults(spec);
    spec.enableServiceLinks ??= true;
    if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  }
  if (status) alignAddresses(status);
}

/** A container with a limit and no request requests its limit. */
function requestLimits({resources}: Container): void {
  if (!resources?.limits) return;
  const {requests, limits} = resources;
  // The names of the requests come first. Each copy of tens of thousands takes milliseconds.
  const all = isEmpty(requests) ? {...limits} : {...requests, ...limits, ...requests};
  if (!isEmpty(all)) resources.requests = all;
}

/** A container whose cpu or memory can change goes on running meanwhile, unless it says otherwise. */
function applyResizePolicies(container: Container): void {
  const given = new Set((container.resizePolicy ?? []).map(({resourceName}) => resourceName));
  const lacking = ['cpu', 'memory'].filter((name) => !given.has(name) && container.resources?.requests?.[name] !== undefined);
  if (lacking.length === 0) return;
  const policies = lacking.map((resourceName) => ({resourceName, restartPolicy: 'NotRequired'}));
  container.resizePolicy = [...(container.resizePolicy ?? []), ...policies];
}

function isEmpty(members: object | undefined): boolean {
  for (const _name in members) return false;
  return true;
}

/** `podIP` is the first of `podIPs`; a client that only knows the older field is followed. */
function alignAddresses(status: NonNullable<Pod['status']>): void {
  const {podIP, podIPs} = status;
  if (podIP && podIPs?.[0]?.ip !== podIP) status.podIPs = [{ip: podIP}];
  else if (!podIP && podIPs?.[0]?.ip) status.podIP = podIPs[0].ip;
}
