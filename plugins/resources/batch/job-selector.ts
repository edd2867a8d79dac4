import {FieldPath, invalid, required, type FieldError} from '../../../sdk/index.js';
import {selectorMatches, validateLabelSelector} from '../../../sdk/labels/index.js';
import type {Job} from '../../../sdk/types/unchecked/batch/v1.js';

/** The label with the uid of a pod's job. */
const uidLabel = 'controller-uid';
/** The label with the name of that job, for users. */
const nameLabel = 'job-name';

const selectorPath = FieldPath.of('spec', 'selector');
const labelsPath = FieldPath.of('spec', 'template', 'metadata', 'labels');

/**
 * Generates a job's selector from its uid, and adds the matching labels to its template, unless the job selects its pods manually. Labels
 * set by the client stay: if they are wrong, the job is rejected. If the name has not been generated yet, `labelWithName` adds it later.
 */
export function generateSelector({metadata, spec}: Job): void {
  if (!spec || spec.manualSelector) return;
  const uid = metadata.uid ?? '';
  const template = (spec.template ??= {});
  template.metadata = {
    ...template.metadata,
    labels: {[uidLabel]: uid, ...(metadata.name ? {[nameLabel]: metadata.name} : {}), ...template.metadata?.labels},
  };
  spec.selector = {...spec.selector, matchLabels: {[uidLabel]: uid, ...spec.selector?.matchLabels}};
}

/** Completes the labels of a job whose name was generated after its selector. */
export function labelWithName({metadata, spec}: Job): void {
  const labels = spec?.template?.metadata?.labels;
  if (!labels || spec.manualSelector || !metadata.name || Object.hasOwn(labels, nameLabel)) return;
  labels[nameLabel] = metadata.name;
  // The job has already copied the labels of its template.
  if (metadata.labels?.[uidLabel] === metadata.uid && metadata.labels) metadata.labels = {...metadata.labels, [nameLabel]: metadata.name};
}

/**
 * Errors in a selector that the server should have generated: it must not match pods of other jobs.
 *
 * @param nameFollows whether the label with the name is added later
 */
export function validateGeneratedSelector({metadata, spec = {}}: Job, nameFollows: boolean): FieldError[] {
  const {uid = '', name = ''} = metadata;
  const {selector, template, manualSelector} = spec;
  if (manualSelector || !selector) return [];
  const labels = template?.metadata?.labels ?? {};
  const faults = uid === '' ? [required(FieldPath.of('metadata', 'uid'))] : [];
  const expected = {[uidLabel]: uid, [nameLabel]: name};
  for (const [label, value] of Object.entries(expected)) {
    const path = labelsPath.key(label);
    if (!Object.hasOwn(labels, label)) {
      if (label !== nameLabel || !nameFollows) faults.push(required(path, `must be '${value}'`));
    } else if (labels[label] !== value) faults.push(invalid(path, labels, `must be '${value}'`));
  }
  const valid = validateLabelSelector(selector, selectorPath).length === 0;
  if (valid && !selectorMatches(selector, expected)) faults.push(invalid(selectorPath, selector, '`selector` not auto-generated'));
  return faults;
}
