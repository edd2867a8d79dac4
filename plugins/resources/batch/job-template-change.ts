import {FieldPath, type FeatureGates, type FieldError} from '../../../sdk/index.js';
import {validateImmutable} from '../../../sdk/validation/index.js';
import type {Affinity, Container, PodSpec, PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';
import type {Job} from '../../../sdk/types/unchecked/batch/v1.js';

const templatePath = FieldPath.of('spec', 'template');

/**
 * Errors in a change of a job's template. It is immutable, except if the job was stored suspended and has never started: its scheduling
 * constraints, labels and annotations can then still change. Later releases ask that it has no pods, and let resources change too.
 */
export function validateTemplateChange({spec}: Job, old: Job, gates: FeatureGates): FieldError[] {
  const isSuspended = old.spec?.suspend === true;
  const hasNoPods = isSuspended && (!old.status?.startTime || isMarkedSuspended(old)) && !old.status?.active;
  const isOpen = gates.enabled('MutableSchedulingDirectivesForSuspendedJobs') ? hasNoPods : isSuspended && !old.status?.startTime;
  const template = spec?.template ?? {};
  const expected =
    isOpen && gates.enabled('JobMutableNodeSchedulingDirectives')
      ? withScheduling(old.spec?.template ?? {}, template, gates.enabled('PodSchedulingReadiness'))
      : old.spec?.template;
  if (!hasNoPods || !gates.enabled('MutablePodResourcesForSuspendedJobs')) return validateImmutable(spec?.template, expected, templatePath);
  return validateImmutable(template.spec, withResources(expected?.spec ?? {}, template.spec ?? {}), templatePath.child('spec'));
}

function isMarkedSuspended({status}: Job): boolean {
  return status?.conditions?.some((condition) => condition.type === 'Suspended' && condition.status === 'True') ?? false;
}

/** The old pod with the resources that are wanted for its containers. */
function withResources(old: PodSpec, wanted: PodSpec): PodSpec {
  const adopt = (before: Container[] | null | undefined, after: Container[] | null | undefined) =>
    before?.length === after?.length
      ? before?.map((container, index) => {
          const {resources} = after![index]!;
          return container.name === after![index]!.name ? {...container, resources: resources as NonNullable<typeof resources>} : container;
        })
      : before;
  return {
    ...old,
    containers: adopt(old.containers, wanted.containers) as Container[],
    initContainers: adopt(old.initContainers, wanted.initContainers) as Container[],
  };
}

/** The old template with the new values of the fields that may differ. */
function withScheduling(old: PodTemplateSpec, wanted: PodTemplateSpec, withGates: boolean): PodTemplateSpec {
  const {labels, annotations} = wanted.metadata ?? {};
  const {nodeSelector, tolerations, affinity, schedulingGates} = wanted.spec ?? {};
  return {
    ...old,
    metadata: {...old.metadata, labels: labels as Record<string, string>, annotations: annotations as Record<string, string>},
    spec: {
      ...old.spec,
      nodeSelector: nodeSelector as Record<string, string>,
      tolerations: tolerations as NonNullable<typeof tolerations>,
      affinity: expectedAffinity(old.spec?.affinity, affinity) as Affinity,
      ...(withGates ? {schedulingGates: schedulingGates as NonNullable<typeof schedulingGates>} : {}),
    },
  };
}

/** Only the node affinity may differ. */
function expectedAffinity(old: Affinity | undefined, wanted: Affinity | undefined): Affinity | undefined {
  const {nodeAffinity: _replaced, ...rest} = old ?? {};
  if (!wanted) return Object.keys(rest).length > 0 ? rest : undefined;
  return wanted.nodeAffinity ? {...rest, nodeAffinity: wanted.nodeAffinity} : rest;
}
