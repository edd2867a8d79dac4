import test from 'ava';
import type {Service} from '../../../../sdk/types/unchecked/core/v1.js';
import {causesOf, servedGroup} from '../served-group.js';

const newest = servedGroup(test, {release: '1.36', platform: 'kubernetes'});
const older = servedGroup(test, {release: '1.31', platform: 'kubernetes'});
const services = '/api/v1/namespaces/default/services';
let count = 0;
const serviceOf = (spec: object) => ({metadata: {name: `service-${(count += 1)}`}, spec: {ports: [{port: 80}], ...spec}});

const distributions: [string, typeof newest, string, string[]][] = [
  ['1.36', newest, 'PreferSameNode', []],
  ['1.36', newest, 'x', ['Unsupported value: "x": supported values: "PreferClose", "PreferSameNode", "PreferSameZone"']],
  ['1.31', older, 'PreferClose', []],
  ['1.31', older, 'PreferSameZone', ['Unsupported value: "PreferSameZone": supported values: "PreferClose"']],
];
for (const [release, client, trafficDistribution, faults] of distributions) {
  test(`services of ${release} ${faults.length === 0 ? 'take' : 'refuse'} the distribution ${trafficDistribution}`, async (t) => {
    const response = await client().post(services, serviceOf({trafficDistribution}));
    if (faults.length === 0) t.is(response.status, 201, response.body.toString());
    else
      t.deepEqual(
        causesOf(response),
        faults.map((text) => `spec.trafficDistribution: ${text}`),
      );
  });
}

test('only load balancers have addresses of one', async (t) => {
  const {name} = (await newest().post(services, serviceOf({}))).json<Service>().metadata;
  t.deepEqual(causesOf(await newest().patch(`${services}/${name}/status`, {status: {loadBalancer: {ingress: [{ip: '10.9.8.7'}]}}})), [
    "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
  ]);
});

const warned: [object, string[]][] = [
  [{externalName: 'a.example'}, ['spec.externalName is ignored when spec.type is not "ExternalName"']],
  [
    {type: 'ExternalName', externalName: 'a.example', externalIPs: ['192.0.2.1']},
    ['spec.externalIPs is ignored when spec.type is "ExternalName"'],
  ],
  [
    {clusterIP: 'None', externalIPs: ['192.0.2.1'], sessionAffinity: 'ClientIP'},
    ['spec.externalIPs is ignored for headless services', 'spec.SessionAffinity is ignored for headless services'],
  ],
  [{trafficDistribution: 'PreferClose'}, ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']],
  [{externalName: 'a.example', sessionAffinity: 'x'}, []],
];
for (const [spec, warnings] of warned) {
  test(`a service ${JSON.stringify(spec)} ${warnings.length > 0 ? `is warned of: ${warnings.join('; ')}` : 'is refused without a warning'}`, async (t) => {
    const {headers} = await newest().post(services, serviceOf(spec));
    const found = [headers['warning'] ?? []]
      .flat()
      .join()
      .matchAll(/299 - "((?:[^"\\]|\\.)*)"/g);
    t.deepEqual(
      Array.from(found, ([, text = '']) => text.replaceAll('\\"', '"')),
      warnings,
    );
  });
}

test('an address of a load balancer says how traffic reaches it', async (t) => {
  const made = (await newest().post(services, serviceOf({type: 'LoadBalancer'}))).json<Service>();
  const put = async (ingress: object[]) =>
    newest().put(`${services}/${made.metadata.name}/status`, {
      ...made,
      metadata: {name: made.metadata.name},
      status: {loadBalancer: {ingress}},
    });
  t.deepEqual(
    causesOf(
      await put([
        {ip: '10.9.8.7', ipMode: 'x'},
        {hostname: 'a.example', ipMode: 'VIP'},
      ]),
    ),
    [
      'status.loadBalancer.ingress[0].ipMode: Unsupported value: "x": supported values: "Proxy", "VIP"',
      'status.loadBalancer.ingress[1].ipMode: Forbidden: may not be specified when `ip` is not set',
    ],
  );
  t.deepEqual((await put([{ip: '10.9.8.7'}])).json<Service>().status?.loadBalancer?.ingress, [{ip: '10.9.8.7', ipMode: 'VIP'}]);
});
