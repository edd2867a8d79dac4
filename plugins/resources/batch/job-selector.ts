import {FieldPath, invalid, required, type FieldError} from '../../../sdk/index.js';
import {selectorMatches, validateLabelSelector} from '../../../sdk/labels/index.js';
import type {Job} from './batch-types.js';

/** Label with the uid of the job that a pod belongs to. */
const uidLabel = 'controller-uid';
/** Label with the name of that job, for people. */
const nameLabel = 'job-name';

const selectorPath = FieldPath.of('spec', 'selector');
const labelsPath = FieldPath.of('spec', 'template', 'metadata', 'labels');

/**
 * Gives a job a selector of its own, by its uid, and its template the labels that go with it, unless it says that it selects its pods itself.
 * Labels that the client set stay: when they are wrong the job is refused. A name that is still to be generated comes with `labelWithName`.
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
  // The job took over the labels of its template before.
  if (metadata.labels?.[uidLabel] === metadata.uid && metadata.labels) metadata.labels = {...metadata.labels, [nameLabel]: metadata.name};
}

/**
 * Faults of a selector that should be the server's own: pods of no other job may match it.
 *
 * @param nameFollows the label with the name is still to come
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
