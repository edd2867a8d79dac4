import {FieldPath, invalid, required, type FieldError, type NamingProfile} from '../../../sdk/index.js';
import {selectorMatches, validateLabelSelector} from '../../../sdk/labels/index.js';
import type {Job} from '../../../sdk/types/unchecked/batch/v1.js';

/** The labels of a pod's job: its uid, and its name for users. The older ones have no domain. */
const olderLabels = {uid: 'controller-uid', name: 'job-name'};

/** The labels that pods of jobs have: the last ones are those of the selector. */
export type JobLabels = readonly (typeof olderLabels)[];

/** @param areQualified whether there are labels with the platform's domain beside the older ones */
export function jobLabels(naming: NamingProfile, areQualified: boolean): JobLabels {
  const qualified = {uid: naming.key('batch.orch/controller-uid'), name: naming.key('batch.orch/job-name')};
  return areQualified ? [olderLabels, qualified] : [olderLabels];
}

const selectorPath = FieldPath.of('spec', 'selector');
const labelsPath = FieldPath.of('spec', 'template', 'metadata', 'labels');

/**
 * Generates a job's selector from its uid, and adds the matching labels to its template, unless the job selects its pods manually. Labels
 * set by the client stay: if they are wrong, the job is rejected. A job that has its labels from its template gets them too. If the name has not been generated yet, `labelWithName` adds it later.
 */
export function generateSelector({metadata, spec}: Job, labels: JobLabels): void {
  if (!spec || spec.manualSelector) return;
  const uid = metadata.uid ?? '';
  const template = (spec.template ??= {});
  const isShared = metadata.labels !== undefined && metadata.labels === template.metadata?.labels;
  template.metadata = {
    ...template.metadata,
    labels: {...generated(labels, uid, metadata.name ?? ''), ...template.metadata?.labels},
  };
  if (isShared) metadata.labels = {...template.metadata.labels};
  spec.selector = {...spec.selector, matchLabels: {[labels.at(-1)!.uid]: uid, ...spec.selector?.matchLabels}};
}

/** Without a name, which may be generated later. */
function generated(labels: JobLabels, uid: string, name: string): Record<string, string> {
  return Object.fromEntries(labels.flatMap((label) => [[label.uid, uid], ...(name === '' ? [] : [[label.name, name]])]));
}

/** Completes the labels of a job whose name was generated after its selector. */
export function labelWithName({metadata, spec}: Job, labels: JobLabels): void {
  const template = spec?.template?.metadata?.labels;
  const name = metadata.name ?? '';
  if (!template || spec.manualSelector || name === '') return;
  for (const label of labels) {
    if (Object.hasOwn(template, label.name) || !Object.hasOwn(template, label.uid)) continue;
    template[label.name] = name;
    // The job has already copied the labels of its template.
    if (metadata.labels?.[label.uid] === metadata.uid && metadata.labels) metadata.labels = {...metadata.labels, [label.name]: name};
  }
}

/**
 * Errors in a selector that the server should have generated: it must not match pods of other jobs.
 *
 * @param nameFollows whether the label with the name is added later
 */
export function validateGeneratedSelector({metadata, spec = {}}: Job, nameFollows: boolean, names: JobLabels): FieldError[] {
  const {uid = '', name = ''} = metadata;
  const {selector, template, manualSelector} = spec;
  if (manualSelector || !selector) return [];
  const labels = template?.metadata?.labels ?? {};
  const faults = uid === '' ? [required(FieldPath.of('metadata', 'uid'))] : [];
  const expected = generated(names, uid, name);
  for (const [label, value] of Object.entries(expected)) {
    const path = labelsPath.key(label);
    if (!Object.hasOwn(labels, label)) {
      if (!nameFollows || !names.some((one) => one.name === label)) faults.push(required(path, `must be '${value}'`));
    } else if (labels[label] !== value) faults.push(invalid(path, labels, `must be '${value}'`));
  }
  const valid = validateLabelSelector(selector, selectorPath).length === 0;
  if (valid && !selectorMatches(selector, expected)) faults.push(invalid(selectorPath, selector, '`selector` not auto-generated'));
  return faults;
}
