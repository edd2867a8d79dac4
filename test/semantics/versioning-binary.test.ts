import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {openEnvelope} from '../../core/api/protobuf/envelope.js';
import {decodeCarried} from '../helpers/decode-carried.js';
import {readSchemaFile, SchemaCatalog} from '../../core/api/object-schema/schema-catalog.js';
import {documentId} from '../../core/api/schema/schema-document.js';
import type {JsonObject} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';
import {projectRoot} from '../helpers/project-root.js';
import {answer} from './answers.js';

const resources = join(projectRoot(), 'plugins/resources');
const files = readdirSync(resources)
  .flatMap((folder) => readdirSync(join(resources, folder)).map((name) => join(resources, folder, name)))
  .filter((file) => file.endsWith('.schema.json'));

interface Definition {
  readonly properties?: Readonly<Record<string, {readonly 'x-orch-field'?: number}>>;
}

/** What is wrong with the numbers by which a schema file's messages are written in the binary form. */
function fieldFaults(file: string): string[] {
  const {definitions} = JSON.parse(readFileSync(file, 'utf8')) as {definitions: Record<string, Definition>};
  const faults: string[] = [];
  for (const [name, {properties = {}}] of Object.entries(definitions)) {
    const seen = new Set<number>();
    for (const [field, {'x-orch-field': number}] of Object.entries(properties)) {
      // Kind and version of an object stand in the envelope.
      if (number === undefined && !['kind', 'apiVersion'].includes(field)) faults.push(`${name}.${field} has no number`);
      else if (number === undefined) continue;
      else if (seen.has(number)) faults.push(`${name}.${field} has a number twice`);
      else seen.add(number);
    }
  }
  return faults;
}

test('[B-STAB-6] every field of every version has a place of its own in the binary form', (t) => {
  t.true(files.length > 25);
  for (const file of files) t.deepEqual(fieldFaults(file), [], file.slice(resources.length));
});

test('[B-STAB-6] what changed between two versions is read alike in JSON and in the binary form of each', async (t) => {
  const catalog = new SchemaCatalog();
  for (const file of [...files, join(projectRoot(), 'sdk/schemas/meta.v1.json')]) {
    const document = readSchemaFile(file);
    catalog.add(documentId(document.group, document.version), () => document);
  }
  await using server = await startTestServer();
  const {client} = server;
  const level = {
    metadata: {name: 'limited'},
    spec: {
      type: 'Limited',
      limited: {nominalConcurrencyShares: 7, lendablePercent: 10, borrowingLimitPercent: 20, limitResponse: {type: 'Reject'}},
    },
  };
  const metrics = [{type: 'Resource', resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: 60}}}];
  const scaler = {
    metadata: {name: 'web'},
    spec: {scaleTargetRef: {apiVersion: 'apps/v1', kind: 'Deployment', name: 'web'}, minReplicas: 1, maxReplicas: 5, metrics},
  };
  const levels = (version: string) => `/apis/flowcontrol.apiserver.orch/${version}/prioritylevelconfigurations`;
  const scalers = (version: string) => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
  answer(t, await client.post(levels('v1beta3'), level), 201);
  answer(t, await client.post(scalers('v2'), scaler), 201);
  const cases = [
    ['flowcontrol.apiserver.orch', 'v1beta3', 'PriorityLevelConfiguration', `${levels('v1beta3')}/limited`, 'nominalConcurrencyShares'],
    ['flowcontrol.apiserver.orch', 'v1beta2', 'PriorityLevelConfiguration', `${levels('v1beta2')}/limited`, 'assuredConcurrencyShares'],
    ['autoscaling', 'v2', 'HorizontalPodAutoscaler', `${scalers('v2')}/web`, 'averageUtilization'],
    ['autoscaling', 'v1', 'HorizontalPodAutoscaler', `${scalers('v1')}/web`, 'targetCPUUtilizationPercentage'],
  ] as const;
  for (const [group, version, kind, path, own] of cases) {
    const json = answer<JsonObject>(t, await client.get(path), 200);
    const binary = await client.get(path, {headers: {accept: 'application/vnd.orch.protobuf'}});
    t.is(binary.headers['content-type'], 'application/vnd.orch.protobuf');
    const {node} = catalog.schema(`${documentId(group, version)}#/definitions/${kind}`);
    const read = JSON.parse(JSON.stringify(decodeCarried(openEnvelope(binary.body), node))) as JsonObject;
    t.deepEqual(read['spec'], json['spec'], `${group}/${version}`);
    t.like(read, {apiVersion: `${group}/${version}`, kind});
    t.true(JSON.stringify(read['spec']).includes(`"${own}"`), own);
  }
});
