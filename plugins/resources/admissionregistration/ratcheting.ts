import {selectorOptions} from '../../../sdk/labels/index.js';
import type {Webhook} from './admission-types.js';
import {reviewVersions} from './review-version-faults.js';

/** Which of today's rules a stored configuration breaks already: updates of it need not keep them either. */
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
export function ratchetingFor(stored: readonly Webhook[]): Ratcheting {
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
