import {formatIp, ipFamily, parseIp} from '../../../sdk/net/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';

/** A port of a container that has a name. */
export interface NamedPort {
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
}

/** What pods of one template have in common: their labels and named ports. */
export interface PodForm {
  /** Equal for equal forms. */
  readonly key: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly ports: readonly NamedPort[];
}

/** A pod, as far as the endpoints of services are concerned. */
export interface EndpointPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly form: PodForm;
  /** In their proper form, in the order in which the pod has them. */
  readonly addresses: readonly string[];
  readonly isReady: boolean;
  /** Whether it is being deleted. */
  readonly isTerminating: boolean;
  /** Whether all containers have ended for good. */
  readonly isFinished: boolean;
  /** Empty while it has no node. */
  readonly nodeName: string;
  readonly hostname: string;
  readonly subdomain: string;
  /** When its readiness changed, in milliseconds since 1970; 0 if it does not say. */
  readonly triggeredAt: number;
}

/** Summary of a pod. */
export function endpointPod({metadata, spec, status}: Pod): EndpointPod {
  const ready = status?.conditions?.find(({type}) => type === 'Ready');
  const {phase} = status ?? {};
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    form: formOf(metadata.labels ?? {}, namedPorts(spec)),
    // The copy has no room for further ones, as lists have that grow.
    addresses: (status?.podIPs ?? [])
      .flatMap(({ip}) => {
        const address = parseIp(ip ?? '');
        return address ? [formatIp(address)] : [];
      })
      .slice(),
    isReady: ready?.status === 'True',
    isTerminating: Boolean(metadata.deletionTimestamp),
    isFinished: phase === 'Succeeded' || phase === 'Failed',
    nodeName: spec?.nodeName ?? '',
    hostname: spec?.hostname ?? '',
    subdomain: spec?.subdomain ?? '',
    triggeredAt: Date.parse(ready?.lastTransitionTime ?? '') || 0,
  };
}

/** Whether the endpoints of services do not differ between two states of a pod. */
export function isSameEndpoint(one: EndpointPod, other: EndpointPod): boolean {
  return (
    one.uid === other.uid &&
    one.form.key === other.form.key &&
    one.isReady === other.isReady &&
    one.isTerminating === other.isTerminating &&
    one.isFinished === other.isFinished &&
    one.nodeName === other.nodeName &&
    one.hostname === other.hostname &&
    one.subdomain === other.subdomain &&
    one.addresses.join() === other.addresses.join()
  );
}

/** The addresses of a family that a pod has. */
export function addressesOf({addresses}: EndpointPod, family: string): string[] {
  return addresses.filter((address) => ipFamily(address) === family);
}

/** Whether a pod belongs to endpoints at all. @param withTerminating whether one that is being deleted does */
export function isEndpoint({isFinished, isTerminating, addresses}: EndpointPod, withTerminating: boolean): boolean {
  return !isFinished && addresses.length > 0 && (withTerminating || !isTerminating);
}

function formOf(labels: Readonly<Record<string, string | undefined>>, ports: readonly NamedPort[]): PodForm {
  const sorted = Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1));
  return {key: JSON.stringify([sorted, ports]), labels: Object.fromEntries(sorted) as Record<string, string>, ports};
}

/** Those of containers come first, then those of sidecars. */
function namedPorts(spec: Pod['spec']): NamedPort[] {
  const sidecars = (spec?.initContainers ?? []).filter(({restartPolicy}) => restartPolicy === 'Always');
  return [...(spec?.containers ?? []), ...sidecars].flatMap(({ports = []}) =>
    ports.flatMap(({name, protocol = 'TCP', containerPort = 0}) => (name ? [{name, protocol, port: containerPort}] : [])),
  );
}
