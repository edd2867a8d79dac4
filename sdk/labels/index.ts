/** `@orch-api/orch/sdk/labels`: labels, annotations and label selectors: their rules, and which labels a selector matches. */
export {validateAnnotations, validateLabels} from './label-faults.js';
export {
  compileSelector,
  isEmptySelector,
  labelsMatch,
  selectorMatches,
  validateLabelRequirement,
  validateLabelSelector,
  type LabelSelector,
  type LabelSelectorOptions,
  type LabelSelectorRequirement,
} from './label-selector.js';
export {labelsText, selectorText} from './label-text.js';
export {selectorOptions} from './stored-selector.js';
