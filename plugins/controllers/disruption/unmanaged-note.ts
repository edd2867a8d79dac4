import type {PodDisruptionBudget} from '../../../sdk/types/unchecked/policy/v1.js';
import {shownSelector} from '../../families/workload-pods/shown-selector.js';

/** What an event says of a budget that selects pods that nobody controls. */
export function unmanagedNote({spec}: PodDisruptionBudget): string {
  return (
    `Pods selected by this PodDisruptionBudget (selector: ${shownSelector(spec?.selector ?? {})}) were found to be unmanaged. As a result, the status of the PDB cannot be ` +
    'calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.'
  );
}
