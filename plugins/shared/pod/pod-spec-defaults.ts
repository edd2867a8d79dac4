import {roundResourceList} from './resource-list.js';
import type {Container, PodSpec} from './pod-types.js';

/**
 * Fills in the defaults of a pod's spec, alone or in a template, that depend on other fields. Changes `spec`. What only a pod gets
 * (requests from limits, service links) is not among them.
 */
export function applyPodSpecDefaults(spec: PodSpec): void {
  // Two names of one field; the older one only counts where the newer is missing.
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (account) {
    spec.serviceAccountName = account;
    spec.serviceAccount = account;
  }
  for (const volume of spec.volumes ?? []) {
    if (Object.keys(volume).every((member) => member === 'name' || !volume[member])) volume.emptyDir = {};
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

/** `latest` moves, so it is pulled each time; an image with neither tag nor digest is `latest`. */
function defaultPullPolicy(image: string): string {
  if (image.includes('@')) return tagOf(image.slice(0, image.indexOf('@'))) === 'latest' ? 'Always' : 'IfNotPresent';
  const tag = tagOf(image);
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent';
}

/** The tag of an image; a colon before the last slash belongs to the port of a registry. */
function tagOf(image: string): string | undefined {
  const colon = image.indexOf(':', image.lastIndexOf('/') + 1);
  return colon < 0 ? undefined : image.slice(colon + 1);
}
