import type {GroupVersionInput, OpenApiResource} from '../../../../core/api/openapi/openapi-input.js';
import type {SchemaCatalog} from '../../../../core/api/object-schema/schema-catalog.js';
import type {ObjectSchema} from '../../../../core/api/object-schema/object-schema.js';
import {builtInCatalog} from '../schema/catalog-fixture.js';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

export const kubernetesNames: GroupVersionInput['naming'] = {
  group: (neutral) => neutral.replace(/(^|\.)orch$/, '$1k8s.io'),
  key: (neutral) => neutral,
  groupSuffix: 'k8s.io',
  protobufMediaType: 'application/vnd.kubernetes.protobuf',
};

export function resource(plural: string, kind: string, schema: ObjectSchema, more: Partial<OpenApiResource> = {}): OpenApiResource {
  return {plural, kind, listKind: `${kind}List`, namespaced: true, verbs, schema, subresources: [], ...more};
}

function inputOf(catalog: SchemaCatalog, group: string, version: string, resources: readonly OpenApiResource[]): GroupVersionInput {
  return {
    group,
    version,
    title: 'Orch',
    serverVersion: 'v1.26.0',
    resources,
    catalog,
    naming: kubernetesNames,
    patchMediaTypes: [
      'application/apply-patch+yaml',
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
    ],
    protobuf: true,
  };
}

/** The core group with a few kinds, leases, and a group of custom resources. */
export function sampleInputs(): {core: GroupVersionInput; coordination: GroupVersionInput; custom: GroupVersionInput} {
  const catalog = builtInCatalog(kubernetesNames);
  const core = (plural: string, kind: string, more?: Partial<OpenApiResource>): OpenApiResource =>
    resource(plural, kind, catalog.schema(`core/v1#/definitions/${kind}`), more);
  const cronTab = catalog.fromInline({
    type: 'object',
    description: 'A table of jobs.',
    properties: {
      spec: {
        type: 'object',
        description: 'What is wanted.',
        properties: {schedule: {type: 'string', description: 'When jobs run.'}, port: {'x-kubernetes-int-or-string': true}},
      },
    },
  });
  return {
    core: inputOf(catalog, '', 'v1', [
      core('configmaps', 'ConfigMap'),
      core('secrets', 'Secret'),
      core('events', 'Event'),
      core('pods', 'Pod'),
      core('namespaces', 'Namespace', {namespaced: false, subresources: [{name: 'status', verbs: ['get', 'update', 'patch']}]}),
    ]),
    coordination: inputOf(catalog, 'coordination.k8s.io', 'v1', [
      resource('leases', 'Lease', catalog.schema('coordination.orch/v1#/definitions/Lease')),
    ]),
    custom: inputOf(catalog, 'stable.example.com', 'v1', [resource('crontabs', 'CronTab', cronTab)]),
  };
}
