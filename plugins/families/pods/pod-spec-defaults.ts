import {parseImage} from './image-reference.js';
import {roundResourceList} from './resource-list.js';
import type {Container, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';

/**
 * Fills in defaults of a pod's spec, alone or in a template, that depend on other fields. Modifies `spec`. Defaults for pods only (requests
 * from limits, service links) are not included.
 */
export function applyPodSpecDefaults(spec: PodSpec): void {
  // Two names of one field; the older one only counts if the newer is missing.
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (account) {
    spec.serviceAccountName = account;
    spec.serviceAccount = account;
  }
  for (const volume of spec.volumes ?? []) {
    if (Object.entries(volume).every(([member, value]) => member === 'name' || !value)) volume.emptyDir = {};
    if (volume.image && !volume.image.pullPolicy) volume.image.pullPolicy = defaultPullPolicy(volume.image.reference ?? '');
    const claim = volume.ephemeral?.volumeClaimTemplate?.spec?.resources;
    roundResourceList(claim?.limits);
    roundResourceList(claim?.requests);
  }
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    applyContainerDefaults(container);
    if (spec.hostNetwork) useHostPorts(container);
  }
  for (const container of spec.ephemeralContainers ?? []) applyEphemeralDefaults(container);
  roundResourceList(spec.overhead);
}

function applyContainerDefaults(container: Container): void {
  if (!container.imagePullPolicy) container.imagePullPolicy = defaultPullPolicy(container.image ?? '');
  roundResourceList(container.resources?.limits);
  roundResourceList(container.resources?.requests);
}

/** The schema has no defaults for these members of ephemeral containers. */
function applyEphemeralDefaults(container: Container): void {
  applyContainerDefaults(container);
  if (!container.terminationMessagePath) container.terminationMessagePath = '/dev/termination-log';
  if (!container.terminationMessagePolicy) container.terminationMessagePolicy = 'File';
}

function useHostPorts(container: Container): void {
  for (const port of container.ports ?? []) {
    if (!port.hostPort && port.containerPort) port.hostPort = port.containerPort;
  }
}

/**
 * `latest` changes, so it is pulled each time; an image with neither tag nor digest is `latest`. Nothing is known about an invalid image
 * name.
 */
function defaultPullPolicy(image: string): string {
  const reference = parseImage(image);
  if (!reference) return 'IfNotPresent';
  const {tag, hasDigest} = reference;
  return tag === 'latest' || (tag === '' && !hasDigest) ? 'Always' : 'IfNotPresent';
}
