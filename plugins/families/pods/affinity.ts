import {
  dnsLabelFaults,
  invalid,
  labelValueFaults,
  qualifiedNameFaults,
  required,
  type FieldError,
  type FieldPath,
} from '../../../sdk/index.js';
import {validateLabelSelector} from '../../../sdk/labels/index.js';
import {invalidFor} from '../../../sdk/validation/index.js';
import type {Affinity, PodAffinity, PodAffinityTerm, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {validateLabelKeys} from './label-keys.js';
import {validateNodeSelector, validateNodeSelectorTerm, validateStrictNodeSelector} from './node-selector.js';
import type {PodRules} from './pod-rules.js';

const must = 'requiredDuringSchedulingIgnoredDuringExecution';
const should = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Errors in a pod's affinity. */
export function validateAffinity({nodeAffinity, podAffinity, podAntiAffinity}: Affinity, path: FieldPath, rules: PodRules): FieldError[] {
  const faults: FieldError[] = [];
  if (nodeAffinity) {
    const at = path.child('nodeAffinity');
    const selector = nodeAffinity[must];
    if (selector) faults.push(...(isStrict(rules) ? validateStrictNodeSelector : validateNodeSelector)(selector, at.child(must)));
    for (const [index, {weight, preference}] of (nodeAffinity[should] ?? []).entries()) {
      const place = at.child(should).index(index);
      faults.push(...validateWeight(weight, place), ...validateNodeSelectorTerm(preference ?? {}, place.child('preference')));
    }
  }
  if (podAffinity) faults.push(...validatePodAffinity(podAffinity, path.child('podAffinity'), rules));
  if (podAntiAffinity) faults.push(...validatePodAffinity(podAntiAffinity, path.child('podAntiAffinity'), rules));
  return faults;
}

/** Whether values that nodes must have are to be such as labels can have: not where the pod that is changed has others already. */
function isStrict({gates, stored}: PodRules): boolean {
  const before = stored?.affinity?.nodeAffinity?.[must];
  const expressions = (before?.nodeSelectorTerms ?? []).flatMap(({matchExpressions}) => matchExpressions ?? []);
  const isKept = expressions.some(({values}) => values?.some((value: string) => labelValueFaults(value).length > 0));
  return gates.enabled('RequiredAffinityValues') && !isKept;
}

function validatePodAffinity(affinity: PodAffinity, path: FieldPath, rules: PodRules): FieldError[] {
  return [
    ...(affinity[must] ?? []).flatMap((term, index) => validateTerm(term, path.child(must).index(index), rules)),
    ...(affinity[should] ?? []).flatMap(({weight, podAffinityTerm}, index) => {
      const at = path.child(should).index(index);
      return [...validateWeight(weight, at), ...validateTerm(podAffinityTerm ?? {}, at.child('podAffinityTerm'), rules)];
    }),
  ];
}

function validateWeight(weight: number | undefined, path: FieldPath): FieldError[] {
  const value = weight ?? 0;
  return value >= 1 && value <= 100 ? [] : [invalid(path.child('weight'), value, 'must be in the range 1-100')];
}

/** Whether selectors of a pod's affinity, of what it is spread by or of its volumes have values that labels cannot have. */
export function hasInvalidSelectorValues({affinity, topologySpreadConstraints, volumes}: PodSpec): boolean {
  const {podAffinity, podAntiAffinity} = affinity ?? {};
  const terms = [podAffinity, podAntiAffinity].flatMap((some) => [
    ...(some?.[must] ?? []),
    ...(some?.[should] ?? []).map(({podAffinityTerm}) => podAffinityTerm),
  ]);
  const selectors = [
    ...terms.map((term) => term?.labelSelector),
    ...(topologySpreadConstraints ?? []).map(({labelSelector}) => labelSelector),
    ...(volumes ?? []).map(({ephemeral}) => ephemeral?.volumeClaimTemplate?.spec?.selector),
  ];
  return selectors.some((selector) =>
    selector?.matchExpressions?.some(({values}) => values?.some((value: string) => labelValueFaults(value).length > 0)),
  );
}

function validateTerm(term: PodAffinityTerm, path: FieldPath, rules: PodRules): FieldError[] {
  const {labelSelector, namespaceSelector, namespaces, topologyKey = ''} = term;
  const options = {allowInvalidValues: rules.allowInvalidSelectorValues === true};
  const faults = [
    ...validateLabelSelector(labelSelector, path.child('labelSelector'), options),
    ...validateLabelSelector(namespaceSelector, path.child('namespaceSelector')),
    ...(namespaces ?? []).flatMap((name) => invalidFor(path.child('namespace'), name, dnsLabelFaults(name))),
    ...validateLabelKeys(term, path),
  ];
  if (topologyKey === '') faults.push(required(path.child('topologyKey'), 'can not be empty'));
  return [...faults, ...invalidFor(path.child('topologyKey'), topologyKey, qualifiedNameFaults(topologyKey))];
}
