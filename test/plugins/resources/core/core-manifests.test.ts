import test from 'ava';
import type {ApiObject} from '../../../../sdk/index.js';
import {BuiltInTables} from '../../../helpers/built-in-tables.js';
import {FullObjects} from '../../../helpers/full-objects.js';
import {manifestsIn} from '../../../helpers/manifests.js';
import {servedGroup} from '../served-group.js';

const plurals = new Map([
  ['ReplicationController', 'replicationcontrollers'],
  ['Service', 'services'],
  ['PersistentVolume', 'persistentvolumes'],
  ['PersistentVolumeClaim', 'persistentvolumeclaims'],
  ['Pod', 'pods'],
  ['PodTemplate', 'podtemplates'],
  ['Endpoints', 'endpoints'],
  ['Node', 'nodes'],
  ['LimitRange', 'limitranges'],
  ['ResourceQuota', 'resourcequotas'],
  ['ServiceAccount', 'serviceaccounts'],
  ['Binding', 'bindings'],
]);
const clusterScoped = new Set(['persistentvolumes', 'nodes']);
// Priority refuses classes that do not exist before the other faults of a pod are looked for.
const client = servedGroup(test, {platform: 'kubernetes', disableAdmissionPlugins: ['Priority', 'RuntimeClass', 'ServiceAccount']});

const collection = (plural: string) => (clusterScoped.has(plural) ? `/api/v1/${plural}` : `/api/v1/namespaces/default/${plural}`);

test('core objects of manifests are accepted as they are, and writing back what was read changes nothing', async (t) => {
  const found = manifestsIn('apps').flatMap(({file, object}) => {
    const plural = object.apiVersion === 'v1' ? plurals.get(object.kind ?? '') : undefined;
    return plural ? [{file, object, plural}] : [];
  });
  for (const plural of ['pods', 'services', 'replicationcontrollers', 'persistentvolumes', 'persistentvolumeclaims', 'serviceaccounts'])
    t.true(
      found.some((each) => each.plural === plural),
      plural,
    );
  for (const {file, object, plural} of found) {
    const made = await client().post(`${collection(plural)}?fieldValidation=Strict`, object);
    t.is(made.status, 201, `${file}: ${made.body.toString()}`);
    const again = await client().put(`${collection(plural)}/${object.metadata.name}`, made.json<ApiObject>());
    t.is(again.status, 200, `${file}: ${again.body.toString()}`);
    t.is(again.json<ApiObject>().metadata.resourceVersion, made.json<ApiObject>().metadata.resourceVersion, file);
  }
});

test('objects with every field set are refused with their faults, never with an error of the server', async (t) => {
  const tables = new BuiltInTables();
  const objects = new FullObjects(tables);
  const table = tables.all.find(({key}) => key === 'core.v1')!;
  for (const [kind, plural] of plurals) {
    const {metadata, ...object} = objects.object({table, name: kind}) as unknown as ApiObject;
    const answer = await client().post(`${collection(plural)}?dryRun=All`, {
      ...object,
      metadata: {name: 'full', labels: metadata.labels ?? {}},
    });
    t.true([201, 404, 422].includes(answer.status), `${kind}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
  }
});
