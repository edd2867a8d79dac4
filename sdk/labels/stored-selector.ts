import {FieldPath} from '../errors/field-path.js';
import {validateLabelSelector, type LabelSelector, type LabelSelectorOptions} from './label-selector.js';

/**
 * How strictly an update checks the values in a selector: objects stored with invalid values can still be updated.
 *
 * @param old the stored selector or selectors; none for a new object
 */
export function selectorOptions(...old: readonly (LabelSelector | undefined | null)[]): LabelSelectorOptions {
  return {allowInvalidValues: old.some((selector) => validateLabelSelector(selector, FieldPath.root).length > 0)};
}
