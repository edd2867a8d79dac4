import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {causesOf, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test, {release: '1.33'});
const addresses = '/apis/networking.orch/v1/ipaddresses';
const cidrs = '/apis/networking.orch/v1/servicecidrs';
const parentRef = {resource: 'services', namespace: 'default', name: 'web'};
const address = (name: string, ref: object | undefined = parentRef) => ({metadata: {name}, spec: {parentRef: ref}});
const blocks = (name: string, ...list: string[]) => ({metadata: {name}, spec: {cidrs: list}});

test('an address is named after itself in canonical form and belongs to an object', async (t) => {
  for (const name of ['10.0.0.1', '2001:db8::1']) t.is((await client().post(addresses, address(name))).status, 201);
  const faults: Record<string, string> = {
    web: 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    '10.0.0.01': 'must not have leading 0s',
    '::ffff:10.0.0.1': 'must not be an IPv4-mapped IPv6 address',
    '2001:DB8:0::1': 'must be in canonical form ("2001:db8::1")',
  };
  for (const [name, detail] of Object.entries(faults))
    t.deepEqual(causesOf(await client().post(addresses, address(name))), [`metadata.name: Invalid value: "${name}": ${detail}`]);
  t.deepEqual(causesOf(await client().post(addresses, {metadata: {name: '10.0.0.2'}})), ['spec.parentRef: Required value']);
  t.deepEqual(causesOf(await client().post(addresses, address('10.0.0.2', {}))), [
    'spec.parentRef.resource: Required value',
    'spec.parentRef.name: Required value',
  ]);
  const odd = {group: 'a', resource: 'b/c', name: '..', namespace: 'd%'};
  t.deepEqual(causesOf(await client().post(addresses, address('10.0.0.2', odd))), [
    `spec.parentRef.resource: Invalid value: "b/c": may not contain '/'`,
    `spec.parentRef.name: Invalid value: "..": may not be '..'`,
    `spec.parentRef.namespace: Invalid value: "d%": may not contain '%'`,
  ]);
});

test('what the name of an address is to be made of is the name', async (t) => {
  const generated = (generateName: string) => client().post(addresses, {metadata: {generateName}, spec: {parentRef}});
  const made = await generated('10.0.3.1');
  t.is(made.status, 201);
  t.is(made.json<{metadata: {name: string}}>().metadata.name, '10.0.3.1');
  t.is((await generated('10.0.3.1')).json<{reason: string}>().reason, 'AlreadyExists');
  const detail = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
  t.deepEqual(causesOf(await generated('x-')), [
    `metadata.generateName: Invalid value: "x-": ${detail}`,
    `metadata.name: Invalid value: "x-": ${detail}`,
  ]);
});

test('what an address belongs to is immutable', async (t) => {
  const made = (await client().post(addresses, address('10.0.1.1'))).json<{spec: object}>();
  const [fault, ...others] = causesOf(
    await client().put(`${addresses}/10.0.1.1`, {...made, spec: {parentRef: {...parentRef, name: 'other'}}}),
  );
  t.regex(fault!, /^spec\.parentRef: Invalid value: .*: field is immutable$/);
  t.deepEqual(others, []);
  t.is((await client().put(`${addresses}/10.0.1.1`, {...made, metadata: {name: '10.0.1.1', labels: {a: 'b'}}})).status, 200);
});

test('the table of addresses shows what they belong to', async (t) => {
  await client().post(addresses, address('10.0.2.1'));
  const [row] = await tableRows(client(), `${addresses}/10.0.2.1`);
  t.deepEqual(Object.keys(row!), ['Name', 'ParentRef']);
  t.like(row, {Name: '10.0.2.1', ParentRef: 'services/default/web'});
  await client().post(addresses, address('10.0.2.2', {group: 'shop.example', resource: 'Gadgets', name: 'g'}));
  t.is((await tableRows(client(), `${addresses}/10.0.2.2`))[0]!['ParentRef'], 'gadgets.shop.example/g');
});

test('blocks for services are one or two, canonical and of different families', async (t) => {
  t.is((await client().post(cidrs, blocks('both', '10.1.0.0/16', '2001:db8::/112'))).status, 201);
  t.deepEqual(causesOf(await client().post(cidrs, blocks('none'))), ['spec.cidrs: Required value: at least one CIDR required']);
  const [many, ...others] = causesOf(await client().post(cidrs, blocks('many', '10.1.0.0/16', '10.2.0.0/16', '10.3.0.0/16')));
  t.regex(many!, /^spec\.cidrs: Invalid value: .*: may only hold up to 2 values$/);
  t.deepEqual(others, []);
  const faults: Record<string, string> = {
    '10.1.0.0': 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    '10.01.0.0/16': 'must not have leading 0s in IP or prefix length',
    '10.1.0.0/016': 'must not have leading 0s in IP or prefix length',
    '::ffff:10.1.0.0/112': 'must not have an IPv4-mapped IPv6 address',
    '10.1.0.1/16': 'must not have bits set beyond the prefix length',
    '2001:DB8::/64': 'must be in canonical form ("2001:db8::/64")',
  };
  for (const [cidr, detail] of Object.entries(faults))
    t.deepEqual(causesOf(await client().post(cidrs, blocks('bad', cidr))), [`spec.cidrs[0]: Invalid value: "${cidr}": ${detail}`]);
  const [same] = causesOf(await client().post(cidrs, blocks('same', '10.1.0.0/16', '10.2.0.0/16')));
  t.regex(same!, /: may specify no more than one IP for each IP family, i\.e 192\.168\.0\.0\/24 and 2001:db8::\/64$/);
});

test('blocks for services are immutable, but a second one may be added', async (t) => {
  const made = (await client().post(cidrs, blocks('grows', '10.4.0.0/16'))).json<object>();
  const put = (...list: string[]) => client().put(`${cidrs}/grows`, {...made, metadata: {name: 'grows'}, spec: {cidrs: list}});
  t.deepEqual(causesOf(await put('10.5.0.0/16')), ['spec.cidrs[0]: Invalid value: "10.5.0.0/16": field is immutable']);
  t.regex(causesOf(await put('10.4.0.0/16', '10.5.0.0/16'))[0]!, /no more than one IP for each IP family/);
  t.regex(causesOf(await put())[0]!, /^spec\.cidrs: Invalid value: .*: field is immutable$/);
  t.is((await put('10.4.0.0/16', '2001:db8:4::/112')).status, 200);
  const [row] = await tableRows(client(), `${cidrs}/grows`);
  t.deepEqual(Object.keys(row!), ['Name', 'CIDRs', 'Age']);
  t.is(row!['CIDRs'], '10.4.0.0/16,2001:db8:4::/112');
});

test('before 1.33 no block can be added', async (t) => {
  await using server = await startTestServer({release: '1.32', runtimeConfig: {'api/all': true}});
  const path = '/apis/networking.orch/v1beta1/servicecidrs';
  t.is((await server.client.post(path, blocks('stays', '10.4.0.0/16'))).status, 201);
  const put = (...list: string[]) => server.client.put(`${path}/stays`, blocks('stays', ...list));
  const [fault, ...others] = causesOf(await put('10.4.0.0/16', '2001:db8:4::/112'));
  t.regex(fault!, /^spec\.cidrs: Invalid value: .*: field is immutable$/);
  t.deepEqual(others, []);
  t.is(causesOf(await put())[0], 'spec.cidrs: Required value: at least one CIDR required');
});

test('the status of blocks for services is written through its own endpoint only', async (t) => {
  const status = {conditions: [{type: 'Ready', status: 'True', reason: 'Done', message: '', lastTransitionTime: '2030-01-01T00:00:00Z'}]};
  const made = (await client().post(cidrs, {...blocks('state', '10.6.0.0/16'), status})).json<{status: object; spec: object}>();
  t.deepEqual(made.status, {});
  // No resourceVersion: the controller of blocks may have written the object meanwhile.
  const sent = {...made, metadata: {name: 'state'}, spec: {cidrs: ['10.7.0.0/16']}, status};
  const written = await client().put(`${cidrs}/state/status`, sent);
  t.like(written.json<object>(), {spec: {cidrs: ['10.6.0.0/16']}, status});
});

test('v1alpha1 of addresses and their blocks is deprecated in its last release', async (t) => {
  await using server = await startTestServer({platform: 'kubernetes', release: '1.30', runtimeConfig: {'api/all': true}});
  for (const resource of ['ipaddresses', 'servicecidrs']) {
    const {headers} = await server.client.get(`/apis/networking.k8s.io/v1alpha1/${resource}`);
    t.regex(String(headers['warning']), /networking\.k8s\.io\/v1alpha1 \w+ is deprecated in v1\.30\+, unavailable in v1\.33\+"/);
  }
});
