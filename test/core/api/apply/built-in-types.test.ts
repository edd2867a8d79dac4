import test from 'ava';
import type {JsonObject} from '../../../../sdk/index.js';
import {withoutSystemFields} from '../../../../core/api/apply/managers/system-fields.js';
import {compareObjects} from '../../../../core/api/apply/typed/compare.js';
import {MergeSchema} from '../../../../core/api/apply/typed/merge-schema.js';
import {ownedFields} from '../../../../core/api/apply/typed/owned-fields.js';
import {zeroObject} from '../../../../core/api/apply/typed/zero-object.js';
import {union} from '../../../../core/api/apply/fields/field-set.js';
import {sortedFields} from '../../../../core/api/apply/fields/normal-fields.js';
import {builtInCatalog} from '../schema/catalog-fixture.js';
import {texts} from './story.js';

const catalog = builtInCatalog();

/** The fields that the maker of an object owns, its defaults filled in. */
function madeFields(reference: string, object: JsonObject): object {
  const {node} = catalog.schema(reference);
  const made = structuredClone(object);
  catalog.schema(reference).applyDefaults(made);
  const {added, modified} = compareObjects(MergeSchema.of(node), zeroObject(node), made)!;
  return sortedFields(withoutSystemFields(union(added, modified)));
}

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {name: 'web', labels: {app: 'web'}},
  spec: {
    selector: {matchLabels: {app: 'web'}},
    template: {metadata: {labels: {app: 'web'}}, spec: {containers: [{name: 'web', image: 'web:1', ports: [{containerPort: 80}]}]}},
  },
};

test('the maker of a Deployment owns what Kubernetes records for it: no structure that every Deployment has', (t) => {
  const strategy = {rollingUpdate: {maxSurge: '25%', maxUnavailable: '25%'}};
  t.deepEqual(madeFields('apps/v1#/definitions/Deployment', {...deployment, spec: {...deployment.spec, strategy}}), {
    'f:metadata': {'f:labels': {'.': {}, 'f:app': {}}},
    'f:spec': {
      'f:progressDeadlineSeconds': {},
      'f:replicas': {},
      'f:revisionHistoryLimit': {},
      'f:selector': {},
      'f:strategy': {'f:rollingUpdate': {'.': {}, 'f:maxSurge': {}, 'f:maxUnavailable': {}}, 'f:type': {}},
      'f:template': {
        'f:metadata': {'f:labels': {'.': {}, 'f:app': {}}},
        'f:spec': {
          'f:containers': {
            'k:{"name":"web"}': {
              '.': {},
              'f:image': {},
              'f:name': {},
              'f:ports': {'.': {}, 'k:{"containerPort":80,"protocol":"TCP"}': {'.': {}, 'f:containerPort': {}, 'f:protocol': {}}},
              'f:resources': {},
              'f:terminationMessagePath': {},
              'f:terminationMessagePolicy': {},
            },
          },
          'f:dnsPolicy': {},
          'f:restartPolicy': {},
          'f:schedulerName': {},
          'f:securityContext': {},
          'f:terminationGracePeriodSeconds': {},
        },
      },
    },
  });
});

test('an applier of a Deployment owns what it mentions, items by their merge keys and selectors as a whole', (t) => {
  const schema = MergeSchema.of(catalog.schema('apps/v1#/definitions/Deployment').node);
  t.deepEqual(texts(withoutSystemFields(ownedFields(schema, deployment))), [
    '.metadata.labels.app',
    '.spec.selector',
    '.spec.template.metadata.labels.app',
    '.spec.template.spec.containers[name="web"]',
    '.spec.template.spec.containers[name="web"].image',
    '.spec.template.spec.containers[name="web"].name',
    '.spec.template.spec.containers[name="web"].ports[containerPort=80,protocol="TCP"]',
    '.spec.template.spec.containers[name="web"].ports[containerPort=80,protocol="TCP"].containerPort',
  ]);
});

test('keys of data, owners and finalizers are owned one by one', (t) => {
  const uid = '7b0e8f5e-0000-4000-8000-000000000000';
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'one',
      uid,
      generateName: 'o',
      finalizers: ['example.com/a'],
      ownerReferences: [{apiVersion: 'v1', kind: 'Pod', name: 'p', uid}],
    },
    data: {a: '1'},
  };
  t.deepEqual(madeFields('core/v1#/definitions/ConfigMap', object), {
    'f:data': {'.': {}, 'f:a': {}},
    'f:metadata': {
      'f:finalizers': {'.': {}, 'v:"example.com/a"': {}},
      'f:generateName': {},
      'f:ownerReferences': {'.': {}, [`k:{"uid":"${uid}"}`]: {}},
    },
  });
});
