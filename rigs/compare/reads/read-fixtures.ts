import type {HttpsClient} from '../../../test/helpers/https-client.js';

/** Versions of collections that the fixtures have left. */
export interface Places {
  /** Before the history of the fixtures. */
  readonly before: string;
  /** After it. */
  readonly after: string;
}

/** Where the objects are that are read. */
export const readNamespace = 'reads';
export const readGroup = 'reads.example.com';

const collection = (group: string, resource: string) => `${group}/namespaces/${readNamespace}/${resource}`;
export const configMaps = collection('/api/v1', 'configmaps');
export const pods = collection('/api/v1', 'pods');
export const deployments = collection('/apis/apps/v1', 'deployments');
export const widgets = collection(`/apis/${readGroup}/v1`, 'widgets');

const labels = (of: Record<string, string>) => ({app: 'reads', ...of});

const podSpec = {containers: [{name: 'main', image: 'example.com/main:1'}]};

/** A definition with two versions, columns and fields to select by. */
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: `widgets.${readGroup}`},
  spec: {
    group: readGroup,
    scope: 'Namespaced',
    names: {plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList'},
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object', properties: {size: {type: 'integer'}}}}}},
        additionalPrinterColumns: [{name: 'Size', type: 'integer', jsonPath: '.spec.size'}],
      },
      {
        name: 'v1beta1',
        served: true,
        storage: false,
        schema: {openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object', properties: {size: {type: 'integer'}}}}}},
      },
    ],
  },
};

/** Makes the objects that are read, and a short history. @returns the versions that requests name */
export async function makeFixtures(client: HttpsClient, headers: Record<string, string>): Promise<Places> {
  const send = async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const answer = await client.request(method, path, {headers: {...headers, ...more}, ...(body === undefined ? {} : {body})});
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json<{metadata: {resourceVersion: string}}>();
  };
  await send('POST', '/api/v1/namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name: readNamespace, labels: labels({})}});
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  for (const [index, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    const metadata = {name, labels: labels({tier: index % 2 === 0 ? 'front' : 'back', [`only-${name}`]: ''})};
    await send('POST', configMaps, {apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {key: name}});
  }
  await send('POST', pods, {apiVersion: 'v1', kind: 'Pod', metadata: {name: 'one', labels: labels({})}, spec: podSpec});
  await send('POST', pods, {apiVersion: 'v1', kind: 'Pod', metadata: {name: 'two', labels: labels({})}, spec: {...podSpec, nodeName: 'n'}});
  await send('POST', deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {name: 'shop', labels: labels({})},
    spec: {replicas: 2, selector: {matchLabels: {app: 'x'}}, template: {metadata: {labels: {app: 'x'}}, spec: podSpec}},
  });
  await untilServed(client, headers);
  for (const size of [1, 2, 3])
    await send('POST', widgets, {
      apiVersion: `${readGroup}/v1`,
      kind: 'Widget',
      metadata: {name: `w${size}`, labels: labels({})},
      spec: {size},
    });
  const before = (await send('GET', configMaps)).metadata.resourceVersion;
  // The history that watches see.
  const merge = {'content-type': 'application/merge-patch+json'};
  await send('POST', configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name: 'x', labels: labels({tier: 'front'})},
    data: {key: 'x'},
  });
  await send('PATCH', `${configMaps}/x`, {data: {key: 'y'}}, merge);
  await send('PATCH', `${configMaps}/x`, {metadata: {labels: {tier: 'back'}}}, merge);
  await send('DELETE', `${configMaps}/x`);
  await send('PATCH', `${widgets}/w1`, {spec: {size: 5}}, merge);
  await send('DELETE', `${pods}/one?gracePeriodSeconds=0`);
  const after = (await send('GET', configMaps)).metadata.resourceVersion;
  return {before, after};
}

async function untilServed(client: HttpsClient, headers: Record<string, string>): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await new Promise((resolve) => setTimeout(resolve, 100)))
    if ((await client.get(widgets, headers)).status === 200) return;
  throw new Error('the definition was not established in time');
}
