import {releaseGates} from './release-feature-gates.js';

/** Defaults of the gates as release 1.26 has them. */
export const releaseFeatureGates: Readonly<Record<string, boolean>> = Object.fromEntries(
  Object.entries(releaseGates).map(([name, gate]) => [name, gate.default]),
);

/** As the platform's documents have it: what they call alpha is off. */
export const documentedFeatureGates: Readonly<Record<string, boolean>> = {
  ...releaseFeatureGates,
  CustomResourceValidationExpressions: false,
};
