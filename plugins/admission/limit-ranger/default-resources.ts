import type {LimitRange, Pod} from '../../../sdk/types/core/v1.js';
import type {Container, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';

type Amounts = Readonly<Record<string, string>>;

/**
 * Fills in missing resource requirements of a pod's containers, and records that in an annotation.
 *
 * @param annotation its key
 */
export function fillInResources({spec}: LimitRange, pod: Pod, annotation: string): void {
  const items = (spec?.limits ?? []).filter(({type}) => type === 'Container');
  const requests: Amounts = Object.assign({}, ...items.map(({defaultRequest}) => defaultRequest));
  const limits: Amounts = Object.assign({}, ...items.map((item) => item.default));
  // The pod has not been validated yet.
  const {containers, initContainers} = (pod.spec ?? {}) as PodSpec;
  const notes = [
    ...(containers ?? []).flatMap((container) => fillIn(container, 'container', requests, limits)),
    ...(initContainers ?? []).flatMap((container) => fillIn(container, 'init container', requests, limits)),
  ];
  if (notes.length === 0) return;
  pod.metadata = {
    ...pod.metadata,
    annotations: {...pod.metadata?.annotations, [annotation]: `LimitRanger plugin set: ${notes.join('; ')}`},
  };
}

/** Returns a description of what has been filled in. */
function fillIn(container: Container, called: string, requests: Amounts, limits: Amounts): string[] {
  const missing = (given: Amounts | undefined, defaults: Amounts) =>
    Object.keys(defaults).filter((name) => !Object.hasOwn(given ?? {}, name));
  const {resources = {}} = container;
  const newRequests = missing(resources.requests, requests);
  const newLimits = missing(resources.limits, limits);
  if (newRequests.length > 0) resources.requests = {...resources.requests, ...picked(requests, newRequests)};
  if (newLimits.length > 0) resources.limits = {...resources.limits, ...picked(limits, newLimits)};
  if (newRequests.length > 0 || newLimits.length > 0) container.resources = resources;
  const note = (names: string[], what: string) =>
    names.length === 0 ? [] : [`${names.sort().join(', ')} ${what} for ${called} ${container.name}`];
  return [...note(newRequests, 'request'), ...note(newLimits, 'limit')];
}

function picked(amounts: Amounts, names: readonly string[]): Amounts {
  return Object.fromEntries(names.map((name) => [name, amounts[name]!]));
}
