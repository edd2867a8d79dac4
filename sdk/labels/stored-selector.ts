import {FieldPath} from '../errors/field-path.js';
import {validateLabelSelector, type LabelSelector, type LabelSelectorOptions} from './label-selector.js';

/**
 * How strict an update is with the values in a selector: objects that were stored with values that no label can have stay updatable.
 *
 * @param old the stored selector, or all of several; none for a new object
 */
export function selectorOptions(...old: readonly (LabelSelector | undefined | null)[]): LabelSelectorOptions {
  return {allowInvalidValues: old.some((selector) => validateLabelSelector(selector, FieldPath.root).length > 0)};
}
