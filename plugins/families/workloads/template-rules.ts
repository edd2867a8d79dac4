import {forbiddenField, invalid, notSupported, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {
  isEmptySelector,
  selectorMatches,
  validateLabelSelector,
  type LabelSelector,
  type LabelSelectorOptions,
} from '../../../sdk/labels/index.js';
import type {PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';

/** The error of a selector that does not match its own template. `path` is that of the template. */
export function selectorMismatch(template: PodTemplateSpec | undefined | null, path: FieldPath): FieldError {
  return invalid(path.child('metadata', 'labels'), template?.metadata?.labels ?? {}, '`selector` does not match template `labels`');
}

export interface WorkloadSelectorOptions extends LabelSelectorOptions {
  /** The message for an empty selector, for example `empty selector is invalid for statefulset`. */
  readonly emptyDetail: string;
  /** The message about the whole selector if a part of it is invalid. */
  readonly invalidDetail: string;
}

/** Whether a selector can be evaluated. Without one, the template is checked all the same. `path` is that of the selector. */
export function isUsableSelector(selector: LabelSelector | undefined | null, path: FieldPath, options: LabelSelectorOptions): boolean {
  return !selector || validateLabelSelector(selector, path, options).length === 0;
}

/** A selector that must be present, not empty, and match the template's pods. `path` is that of the specification that contains both. */
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
  // An invalid selector matches nothing; reporting that would repeat the error.
  if (faults.length > 0) return [...faults, invalid(selectorPath, selector, invalidDetail)];
  return selectorMatches(selector, template?.metadata?.labels) ? [] : [selectorMismatch(template, templatePath)];
}

/** Pods that are kept running must always restart. `path` is that of the template, `kind` is used in messages. */
export function validateEndlessTemplate(template: PodTemplateSpec | undefined | null, path: FieldPath, kind: string): FieldError[] {
  const {restartPolicy = '', activeDeadlineSeconds} = template?.spec ?? {};
  const faults: FieldError[] = [];
  if (restartPolicy !== 'Always') faults.push(notSupported(path.child('spec', 'restartPolicy'), restartPolicy, ['Always']));
  if (activeDeadlineSeconds !== undefined && activeDeadlineSeconds !== null) {
    faults.push(forbiddenField(path.child('spec', 'activeDeadlineSeconds'), `activeDeadlineSeconds in ${kind} is not Supported`));
  }
  return faults;
}
