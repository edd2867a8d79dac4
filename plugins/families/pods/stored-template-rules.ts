import {FieldPath} from '../../../sdk/index.js';
import type {PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';
import type {PodRules} from './pod-rules.js';
import {validatePodTemplateSpec} from './pod-template.js';

const tolerances = ['allowInvalidSelectorValues', 'allowIndivisibleHugePages', 'allowReadWriteOncePod'] as const;

/**
 * The rules for an update of a template. If the stored template violates rules that were added later, or uses a feature that is off now,
 * the new one may do the same.
 */
export function storedTemplateRules(old: PodTemplateSpec, rules: PodRules): PodRules {
  const count = (tried: PodRules) => validatePodTemplateSpec(old, FieldPath.root, tried).length;
  const own = old.spec ? {...rules, stored: old.spec} : rules;
  const strict = count(own);
  if (strict === 0) return own;
  const needed = tolerances.filter((tolerance) => count({...own, [tolerance]: true}) < strict);
  return {...own, ...Object.fromEntries(needed.map((tolerance) => [tolerance, true]))};
}
