import {isNativeResource} from '../../../families/pods/resource-names.js';
import {quantityAmount, type NamingProfile} from '../../../../sdk/index.js';
import type {Container, PodSpec} from '../../../../sdk/types/unchecked/core/v1.js';
import {byBytes} from './by-bytes.js';
import {isSidecar} from '../../../families/pods/restart-policy.js';

/** What a container asks for of resources that drivers of devices may give. */
export interface ExtendedRequests {
  readonly container: string;
  /** Among all containers of the pod, those that start first. */
  readonly index: number;
  /** Whether it has ended before the containers after it begin. */
  readonly isShortLived: boolean;
  /** By resource: how many, and the place of the resource among all that the container asks for, by their names. */
  readonly amounts: ReadonlyMap<string, {readonly units: number; readonly place: number}>;
}

/** Resources that drivers of devices may give, in a platform. */
export interface ExtendedNames {
  /** Before the name of a class: the resource that each class gives, whether it names another or not. */
  readonly ofClass: string;
  isExtended(resource: string): boolean;
}

const none: readonly ExtendedRequests[] = [];
const nanoPerUnit = 1_000_000_000n;

export function extendedNames(naming: NamingProfile): ExtendedNames {
  const ofClass = `deviceclass.resource.${naming.keyPrefix}/`;
  return {ofClass, isExtended: (resource) => resource.startsWith(ofClass) || !isNativeResource(resource, naming)};
}

/** By container; empty for most pods. */
export function extendedRequests({initContainers, containers}: PodSpec, {isExtended}: ExtendedNames): readonly ExtendedRequests[] {
  const all = [
    ...(initContainers ?? []).map((container) => ({container, isShortLived: !isSidecar(container)})),
    ...(containers ?? []).map((container) => ({container, isShortLived: false})),
  ];
  const found = all.flatMap(({container, isShortLived}, index): ExtendedRequests[] => {
    const amounts = amountsOf(container, isExtended);
    return amounts.size === 0 ? [] : [{container: container.name ?? '', index, isShortLived, amounts}];
  });
  return found.length === 0 ? none : found;
}

function amountsOf({resources}: Container, isExtended: (resource: string) => boolean): ExtendedRequests['amounts'] {
  const requests = (resources?.requests ?? {}) as Readonly<Record<string, string>>;
  const amounts = new Map<string, {readonly units: number; readonly place: number}>();
  for (const [place, name] of Object.keys(requests).toSorted(byBytes).entries()) {
    const units = isExtended(name) ? Number(quantityAmount(requests[name]) / nanoPerUnit) : 0;
    if (units > 0) amounts.set(name, {units, place});
  }
  return amounts;
}
