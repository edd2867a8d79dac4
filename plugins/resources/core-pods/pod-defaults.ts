import {applyPodSpecDefaults} from '../../families/pods/pod-spec-defaults.js';
import type {Container} from '../../families/pods/types.js';
import type {Pod} from './pod.js';

/** Fills in what depends on other fields. Changes `pod`; fixed defaults are the schema's. */
export function applyPodDefaults(pod: Pod): void {
  const {spec, status} = pod;
  if (spec) {
    applyPodSpecDefaults(spec);
    for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) requestLimits(container);
    spec.enableServiceLinks ??= true;
  }
  if (status) alignAddresses(status);
}

/** A container that is limited and asks for nothing asks for its limit. */
function requestLimits({resources}: Container): void {
  if (!resources?.limits) return;
  const requests = new Map(Object.entries(resources.requests ?? {}));
  for (const [name, amount] of Object.entries(resources.limits)) if (!requests.has(name)) requests.set(name, amount);
  if (requests.size > 0) resources.requests = Object.fromEntries(requests);
}

/** `podIP` is the first of `podIPs`; writers that know only the older field are right about it. */
function alignAddresses(status: NonNullable<Pod['status']>): void {
  const {podIP, podIPs} = status;
  if (podIP && podIPs?.[0]?.ip !== podIP) status.podIPs = [{ip: podIP}];
  else if (!podIP && podIPs?.[0]?.ip) status.podIP = podIPs[0].ip;
}
