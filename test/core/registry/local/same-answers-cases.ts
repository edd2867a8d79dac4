import type {
  ApplyCallOptions,
  CreateCallOptions,
  DeleteCallOptions,
  ListOptions,
  PatchCallOptions,
  ResourceRef,
  WriteCallOptions,
} from '../../../../sdk/index.js';

/** One operation, to be asked for from outside and from inside. */
export type Case = {readonly ref?: ResourceRef; readonly title: string} & (
  | {readonly verb: 'get'; readonly name: string; readonly resourceVersion?: string; readonly subresource?: string}
  | {readonly verb: 'list' | 'watch'; readonly options?: ListOptions}
  | {readonly verb: 'create'; readonly object: object; readonly options?: CreateCallOptions}
  | {
      readonly verb: 'update';
      readonly object: {readonly metadata: {readonly name: string}};
      readonly subresource?: string;
      readonly options?: WriteCallOptions;
    }
  | {
      readonly verb: 'patch';
      readonly name: string;
      readonly patch: object;
      readonly subresource?: string;
      readonly options?: PatchCallOptions;
    }
  | {
      readonly verb: 'apply';
      readonly object: {readonly metadata: {readonly name: string}};
      readonly subresource?: string;
      readonly options?: ApplyCallOptions;
    }
  | {readonly verb: 'delete'; readonly name: string; readonly options?: DeleteCallOptions}
  | {readonly verb: 'deleteCollection'; readonly options?: ListOptions & DeleteCallOptions}
);

export const configMaps: ResourceRef = {group: '', version: 'v1', resource: 'configmaps'};
export const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};
export const deployments: ResourceRef = {group: 'apps', version: 'v1', resource: 'deployments'};
export const leases: ResourceRef = {group: 'coordination.orch', version: 'v1', resource: 'leases'};
export const widgets: ResourceRef = {group: 'same.example.com', version: 'v1', resource: 'widgets'};
export const reviews: ResourceRef = {group: 'authorization.orch', version: 'v1', resource: 'selfsubjectaccessreviews'};
const unknown: ResourceRef = {group: '', version: 'v1', resource: 'nones'};

const configMap = (name: string, more: object = {}) => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, ...more});
const template = {metadata: {labels: {app: 'one'}}, spec: {containers: [{name: 'main', image: 'example.com/main:1'}]}};
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {name: 'one'},
  spec: {replicas: 2, selector: {matchLabels: {app: 'one'}}, template},
};
const widget = (name: string, more: object = {}) => ({apiVersion: 'same.example.com/v1', kind: 'Widget', metadata: {name}, ...more});
const scale = (name: string, replicas: number) => ({apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: {name}, spec: {replicas}});
const lease = (name: string, metadata: object = {}) => ({apiVersion: 'coordination.orch/v1', kind: 'Lease', metadata: {name, ...metadata}});

/** What both namespaces hold before a case. */
export const stored: readonly (readonly [ResourceRef, object])[] = [
  [configMaps, configMap('one', {metadata: {name: 'one', labels: {tier: 'front'}}, data: {a: '1'}})],
  [configMaps, configMap('two', {metadata: {name: 'two', labels: {tier: 'back'}}})],
  [configMaps, configMap('held', {metadata: {name: 'held', finalizers: ['example.com/hold']}})],
  [deployments, deployment],
  [widgets, widget('one', {spec: {size: 1}})],
];

/** What both have besides, where pods are asked for. */
export const storedPod: readonly [ResourceRef, object] = [
  pods,
  {apiVersion: 'v1', kind: 'Pod', metadata: {name: 'one'}, spec: {...template.spec, automountServiceAccountToken: false}},
];

export const cases: readonly Case[] = [
  {title: 'an object', verb: 'get', name: 'one'},
  {title: 'an object at any version', verb: 'get', name: 'one', resourceVersion: '0'},
  {title: 'no object', verb: 'get', name: 'none'},
  {title: 'an object at what is no version', verb: 'get', name: 'one', resourceVersion: 'x'},
  {title: 'an object of no type', verb: 'get', ref: unknown, name: 'one'},

  {title: 'the scale', verb: 'get', ref: deployments, subresource: 'scale', name: 'one'},
  {title: 'the status of a definition', verb: 'get', ref: widgets, subresource: 'status', name: 'one'},
  {title: 'the scale of what has none', verb: 'get', subresource: 'scale', name: 'one'},

  {title: 'all', verb: 'list'},
  {title: 'all of a definition', verb: 'list', ref: widgets},
  {title: 'those with a label', verb: 'list', options: {labelSelector: 'tier=front'}},
  {title: 'those with a field', verb: 'list', options: {fieldSelector: 'metadata.name=two'}},
  {title: 'those with a field that cannot be selected by', verb: 'list', options: {fieldSelector: 'data.a=1'}},
  {title: 'those of a wrong label selector', verb: 'list', options: {labelSelector: 'a in ('}},
  {title: 'those of a wrong field selector', verb: 'list', options: {fieldSelector: 'a'}},
  {title: 'the first', verb: 'list', options: {limit: 1}},
  {title: 'without a limit', verb: 'list', options: {limit: 0}},
  {title: 'with a negative limit', verb: 'list', options: {limit: -1}},
  {title: 'behind a token that is none', verb: 'list', options: {limit: 1, continue: 'none'}},
  {title: 'behind a token and at a version', verb: 'list', options: {limit: 1, continue: 'none', resourceVersion: '7'}},
  {title: 'at any version', verb: 'list', options: {resourceVersion: '0'}},
  {title: 'at what is no version', verb: 'list', options: {resourceVersion: '-1'}},

  {title: 'a new object', verb: 'create', object: configMap('new', {data: {b: '2'}})},
  {title: 'a new object without kind', verb: 'create', object: {metadata: {name: 'new'}}},
  {title: 'an object of a name that is taken', verb: 'create', object: configMap('one')},
  {title: 'an object without name', verb: 'create', object: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {}}},
  {title: 'an object with a bad name', verb: 'create', object: configMap('Not Good')},
  {title: 'an object of another kind', verb: 'create', object: {...configMap('new'), kind: 'Secret'}},
  {title: 'an object of another version', verb: 'create', object: {...configMap('new'), apiVersion: 'v2'}},
  {title: 'an object with an unknown field', verb: 'create', object: configMap('new', {datum: {}})},
  {title: 'an object with a value of a wrong type', verb: 'create', object: configMap('new', {data: {a: 1}})},
  {title: 'an object with a version', verb: 'create', object: configMap('new', {metadata: {name: 'new', resourceVersion: '7'}})},
  {title: 'an object of another namespace', verb: 'create', object: configMap('new', {metadata: {name: 'new', namespace: 'other'}})},
  {
    title: 'an object that is too large',
    verb: 'create',
    object: configMap('new', {data: {a: 'x'.repeat(1_100_000), b: 'x'.repeat(500_000)}}),
  },
  {title: 'an object of a definition', verb: 'create', ref: widgets, object: widget('new', {spec: {size: 7}, status: {a: 1}})},
  {title: 'an object of a definition of another kind', verb: 'create', ref: widgets, object: {...widget('new'), kind: 'Gadget'}},
  {title: 'an object of a definition that does not fit', verb: 'create', ref: widgets, object: widget('new', {spec: {size: 'x'}})},
  {
    title: 'a review, of which nothing is stored',
    verb: 'create',
    ref: reviews,
    object: {
      apiVersion: 'authorization.orch/v1',
      kind: 'SelfSubjectAccessReview',
      spec: {nonResourceAttributes: {path: '/version', verb: 'get'}},
    },
  },

  {title: 'a new object, to try it', verb: 'create', object: configMap('new'), options: {dryRun: true}},
  {title: 'a new object of another manager', verb: 'create', object: configMap('new', {data: {b: '2'}}), options: {fieldManager: 'other'}},
  {title: 'a new object of an unprintable manager', verb: 'create', object: configMap('new'), options: {fieldManager: 'a\n'}},
  {
    title: 'an eviction of no pod',
    verb: 'create',
    ref: pods,
    object: {apiVersion: 'policy/v1', kind: 'Eviction', metadata: {name: 'none'}},
    options: {on: {name: 'none', subresource: 'eviction'}},
  },
  {
    title: 'an eviction',
    verb: 'create',
    ref: pods,
    object: {apiVersion: 'policy/v1', kind: 'Eviction', metadata: {name: 'one'}},
    options: {on: {name: 'one', subresource: 'eviction'}},
  },
  {
    title: 'an eviction, to try it',
    verb: 'create',
    ref: pods,
    object: {apiVersion: 'policy/v1', kind: 'Eviction', metadata: {name: 'one'}},
    options: {dryRun: true, on: {name: 'one', subresource: 'eviction'}},
  },
  {title: 'on what has no operation', verb: 'create', object: configMap('one'), options: {on: {name: 'one', subresource: 'status'}}},

  {title: 'other data', verb: 'update', object: configMap('one', {data: {c: '3'}})},
  {title: 'the same', verb: 'update', object: configMap('two', {metadata: {name: 'two', labels: {tier: 'back'}}})},
  {title: 'no object', verb: 'update', object: configMap('none')},
  {title: 'no object, with a uid', verb: 'update', object: configMap('none', {metadata: {name: 'none', uid: 'other'}}) as never},
  {title: 'another uid', verb: 'update', object: configMap('one', {metadata: {name: 'one', uid: 'other'}}) as never},
  {title: 'an old version', verb: 'update', object: configMap('one', {metadata: {name: 'one', resourceVersion: '1'}}) as never},
  {title: 'an object that a PUT may create', verb: 'update', ref: leases, object: lease('new')},
  {title: 'an object that a PUT may not create with a uid', verb: 'update', ref: leases, object: lease('new', {uid: 'other'})},
  {title: 'an object of a definition without version', verb: 'update', ref: widgets, object: widget('one')},
  {title: 'the status', verb: 'update', ref: deployments, subresource: 'status', object: {...deployment, status: {replicas: 1}} as never},
  {title: 'the scale', verb: 'update', ref: deployments, subresource: 'scale', object: scale('one', 5)},
  {title: 'the scale of another', verb: 'update', ref: deployments, subresource: 'scale', object: scale('two', 5)},
  {title: 'a scale that cannot be', verb: 'update', ref: deployments, subresource: 'scale', object: scale('one', -5)},
  {title: 'the scale by an object of another kind', verb: 'update', ref: deployments, subresource: 'scale', object: deployment},
  {title: 'the scale of a definition', verb: 'update', ref: widgets, subresource: 'scale', object: scale('one', 3)},
  {title: 'a subresource that there is not', verb: 'update', ref: deployments, subresource: 'none', object: deployment},

  {title: 'other data, to try it', verb: 'update', object: configMap('one', {data: {c: '3'}}), options: {dryRun: true}},
  {title: 'other data by another manager', verb: 'update', object: configMap('one', {data: {c: '3'}}), options: {fieldManager: 'other'}},
  {title: 'other data by a manager with a long name', verb: 'update', object: configMap('one'), options: {fieldManager: 'x'.repeat(129)}},

  {title: 'data', verb: 'patch', name: 'one', patch: {data: {a: null, d: '4'}}},
  {title: 'nothing', verb: 'patch', name: 'one', patch: {}},
  {title: 'no object', verb: 'patch', name: 'none', patch: {}},
  {title: 'the name', verb: 'patch', name: 'one', patch: {metadata: {name: 'other'}}},
  {title: 'the name away', verb: 'patch', name: 'one', patch: {metadata: {name: null}}},
  {title: 'the uid', verb: 'patch', name: 'one', patch: {metadata: {uid: 'other'}}},
  {title: 'the kind', verb: 'patch', name: 'one', patch: {kind: 'Secret'}},
  {title: 'an unknown field', verb: 'patch', name: 'one', patch: {datum: 1}},
  {title: 'by what is no patch', verb: 'patch', name: 'one', patch: []},
  {title: 'the status', verb: 'patch', ref: widgets, subresource: 'status', name: 'one', patch: {spec: {size: 9}, status: {a: 2}}},
  {title: 'the scale', verb: 'patch', ref: deployments, subresource: 'scale', name: 'one', patch: {spec: {replicas: 6}}},

  {title: 'data, to try it', verb: 'patch', name: 'one', patch: {data: {a: '5'}}, options: {dryRun: true}},
  {
    title: 'by operations',
    verb: 'patch',
    name: 'one',
    patch: [
      {op: 'test', path: '/data/a', value: '1'},
      {op: 'add', path: '/data/b', value: '2'},
      {op: 'remove', path: '/metadata/labels'},
    ],
    options: {form: 'json'},
  },
  {
    title: 'by an operation that does not fit',
    verb: 'patch',
    name: 'one',
    patch: [{op: 'test', path: '/data/a', value: '2'}],
    options: {form: 'json'},
  },
  {title: 'by an operation without path', verb: 'patch', name: 'one', patch: [{op: 'remove'}], options: {form: 'json'}},
  {
    title: 'by an operation with an unknown member',
    verb: 'patch',
    name: 'one',
    patch: [{op: 'remove', path: '/data/a', by: 1}],
    options: {form: 'json'},
  },
  {title: 'by what are no operations', verb: 'patch', name: 'one', patch: {}, options: {form: 'json'}},
  {
    title: 'a definition by operations',
    verb: 'patch',
    ref: widgets,
    name: 'one',
    patch: [{op: 'replace', path: '/spec/size', value: 8}],
    options: {form: 'json'},
  },
  {
    title: 'the scale by operations',
    verb: 'patch',
    ref: deployments,
    subresource: 'scale',
    name: 'one',
    patch: [{op: 'replace', path: '/spec/replicas', value: 8}],
    options: {form: 'json'},
  },
  {
    title: 'by lists with keys',
    verb: 'patch',
    ref: deployments,
    name: 'one',
    patch: {
      spec: {
        template: {
          spec: {
            containers: [
              {name: 'main', image: 'example.com/main:2'},
              {name: 'side', image: 'example.com/side:1'},
            ],
          },
        },
      },
    },
    options: {form: 'strategic', fieldManager: 'other'},
  },
  {title: 'by directives', verb: 'patch', name: 'one', patch: {data: {$patch: 'replace', z: '1'}}, options: {form: 'strategic'}},
  {
    title: 'a definition by lists with keys',
    verb: 'patch',
    ref: widgets,
    name: 'one',
    patch: {spec: {size: 2}},
    options: {form: 'strategic'},
  },
  {title: 'by no form of patch', verb: 'patch', name: 'one', patch: {}, options: {form: 'yaml' as never}},

  {title: 'a new object', verb: 'apply', object: configMap('new', {data: {a: '1'}})},
  {
    title: 'a new object, to try it',
    verb: 'apply',
    object: configMap('new', {data: {a: '1'}}),
    options: {dryRun: true, fieldManager: 'other'},
  },
  {title: 'fields of its own', verb: 'apply', object: configMap('one', {data: {own: '1'}}), options: {fieldManager: 'other'}},
  {title: 'fields of others', verb: 'apply', object: configMap('one', {data: {a: '2'}}), options: {fieldManager: 'other'}},
  {
    title: 'fields of others by force',
    verb: 'apply',
    object: configMap('one', {data: {a: '2'}}),
    options: {fieldManager: 'other', force: true},
  },
  {title: 'without manager', verb: 'apply', object: configMap('one'), options: {fieldManager: ''}},
  {title: 'an unknown field', verb: 'apply', object: configMap('one', {datum: 1})},
  {title: 'an old version', verb: 'apply', object: configMap('one', {metadata: {name: 'one', resourceVersion: '1'}}) as never},
  {title: 'another kind', verb: 'apply', object: {...configMap('one'), kind: 'Secret'}},
  {
    title: 'a definition',
    verb: 'apply',
    ref: widgets,
    object: widget('one', {spec: {size: 5}}),
    options: {fieldManager: 'other', force: true},
  },
  {title: 'the status of a definition', verb: 'apply', ref: widgets, subresource: 'status', object: widget('one', {status: {a: 1}})},
  {
    title: 'the scale',
    verb: 'apply',
    ref: deployments,
    subresource: 'scale',
    object: scale('one', 4),
    options: {fieldManager: 'other', force: true},
  },

  {title: 'an object, to try it', verb: 'delete', name: 'one', options: {dryRun: true}},
  {title: 'an object', verb: 'delete', name: 'one'},
  {title: 'an object that is held', verb: 'delete', name: 'held'},
  {title: 'no object', verb: 'delete', name: 'none'},
  {title: 'another uid', verb: 'delete', name: 'one', options: {uid: 'other'}},
  {title: 'another version', verb: 'delete', name: 'one', options: {resourceVersion: '1'}},
  {title: 'an object and leave its dependents', verb: 'delete', name: 'two', options: {propagationPolicy: 'Orphan'}},

  {title: 'those with a label', verb: 'deleteCollection', options: {labelSelector: 'tier'}},
  {title: 'those with a label, to try it', verb: 'deleteCollection', options: {labelSelector: 'tier', dryRun: true}},
  {title: 'those of a wrong selector', verb: 'deleteCollection', options: {labelSelector: '=='}},
  {title: 'those with another uid', verb: 'deleteCollection', options: {labelSelector: 'tier', uid: 'other'}},

  {title: 'what there is', verb: 'watch'},
  {title: 'those with a label', verb: 'watch', options: {labelSelector: 'tier=back'}},
  {title: 'at what is no version', verb: 'watch', options: {resourceVersion: 'x'}},
  {title: 'those of a wrong selector', verb: 'watch', options: {fieldSelector: 'data.a=1'}},
];
