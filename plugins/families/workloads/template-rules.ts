import {forbiddenField, invalid, notSupported, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {
  isEmptySelector,
  selectorMatches,
  validateLabelSelector,
  type LabelSelector,
  type LabelSelectorOptions,
} from '../../../sdk/labels/index.js';
import type {PodTemplateSpec} from '../pods/types.js';

/** The fault of a selector that does not find the pods of its own template. `path` is that of the template. */
export function selectorMismatch(template: PodTemplateSpec | undefined | null, path: FieldPath): FieldError {
  return invalid(path.child('metadata', 'labels'), template?.metadata?.labels ?? {}, '`selector` does not match template `labels`');
}

export interface WorkloadSelectorOptions extends LabelSelectorOptions {
  /** What is said of an empty selector, for example `empty selector is invalid for statefulset`. */
  readonly emptyDetail: string;
  /** What is said of the selector as a whole when a part of it is not valid. */
  readonly invalidDetail: string;
}

/** A selector that must be there, is not empty and finds the pods of the template. `path` is that of the specification that holds both. */
export function validateWorkloadSelector(
  selector: LabelSelector | undefined | null,
  template: PodTemplateSpec | undefined | null,
  path: FieldPath,
  {emptyDetail, invalidDetail, ...options}: WorkloadSelectorOptions,
): FieldError[] {
  const selectorPath = path.child('selector');
  const templatePath = path.child('template');
  if (!selector) return [required(selectorPath), selectorMismatch(template, templatePath)];
  if (isEmptySelector(selector)) return [invalid(selectorPath, selector, emptyDetail)];
  const faults = validateLabelSelector(selector, selectorPath, options);
  // A selector that is not valid matches nothing; that would only repeat the fault.
  if (faults.length > 0) return [...faults, invalid(selectorPath, selector, invalidDetail)];
  return selectorMatches(selector, template?.metadata?.labels) ? [] : [selectorMismatch(template, templatePath)];
}

/** Pods that are kept running restart for ever. `path` is that of the template, `kind` stands in messages. */
export function validateEndlessTemplate(template: PodTemplateSpec | undefined | null, path: FieldPath, kind: string): FieldError[] {
  const {restartPolicy = '', activeDeadlineSeconds} = template?.spec ?? {};
  const faults: FieldError[] = [];
  if (restartPolicy !== 'Always') faults.push(notSupported(path.child('spec', 'restartPolicy'), restartPolicy, ['Always']));
  if (activeDeadlineSeconds !== undefined && activeDeadlineSeconds !== null) {
    faults.push(forbiddenField(path.child('spec', 'activeDeadlineSeconds'), `activeDeadlineSeconds in ${kind} is not Supported`));
  }
  return faults;
}
