import type {ApiObject} from '../../../sdk/index.js';
import type {PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';
import type {CheckedPod} from './checks/check.js';

type Owner = {template?: PodTemplateSpec; spec?: {template?: PodTemplateSpec; jobTemplate?: {spec?: {template?: PodTemplateSpec}}}};

/** Types whose objects contain pod templates. */
export const templateResources = [
  'replicationcontrollers',
  'podtemplates',
  'replicasets.apps',
  'deployments.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
  'cronjobs.batch',
] as const;

/** The pod template of an object of one of these types, if it has one. */
export function podTemplateOf(object: ApiObject): CheckedPod | undefined {
  const {template, spec} = object as Owner;
  const found = template ?? spec?.template ?? spec?.jobTemplate?.spec?.template;
  return found && {annotations: found.metadata?.annotations ?? {}, spec: found.spec ?? {}};
}
