import {kubernetes} from '../../../../core/api/naming/kubernetes.js';
import {validatePodTemplateSpec} from '../../../../plugins/families/pods/pod-template.js';
import {fieldErrorText, FieldPath} from '../../../../sdk/index.js';
import type {Container, PodSpec, PodTemplateSpec, Volume} from '../../../../sdk/types/unchecked/core/v1.js';

/** Features that came later are off. */
export const noGates = {enabled: () => false};

/** A container without fault, but for the given members. */
export const container = (members: Partial<Container> = {}): Container => ({
  name: 'main',
  image: 'web:1',
  imagePullPolicy: 'IfNotPresent',
  terminationMessagePolicy: 'File',
  ...members,
});

/** A template without fault, but for the given members. */
export const template = (spec: Partial<PodSpec> = {}, metadata: PodTemplateSpec['metadata'] = {}): PodTemplateSpec => ({
  metadata,
  spec: {containers: [container()], restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', ...spec},
});

/** Its faults as texts, below `t`. */
export const faultsOf = (value: PodTemplateSpec) =>
  validatePodTemplateSpec(value, FieldPath.of('t'), {naming: kubernetes, gates: noGates}).map(fieldErrorText);
export const specFaults = (spec: Partial<PodSpec>) => faultsOf(template(spec));
export const containerFaults = (members: Partial<Container>, volumes: Volume[] = []) =>
  specFaults({containers: [container(members)], volumes});
