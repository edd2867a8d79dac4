import {applyPodSpecDefaults} from '../../families/pods/pod-spec-defaults.js';
import type {Container, Pod} from '../../../sdk/types/unchecked/core/v1.js';

/** Fills in defaults that depend on other fields. Modifies `pod`. Fixed defaults are in the schema. */
export function applyPodDefaults(pod: Pod): void {
  const {spec, status} = pod;
  if (spec) {
    applyPodSpecDefaults(spec);
    for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) requestLimits(container);
    spec.enableServiceLinks ??= true;
  }
  if (status) alignAddresses(status);
}

/** A container with a limit and no request requests its limit. */
function requestLimits({resources}: Container): void {
  if (!resources?.limits) return;
  const requests = new Map(Object.entries(resources.requests ?? {}));
  for (const [name, amount] of Object.entries(resources.limits)) if (!requests.has(name)) requests.set(name, amount);
  if (requests.size > 0) resources.requests = Object.fromEntries(requests);
}

/** `podIP` is the first of `podIPs`; a client that only knows the older field is followed. */
function alignAddresses(status: NonNullable<Pod['status']>): void {
  const {podIP, podIPs} = status;
  if (podIP && podIPs?.[0]?.ip !== podIP) status.podIPs = [{ip: podIP}];
  else if (!podIP && podIPs?.[0]?.ip) status.podIP = podIPs[0].ip;
}
