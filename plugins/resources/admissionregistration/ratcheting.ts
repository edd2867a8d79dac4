import {selectorOptions} from '../../../sdk/labels/index.js';
import type {MutatingWebhook} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {reviewVersions} from './review-version-faults.js';

/** Which current rules a stored configuration already violates: its updates may violate them too. */
export interface Ratcheting {
  readonly anySideEffects: boolean;
  readonly unknownReviewVersions: boolean;
  readonly repeatedNames: boolean;
  readonly invalidSelectorValues: boolean;
}

/** For new configurations. */
export const noRatcheting: Ratcheting = {
  anySideEffects: false,
  unknownReviewVersions: false,
  repeatedNames: false,
  invalidSelectorValues: false,
};

/** For updates of a configuration with these webhooks. */
export function ratchetingFor(stored: readonly MutatingWebhook[]): Ratcheting {
  return {
    anySideEffects: stored.some(({sideEffects}) => sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun'),
    unknownReviewVersions: stored.some(
      ({admissionReviewVersions}) => !admissionReviewVersions?.some((version) => reviewVersions.includes(version)),
    ),
    repeatedNames: new Set(stored.map(({name}) => name)).size < stored.length,
    invalidSelectorValues:
      selectorOptions(...stored.flatMap(({namespaceSelector, objectSelector}) => [namespaceSelector, objectSelector]))
        .allowInvalidValues === true,
  };
}
