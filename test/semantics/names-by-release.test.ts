import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {causesOf} from '../plugins/resources/served-group.js';

const labels = {app: 'x'};
const template = {metadata: {labels}, spec: {containers: [{name: 'main', image: 'i'}]}};
const base = '/namespaces/default';
const sets = `/apis/apps/v1${base}/statefulsets`;
const services = `/api/v1${base}/services`;
const ingresses = `/apis/networking.k8s.io/v1${base}/ingresses`;
const named = (name: string, spec: object) => ({metadata: {name}, spec});
const setOf = (name: string) => named(name, {selector: {matchLabels: labels}, template});
const serviceOf = (name: string) => named(name, {ports: [{port: 80}]});
const ingressTo = (name: string, service: string) => named(name, {defaultBackend: {service: {name: service, port: {number: 80}}}});

test('names of stateful sets are labels from 1.27 on', async (t) => {
  for (const [release, code] of [
    ['1.26', 201],
    ['1.27', 422],
  ] as const) {
    await using server = await startTestServer({platform: 'kubernetes', release});
    t.is((await server.client.post(sets, setOf('a.b'))).status, code, release);
    t.is((await server.client.post(sets, setOf('a'))).status, 201, release);
  }
});

test('names of services may begin with a digit where the gate RelaxedServiceNameValidation is on, as in 1.36', async (t) => {
  for (const [featureGates, code] of [
    [{}, 201],
    [{RelaxedServiceNameValidation: false}, 422],
  ] as const) {
    await using server = await startTestServer({platform: 'kubernetes', release: '1.36', featureGates});
    t.is((await server.client.post(services, serviceOf('1st'))).status, code);
    t.is((await server.client.post(ingresses, ingressTo('in', '1st'))).status, code);
    const [fault] = causesOf(await server.client.post(services, serviceOf('-')));
    t.regex(fault!, code === 201 ? /: a lowercase RFC 1123 label / : /: a DNS-1035 label /);
  }
});

test('an ingress that names such a service may go on to do so', async (t) => {
  await using server = await startTestServer({platform: 'kubernetes', release: '1.36'});
  await server.client.post(ingresses, ingressTo('in', '1st'));
  t.is((await server.client.patch(`${ingresses}/in`, {spec: {defaultBackend: {service: {name: '2nd'}}}})).status, 200);
});
