import {forbiddenField, invalid, qualifiedNameFaults, type FieldError, type FieldPath} from '../../../sdk/index.js';
import type {LabelSelector} from '../../../sdk/labels/index.js';
import {invalidFor} from '../../../sdk/validation/index.js';

/** A selector of pods, with keys whose values are those of the pod's own labels. */
interface KeyedSelector {
  readonly labelSelector?: LabelSelector | null;
  readonly matchLabelKeys?: readonly string[] | null;
  readonly mismatchLabelKeys?: readonly string[] | null;
}

/** Errors in label keys, after `mergeLabelKeys`. `path` is that of the selector's owner. */
export function validateLabelKeys({labelSelector, matchLabelKeys, mismatchLabelKeys}: KeyedSelector, path: FieldPath): FieldError[] {
  const matched = matchLabelKeys ?? [];
  const mismatched = mismatchLabelKeys ?? [];
  const repeated = matched.flatMap((key, index) =>
    mismatched.includes(key)
      ? [invalid(path.child('matchLabelKeys').index(index), key, 'exists in both matchLabelKeys and mismatchLabelKeys')]
      : [],
  );
  return [
    ...keyFaults(matched, labelSelector, path.child('matchLabelKeys')),
    ...keyFaults(mismatched, labelSelector, path.child('mismatchLabelKeys')),
    ...selectedTwice(matched, labelSelector, path),
    ...repeated,
  ];
}

function keyFaults(keys: readonly string[], selector: LabelSelector | null | undefined, path: FieldPath): FieldError[] {
  if (keys.length === 0) return [];
  if (!selector) return [forbiddenField(path, 'must not be specified when labelSelector is not set')];
  return keys.flatMap((key, index) => invalidFor(path.index(index), key, qualifiedNameFaults(key)));
}

/** Keys that the selector had before what it got from the pod's own labels. The path has no name of a member, as in Kubernetes. */
function selectedTwice(keys: readonly string[], selector: LabelSelector | null | undefined, path: FieldPath): FieldError[] {
  const seen = new Set(Object.keys(selector?.matchLabels ?? {}));
  return (selector?.matchExpressions ?? []).flatMap(({key = ''}) => {
    const index = keys.lastIndexOf(key);
    const isTwice = index >= 0 && seen.has(key);
    seen.add(key);
    return isTwice ? [invalid(path.index(index), key, 'exists in both matchLabelKeys and labelSelector')] : [];
  });
}

/** Adds what the pod's own labels say to the selector. Modifies `owner`. A missing selector matches nothing, and stays so. */
export function mergeLabelKeys(owner: KeyedSelector, labels: Readonly<Record<string, string>>): void {
  const {labelSelector: selector, matchLabelKeys, mismatchLabelKeys} = owner;
  if (!selector) return;
  const added = [...requirements(matchLabelKeys, 'In', labels), ...requirements(mismatchLabelKeys, 'NotIn', labels)];
  if (added.length > 0) selector.matchExpressions = [...(selector.matchExpressions ?? []), ...added];
}

function requirements(keys: readonly string[] | null | undefined, operator: string, labels: Readonly<Record<string, string>>) {
  return (keys ?? []).flatMap((key) => (Object.hasOwn(labels, key) ? [{key, operator, values: [labels[key]!]}] : []));
}
