/** `@orch-api/orch/sdk/validation`: rules for fields. Each returns its errors as `FieldError`s in Kubernetes' words; none if the value is valid. */
export {validateConditions, type Condition} from './condition-faults.js';
export {validateImmutable, validateNonNegative, validateNonNegativeMembers, validateOneOf} from './field-rules.js';
export {fileMode, noBacksteps, relativeFilePath, relativePath} from './file-paths.js';
export {isZeroIntOrPercent, validateAtMostHundredPercent, validateIntOrPercent, type IntOrPercent} from './int-or-percent.js';
export {isGiven} from './is-given.js';
export {validateAccountId, validatePortNumberOrName, validateRange} from './number-rules.js';
export {pathSegmentFaults} from './path-segment.js';
export {sameValue} from './same-value.js';
export {invalidFor, validateGivenText, validateOptionalOneOf, validateOptionalText, validateText, type TextRule} from './text-rules.js';
