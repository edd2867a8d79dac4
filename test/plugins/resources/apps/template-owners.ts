/** Where pods come from by a template: path of the collection, an object with the template, and where a field of its pod is. */
export type TemplateOwner = readonly [path: string, object: object, field: string];

export const labels = {app: 'web'};
export const selector = {matchLabels: labels};

/**
 * One object of each type that makes pods from a template and checks it.
 *
 * @param pod spec of the template
 * @param field path in a pod
 */
export function templateOwners(pod: object, field: string): readonly TemplateOwner[] {
  const template = {metadata: {labels}, spec: pod};
  const job = {template: {spec: {...pod, restartPolicy: 'Never'}}};
  return [
    ['/api/v1/namespaces/default/podtemplates', {template}, `template.${field}`],
    ['/api/v1/namespaces/default/replicationcontrollers', {spec: {selector: labels, template}}, `spec.template.${field}`],
    ['/apis/apps/v1/namespaces/default/replicasets', {spec: {selector, template}}, `spec.template.${field}`],
    ['/apis/apps/v1/namespaces/default/deployments', {spec: {selector, template}}, `spec.template.${field}`],
    ['/apis/apps/v1/namespaces/default/daemonsets', {spec: {selector, template}}, `spec.template.${field}`],
    ['/apis/batch/v1/namespaces/default/jobs', {spec: job}, `spec.template.${field}`],
    [
      '/apis/batch/v1/namespaces/default/cronjobs',
      {spec: {schedule: '@daily', jobTemplate: {spec: job}}},
      `spec.jobTemplate.spec.template.${field}`,
    ],
  ];
}
