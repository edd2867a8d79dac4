import {releaseGates} from './release-feature-gates.js';

/** Defaults of the gates in release 1.26. */
export const releaseFeatureGates: Readonly<Record<string, boolean>> = Object.fromEntries(
  Object.entries(releaseGates).map(([name, gate]) => [name, gate.default]),
);

/** The defaults in the platform's documents: features that they call alpha are off. */
export const documentedFeatureGates: Readonly<Record<string, boolean>> = {
  ...releaseFeatureGates,
  CustomResourceValidationExpressions: false,
};
