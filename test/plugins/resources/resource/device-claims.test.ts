import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {causesOf, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test, {release: '1.36', runtimeConfig: {'api/all': true}});
const claims = '/apis/resource.orch/v1/namespaces/default/resourceclaims';
const templates = '/apis/resource.orch/v1/namespaces/default/resourceclaimtemplates';
const classes = '/apis/resource.orch/v1/deviceclasses';

const exactly = (more: object = {}) => ({deviceClassName: 'gpu', ...more});
const claim = (name: string, ...requests: object[]) => ({metadata: {name}, spec: {devices: {requests}}});
const one = (name: string) => claim(name, {name: 'a', exactly: exactly()});
const uid = '01234567-89ab-cdef-0123-456789abcdef';

interface Claim {
  readonly metadata: {readonly name: string};
  readonly spec: {readonly devices: {readonly requests: readonly Record<string, unknown>[]}};
  readonly status: Record<string, unknown>;
}

async function faultsOf(object: object): Promise<string[]> {
  return causesOf(await client().post(claims, object));
}

test('a request for devices asks for one unless it says otherwise', async (t) => {
  const made = (
    await client().post(claims, claim('amounts', {name: 'a', exactly: exactly()}, {name: 'b', firstAvailable: [{name: 'x', ...exactly()}]}))
  ).json<Claim>();
  const amount = {allocationMode: 'ExactCount', count: 1};
  t.like(made.spec.devices.requests[0], {exactly: amount});
  t.like(made.spec.devices.requests[1], {firstAvailable: [amount]});
});

test('requests of v1beta1 have their members themselves, and are the same requests', async (t) => {
  const flat = '/apis/resource.orch/v1beta1/namespaces/default/resourceclaims';
  const request = {name: 'a', deviceClassName: 'gpu', selectors: [{cel: {expression: 'true'}}], allocationMode: 'All'};
  const made = (await client().post(flat, claim('flat', request))).json<Claim>();
  t.like(made.spec.devices.requests[0], request);
  const {name, ...rest} = request;
  t.deepEqual((await client().get(`${claims}/flat`)).json<Claim>().spec.devices.requests, [{name, exactly: rest}]);
  const alternatives = claim('either', {name: 'a', firstAvailable: [{name: 'x', ...exactly()}]});
  const either = (await client().post(flat, alternatives)).json<Claim>().spec.devices.requests[0];
  t.deepEqual(Object.keys(either!), ['name', 'firstAvailable']);
  t.deepEqual((await client().get(`${claims}/either`)).json<Claim>().spec.devices.requests, [either]);
  // Errors name the members of v1.
  t.deepEqual(
    causesOf(await client().post(flat, claim('none', {name: 'a', deviceClassName: '-'}))).map((text) => text.split(': ')[0]),
    ['spec.devices.requests[0].exactly.deviceClassName'],
  );
});

test('each member of a claim is checked', async (t) => {
  t.deepEqual(await faultsOf(claim('none', {name: 'a'})), [
    'spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required',
  ]);
  t.deepEqual(await faultsOf(claim('both', {name: 'a', exactly: exactly(), firstAvailable: [{name: 'x', ...exactly()}]})), [
    'spec.devices.requests[0]: Invalid value: null: exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set',
  ]);
  t.deepEqual(await faultsOf(claim('twice', {name: 'a', exactly: exactly()}, {name: 'a', exactly: {}})), [
    'spec.devices.requests[1].exactly.deviceClassName: Required value',
    'spec.devices.requests[1]: Duplicate value: "a"',
  ]);
  t.deepEqual(
    await faultsOf(
      claim(
        'amounts',
        {name: 'a', exactly: exactly({allocationMode: 'All', count: 2})},
        {name: 'b', exactly: exactly({count: -1})},
        {name: 'c', exactly: exactly({allocationMode: 'Some'})},
      ),
    ),
    [
      "spec.devices.requests[0].exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'",
      'spec.devices.requests[1].exactly.count: Invalid value: -1: must be greater than zero',
      'spec.devices.requests[2].exactly.allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"',
    ],
  );
  const many = Array.from({length: 33}, (_item, index) => ({name: `r${index}`, exactly: exactly()}));
  t.deepEqual(await faultsOf(claim('many', ...many)), ['spec.devices.requests: Too many: 33: must have at most 32 items']);
  const devices = {
    requests: [{name: 'a', firstAvailable: [{name: 'x', ...exactly()}]}],
    constraints: [
      {requests: ['a/x', 'b', 'a/x'], matchAttribute: 'model'},
      {requests: ['a/x/y']},
      {matchAttribute: `gpu.example/${'m'.repeat(33)}`},
    ],
    config: [{requests: ['a/z']}, {opaque: {driver: 'gpu.example', parameters: []}}, {opaque: {parameters: {text: 'x'.repeat(10_240)}}}],
  };
  const unknown = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  const [domain, ...faults] = (await faultsOf({metadata: {name: 'refs'}, spec: {devices}})).reverse();
  t.regex(domain!, /^spec\.devices\.config\[2\]\.opaque\.parameters: Too long: may not be more than 10240 bytes$/);
  t.deepEqual(faults.reverse(), [
    `spec.devices.constraints[0].requests[1]: Invalid value: "b": ${unknown}`,
    'spec.devices.constraints[0].requests[2]: Duplicate value: "a/x"',
    'spec.devices.constraints[0].matchAttribute: Invalid value: "model": a fully qualified name must be a domain and a name separated by a slash',
    `spec.devices.constraints[1].requests[0]: Invalid value: "a/x/y": ${unknown}`,
    'spec.devices.constraints[1]: Required value: exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
    'spec.devices.constraints[2].matchAttribute: Too long: may not be more than 32 bytes',
    `spec.devices.config[0].requests[0]: Invalid value: "a/z": ${unknown}`,
    'spec.devices.config[0].opaque: Required value',
    'spec.devices.config[1].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object',
    'spec.devices.config[2].opaque.driver: Required value',
    ...faults.filter((text) => text.startsWith('spec.devices.config[2].opaque.driver: Invalid')),
  ]);
});

test('selectors are compiled for what they see of a device, and may not cost too much', async (t) => {
  const selecting = (name: string, ...expressions: string[]) =>
    claim(name, {name: 'a', exactly: exactly({selectors: expressions.map((expression) => ({cel: {expression}}))})});
  const good = [
    'device.driver == "gpu.example" && device.attributes["gpu.example"].model == "a100"',
    'device.capacity["gpu.example"].memory.compareTo(quantity("10Gi")) >= 0',
    'device.attributes["gpu.example"].version.isGreaterThan(semver("1.0.0"))',
    'device.allowMultipleAllocations && "memory" in device.capacity["gpu.example"]',
    'device.attributes["gpu.example"].healthy',
    'cel.bind(gpu, device.attributes["gpu.example"], gpu.small || gpu.large)',
  ];
  const made = await client().post(claims, selecting('good', ...good));
  t.is(made.status, 201, made.body.toString());
  const path = (index: number) => `spec.devices.requests[0].exactly.selectors[${index}].cel.expression`;
  const faults = await faultsOf(
    selecting('bad', 'device.driver +', 'device.name == "x"', '"text"', 'device.capacity["a"].b == "1Gi"', `"${'x'.repeat(10_241)}" == ""`),
  );
  t.deepEqual(
    faults.map((text) => text.slice(0, text.indexOf(': '))),
    [0, 1, 2, 3, 4].map(path),
  );
  t.regex(faults[0]!, /Invalid value: "device\.driver \+": compilation failed: /);
  t.true(faults[2]!.endsWith('Invalid value: "\\"text\\"": must evaluate to bool or the unknown type, not string'), faults[2]);
  t.true(faults[4]!.endsWith('Too long: may not be more than 10240 bytes'));
  const costly =
    'device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d, a + b + c + d != ""))))';
  t.deepEqual(await faultsOf(selecting('costly', costly)), [`${path(0)}: Forbidden: too complex, exceeds cost limit`]);
  t.deepEqual(causesOf(await client().post(classes, {metadata: {name: 'bad'}, spec: {selectors: [{}], extendedResourceName: 'cpu'}})), [
    'spec.selectors[0].cel: Required value',
    'spec.extendedResourceName: Invalid value: "cpu": must be a valid extended resource name',
  ]);
});

test('the spec of a claim of devices cannot change, nor that of a template', async (t) => {
  const made = (await client().post(claims, one('fixed'))).json<Claim>();
  const other = {...made, spec: claim('fixed', {name: 'b', exactly: exactly()}).spec};
  t.deepEqual(
    causesOf(await client().put(`${claims}/fixed`, other)).map((text) => text.replace(/\{.*\}/, '…')),
    ['spec: Invalid value: …: field is immutable'],
  );
  const metadata = {name: 'x', labels: {'a b': ''}};
  const [label, name, ...others] = causesOf(
    await client().post(templates, {metadata: {name: 'bad'}, spec: {metadata, spec: {devices: {requests: [{name: 'a'}]}}}}),
  );
  t.regex(label!, /^spec\.metadata\.labels: Invalid value: "a b"/);
  t.is(name, 'spec.metadata.name: Forbidden: cannot be set');
  t.deepEqual(others, ['spec.spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required']);
  const template = (await client().post(templates, {metadata: {name: 'fixed'}, spec: {spec: one('x').spec}})).json<object>();
  t.deepEqual(
    causesOf(await client().put(`${templates}/fixed`, {...template, spec: {spec: other.spec}})).map((text) => text.split(': ')[0]),
    ['spec'],
  );
});

test('access of administrators needs a label of the namespace', async (t) => {
  const admin = (name: string) => claim(name, {name: 'a', exactly: exactly({adminAccess: true})});
  t.deepEqual(await faultsOf(admin('admin')), [
    'spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the `resource.orch/admin-access: true` label on the containing namespace',
  ]);
  await client().post('/api/v1/namespaces', {metadata: {name: 'admins', labels: {'resource.orch/admin-access': 'true'}}});
  t.is((await client().post('/apis/resource.orch/v1/namespaces/admins/resourceclaims', admin('admin'))).status, 201);
});

const result = {request: 'a', driver: 'gpu.example', pool: 'node-1', device: 'gpu-0'};
const {request: _request, ...device} = result;

test('the status of a claim says which devices were allocated, and how they are', async (t) => {
  const made = (await client().post(claims, {...one('allocated'), status: {allocation: {}}})).json<Claim>();
  t.deepEqual(made.status, {});
  const put = (status: object) => client().put(`${claims}/allocated/status`, {...made, metadata: {name: 'allocated'}, status});
  // A pod that is not there would be taken out.
  const job = {apiGroup: 'example.com', resource: 'jobs', name: 'p', uid: 'u'};
  t.deepEqual(causesOf(await put({reservedFor: [job, {}], devices: [device]})), [
    'status.reservedFor[1].resource: Required value',
    'status.reservedFor[1].name: Required value',
    'status.reservedFor[1].uid: Required value',
    'status.devices[0]: Invalid value: {"Driver":"gpu.example","Pool":"node-1","Device":"gpu-0","ShareID":""}: must be an allocated device in the claim',
    'status.reservedFor: Forbidden: may not be specified when `allocated` is not set',
  ]);
  const bad = {request: 'b', driver: 'gpu.example', pool: '', device: 'GPU', shareID: uid.toUpperCase(), bindingConditions: ['ready']};
  const unknown = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  const faults = causesOf(await put({allocation: {devices: {results: [bad], config: [{source: 'Other'}]}, nodeSelector: {}}}));
  t.deepEqual(
    faults.filter((text) => !text.includes('RFC 1123')),
    [
      `status.allocation.devices.results[0].request: Invalid value: "b": ${unknown}`,
      'status.allocation.devices.results[0].pool: Required value',
      'status.allocation.devices.results[0].bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions',
      `status.allocation.devices.results[0].shareID: Invalid value: "${uid.toUpperCase()}": uid must be in RFC 4122 normalized form, \`xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx\` with lowercase hexadecimal characters`,
      'status.allocation.devices.config[0].source: Unsupported value: "Other": supported values: "FromClaim", "FromClass"',
      'status.allocation.devices.config[0].opaque: Required value',
      'status.allocation.nodeSelector.nodeSelectorTerms: Required value: must have at least one node selector term',
    ],
  );
  const allocation = {devices: {results: [result]}};
  const networkData = {interfaceName: 'i'.repeat(257), ips: ['10.0.0.1', '10.0.0.1/8', '010.0.0.1/8', '::ffff:10.0.0.1/104', '10.0.0.1/8']};
  const states = causesOf(await put({allocation, devices: [{...device, data: 'text', networkData}]}));
  t.deepEqual(states, [
    'status.devices[0].data: Invalid value: "<value omitted>": must be a valid JSON object',
    'status.devices[0].networkData.interfaceName: Too long: may not be more than 256 bytes',
    'status.devices[0].networkData.ips[0]: Invalid value: "10.0.0.1": must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)',
    'status.devices[0].networkData.ips[2]: Invalid value: "010.0.0.1/8": must be in canonical form ("10.0.0.1/8")',
    'status.devices[0].networkData.ips[3]: Invalid value: "::ffff:10.0.0.1/104": must be in canonical form ("10.0.0.1/8")',
    'status.devices[0].networkData.ips[4]: Duplicate value: "10.0.0.1/8"',
  ]);
  t.is((await put({allocation, reservedFor: [job], devices: [device]})).status, 200);
  t.like((await tableRows(client(), `${claims}/allocated`))[0], {Name: 'allocated', State: 'allocated,reserved'});
  t.deepEqual(
    causesOf(await put({allocation: {devices: {results: []}}})).map((text) => text.split(': ')[0]),
    ['status.allocation'],
  );
  t.deepEqual((await put({devices: [device]})).json<Claim>().status, {});
});

test('nobody else may use a claim that is being deleted', async (t) => {
  const made = (
    await client().post(claims, {...one('leaving'), metadata: {name: 'leaving', finalizers: ['example.com/wait']}})
  ).json<Claim>();
  const put = (status: object) => client().put(`${claims}/leaving/status`, {...made, metadata: {name: 'leaving'}, status});
  const job = (name: string) => ({apiGroup: 'example.com', resource: 'jobs', name, uid: name});
  const allocation = {devices: {results: [result]}};
  t.is((await put({allocation, reservedFor: [job('a')]})).status, 200);
  await client().delete(`${claims}/leaving`);
  t.like((await tableRows(client(), `${claims}/leaving`))[0], {State: 'deleted,allocated,reserved'});
  t.deepEqual(causesOf(await put({allocation, reservedFor: [job('b')]})), [
    'status.reservedFor: Forbidden: new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set',
  ]);
  t.is((await put({allocation, reservedFor: []})).status, 200);
});

test('members behind a feature gate are dropped while it is off', async (t) => {
  await using server = await startTestServer({release: '1.34'});
  const devices = {requests: [{name: 'a', exactly: exactly({capacity: {requests: {memory: '1Gi'}}})}]};
  const made = (await server.client.post(claims, {metadata: {name: 'old'}, spec: {devices}})).json<Claim>();
  t.deepEqual(made.spec.devices.requests, [{name: 'a', exactly: exactly({allocationMode: 'ExactCount', count: 1})}]);
  const tolerant = {requests: [{name: 'a', exactly: exactly({tolerations: [{key: 'broken'}]})}]};
  const kept = (await server.client.post(claims, {metadata: {name: 'tolerant'}, spec: {devices: tolerant}})).json<Claim>();
  t.like(kept.spec.devices.requests, [{exactly: {tolerations: [{key: 'broken', operator: 'Equal'}]}}], 'tolerations are not behind it');
});
