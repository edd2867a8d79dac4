import {setTimeout as pause} from 'node:timers/promises';
import {httpsService} from '../../test/helpers/https-service.js';
import type {Teardown} from '../../test/helpers/temp-folder.js';
import type {ClusterClient} from './cluster.js';
import type {Measured} from './measured.js';

/** An API server for metrics, which says what scenarios want it to. */
export interface MetricsServer {
  of(namespace: string): Measured;
  /** Has a server of the API lead to it. Resolves when it is available there. */
  register(client: ClusterClient): Promise<void>;
}

const groups = ['metrics.k8s.io', 'custom.metrics.k8s.io', 'external.metrics.k8s.io'];
const path = /^\/apis\/((?:custom\.|external\.)?metrics\.k8s\.io)\/v1beta1(?:\/namespaces\/([^/?]+)\/([^?]+))?(?:\?.*)?$/;
const longestWaitMillis = 60_000;

/** Starts one, until the end of the test. */
export async function startMetricsServer(t: Teardown): Promise<MetricsServer> {
  const namespaces = new Map<string, Measured>();
  const of = (namespace: string): Measured => {
    const known = namespaces.get(namespace);
    if (known) return known;
    const measured = {usage: new Map(), custom: new Map(), external: new Map()};
    namespaces.set(namespace, measured);
    return measured;
  };
  const {port} = await httpsService(t, ({url = ''}) => {
    const [, group, namespace, rest] = path.exec(url) ?? [];
    if (group === undefined) return undefined;
    if (namespace === undefined) return resourceList(group);
    const measured = of(namespace);
    const parts = rest!.split('/').map(decodeURIComponent);
    if (group === 'metrics.k8s.io') return usageList(namespace, measured);
    return group === 'custom.metrics.k8s.io' ? customList(namespace, measured, parts) : externalList(measured, parts[0]!);
  });
  return {of, register: (client) => register(client, port)};
}

async function register(client: ClusterClient, port: number): Promise<void> {
  const spec = {type: 'ExternalName', externalName: '127.0.0.1'};
  await client.post('/api/v1/namespaces/default/services', {metadata: {name: 'metrics'}, spec});
  for (const group of groups) {
    const service = {name: 'metrics', namespace: 'default', port};
    const places = {group, version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100};
    const body = {metadata: {name: `v1beta1.${group}`}, spec: {...places, service, insecureSkipTLSVerify: true}};
    await client.post('/apis/apiregistration.k8s.io/v1/apiservices', body);
  }
  for (const deadline = Date.now() + longestWaitMillis; ; await pause(100)) {
    const answers = await Promise.all(groups.map((group) => client.get(`/apis/${group}/v1beta1`)));
    if (answers.every(({status}) => status === 200)) return;
    if (Date.now() > deadline) throw new Error('the metrics do not become available');
  }
}

function resourceList(group: string): object {
  const resources =
    group === 'metrics.k8s.io'
      ? [{name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list']}]
      : [{name: 'pods/requests', singularName: '', namespaced: true, kind: 'MetricValueList', verbs: ['get']}];
  return {kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/v1beta1`, resources};
}

function usageList(namespace: string, {usage}: Measured): object {
  const items = [...usage].map(([name, containers]) => ({
    metadata: {name, namespace},
    timestamp: now(),
    window: '1s',
    containers: Object.entries(containers).map(([container, used]) => ({name: container, usage: used})),
  }));
  return {kind: 'PodMetricsList', apiVersion: 'metrics.k8s.io/v1beta1', metadata: {}, items};
}

/** Without a value there is no such metric. */
function customList(namespace: string, {custom}: Measured, [resource, name, metric]: string[]): object | undefined {
  const key = name === '*' ? new RegExp(`^${resource}/([^/]+)/${metric}$`) : undefined;
  const found = [...custom].flatMap(([each, value]) => {
    const subject = key ? key.exec(each)?.[1] : each === `${resource}/${name}/${metric}` ? name : undefined;
    return subject === undefined ? [] : [{subject, value}];
  });
  if (found.length === 0) return undefined;
  const items = found.map(({subject, value}) => ({
    describedObject: {kind: 'Pod', namespace, name: subject, apiVersion: '/v1'},
    metricName: metric,
    timestamp: now(),
    value,
  }));
  return {kind: 'MetricValueList', apiVersion: 'custom.metrics.k8s.io/v1beta1', metadata: {}, items};
}

function externalList({external}: Measured, metric: string): object {
  const items = (external.get(metric) ?? []).map((value) => ({metricName: metric, metricLabels: {}, timestamp: now(), value}));
  return {kind: 'ExternalMetricValueList', apiVersion: 'external.metrics.k8s.io/v1beta1', metadata: {}, items};
}

function now(): string {
  return new Date().toISOString().replace(/\.\d+/, '');
}
