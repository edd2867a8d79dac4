import type {Container, Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {greaterAmounts} from '../pods/resource-amounts.js';
import {isSidecar} from '../pods/restart-policy.js';
import type {Amounts} from './amounts.js';

/**
 * What a container counts for: what it asks for, or if that is more what its node has set aside for it and not yet given back after a resize.
 * What the node cannot give (the resize is infeasible) does not count.
 */
export function heldResources(container: Container, {status}: Pod, kind: 'requests' | 'limits'): Amounts {
  const asked = container.resources?.[kind] ?? {};
  const statuses = isSidecar(container) ? status?.initContainerStatuses : status?.containerStatuses;
  const reported = statuses?.find(({name}) => name === container.name);
  if (!reported?.resources) return asked;
  const allocated = kind === 'requests' ? (reported.allocatedResources ?? {}) : {};
  const held = greaterAmounts(reported.resources[kind] ?? {}, allocated);
  const pending = status?.conditions?.find(({type}) => type === 'PodResizePending');
  return pending?.reason === 'Infeasible' ? held : greaterAmounts(asked, held);
}
