import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {loadAll} from 'js-yaml';
import type {ApiObject} from '../../../../sdk/index.js';
import {projectRoot} from '../../../helpers/project-root.js';
import {servedGroup} from '../served-group.js';

// Files that real projects publish, and objects with every field set; they are not part of this project.
const examples = join(projectRoot(), '../shared/manifests/apps/examples');
const golden = join(projectRoot(), '../shared/golden');

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

(existsSync(examples) ? test : test.skip)(
  'core objects of real projects are accepted as they are, and writing back what was read changes nothing',
  async (t) => {
    const found = readdirSync(examples).flatMap((file) =>
      (loadAll(readFileSync(join(examples, file), 'utf8')) as (ApiObject | null)[]).flatMap((object) => {
        const plural = object?.apiVersion === 'v1' ? plurals.get(object.kind ?? '') : undefined;
        return object && plural ? [{file, object, plural}] : [];
      }),
    );
    t.true(new Set(found.map(({plural}) => plural)).size >= 3, 'the folder holds objects of these kinds');
    const seen = new Set<string>();
    for (const {file, object, plural} of found) {
      const {namespace: _namespace, ...metadata} = object.metadata;
      // Several files make services of the same name.
      if (seen.has(`${plural}/${metadata.name}`)) continue;
      seen.add(`${plural}/${metadata.name}`);
      const made = await client().post(`${collection(plural)}?fieldValidation=Strict`, {...object, metadata});
      t.is(made.status, 201, `${file}: ${made.body.toString()}`);
      const again = await client().put(`${collection(plural)}/${metadata.name}`, made.json<ApiObject>());
      t.is(again.status, 200, `${file}: ${again.body.toString()}`);
      t.is(again.json<ApiObject>().metadata.resourceVersion, made.json<ApiObject>().metadata.resourceVersion, file);
    }
  },
);

(existsSync(golden) ? test : test.skip)(
  'objects with every field set are refused with their faults, never with an error of the server',
  async (t) => {
    for (const [kind, plural] of plurals) {
      const {metadata, ...object} = JSON.parse(readFileSync(join(golden, `core.v1.${kind}.json`), 'utf8')) as ApiObject;
      const answer = await client().post(`${collection(plural)}?dryRun=All`, {
        ...object,
        metadata: {name: 'golden', labels: metadata.labels ?? {}},
      });
      t.true([201, 404, 422].includes(answer.status), `${kind}: ${answer.status} ${answer.body.toString().slice(0, 300)}`);
    }
  },
);
