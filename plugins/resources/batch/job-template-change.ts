import {FieldPath, type FieldError} from '../../../sdk/index.js';
import {validateImmutable} from '../../../sdk/validation/index.js';
import type {Affinity, PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';
import type {Job} from '../../../sdk/types/unchecked/batch/v1.js';

const templatePath = FieldPath.of('spec', 'template');

/**
 * Errors in a change of a job's template. It is immutable, except if the job was stored suspended and has never started: its scheduling
 * constraints, labels and annotations can then still change.
 */
export function validateTemplateChange({spec}: Job, old: Job, schedulingMayChange: boolean): FieldError[] {
  const open = schedulingMayChange && old.spec?.suspend === true && !old.status?.startTime;
  const expected = open ? withScheduling(old.spec?.template ?? {}, spec?.template ?? {}) : old.spec?.template;
  return validateImmutable(spec?.template, expected, templatePath);
}

/** The old template with the new values of the fields that may differ. */
function withScheduling(old: PodTemplateSpec, wanted: PodTemplateSpec): PodTemplateSpec {
  const {labels, annotations} = wanted.metadata ?? {};
  const {nodeSelector, tolerations, affinity} = wanted.spec ?? {};
  return {
    ...old,
    metadata: {...old.metadata, labels: labels as Record<string, string>, annotations: annotations as Record<string, string>},
    spec: {
      ...old.spec,
      nodeSelector: nodeSelector as Record<string, string>,
      tolerations: tolerations as NonNullable<typeof tolerations>,
      affinity: expectedAffinity(old.spec?.affinity, affinity) as Affinity,
    },
  };
}

/** Only the node affinity may differ. */
function expectedAffinity(old: Affinity | undefined, wanted: Affinity | undefined): Affinity | undefined {
  const {nodeAffinity: _replaced, ...rest} = old ?? {};
  if (!wanted) return Object.keys(rest).length > 0 ? rest : undefined;
  return wanted.nodeAffinity ? {...rest, nodeAffinity: wanted.nodeAffinity} : rest;
}
