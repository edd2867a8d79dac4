import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {causesOf, faultyFields, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test, {release: '1.26'});
const url = (plural: string) => `/apis/storage.orch/v1/${plural}`;
const topology = (...expressions: object[]) => ({matchLabelExpressions: expressions});

test('a storage class says who makes its volumes and how', async (t) => {
  const classes = url('storageclasses');
  const bad = {
    metadata: {name: 'bad'},
    parameters: {'': 'x'},
    reclaimPolicy: 'Recycle',
    volumeBindingMode: 'Never',
    allowedTopologies: [
      topology({key: 'zone', values: ['a', 'b']}),
      topology({key: 'zone', values: ['b', 'a']}),
      topology({key: 'rack', values: []}, {key: 'rack', values: ['x', 'x']}),
    ],
  };
  t.deepEqual(faultyFields(await client().post(classes, bad)), [
    'provisioner',
    'parameters',
    'reclaimPolicy',
    'volumeBindingMode',
    'allowedTopologies[1].matchLabelExpressions',
    'allowedTopologies[2].matchLabelExpressions[0].values',
    'allowedTopologies[2].matchLabelExpressions[1].values[1]',
    'allowedTopologies[2].matchLabelExpressions[1].key',
  ]);
  const parameters = Object.fromEntries(Array.from({length: 513}, (_item, index) => [`p${index}`, 'v']));
  t.deepEqual(causesOf(await client().post(classes, {metadata: {name: 'many'}, provisioner: 'a/b', parameters})), [
    'parameters: Too many: 513: must have at most 512 items',
  ]);
  t.deepEqual(causesOf(await client().post(classes, {metadata: {name: 'big'}, provisioner: 'a/b', parameters: {p: 'x'.repeat(262_144)}})), [
    'parameters: Too long: must have at most 262144 bytes',
  ]);
});

test('of a storage class only expansion, mount options and topologies may change', async (t) => {
  const made = (
    await client().post(url('storageclasses'), {metadata: {name: 'fixed'}, provisioner: 'Example.com/Disk', parameters: {type: 'ssd'}})
  ).json<object>();
  t.like(made, {reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate'});
  const changed = {...made, provisioner: 'other', parameters: {}, reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer'};
  t.deepEqual(causesOf(await client().put(`${url('storageclasses')}/fixed`, changed)), [
    'parameters: Forbidden: updates to parameters are forbidden.',
    'provisioner: Forbidden: updates to provisioner are forbidden.',
    'reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.',
    'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
  ]);
  const allowed = {allowVolumeExpansion: true, mountOptions: ['ro'], allowedTopologies: [topology({key: 'zone', values: ['a']})]};
  t.is((await client().put(`${url('storageclasses')}/fixed`, {...made, ...allowed})).status, 200);
});

test('the table marks the default class', async (t) => {
  for (const [name, annotations] of [
    ['marked', {'storageclass.orch/is-default-class': 'true'}],
    ['plain', {}],
  ] as const) {
    await client().post(url('storageclasses'), {metadata: {name, annotations}, provisioner: 'a/b'});
    const [row] = await tableRows(client(), `${url('storageclasses')}/${name}`);
    t.like(row, {
      Name: name === 'marked' ? 'marked (default)' : 'plain',
      Provisioner: 'a/b',
      ReclaimPolicy: 'Delete',
      AllowVolumeExpansion: false,
    });
  }
  await using server = await startTestServer({platform: 'kubernetes'});
  const annotations = {'storageclass.kubernetes.io/is-default-class': 'true'};
  const classes = '/apis/storage.k8s.io/v1/storageclasses';
  await server.client.post(classes, {metadata: {name: 'marked', annotations}, provisioner: 'a/b'});
  const table = await server.client.get(classes, {headers: {accept: 'application/json;as=Table;v=v1;g=meta.k8s.io'}});
  t.is(table.json<{rows: {cells: string[]}[]}>().rows[0]!.cells[0], 'marked (default)');
});

test('an attachment is of one volume, to one node, by one driver', async (t) => {
  const attachments = url('volumeattachments');
  const make = (spec: object) => client().post(attachments, {metadata: {name: 'one'}, spec});
  const inline = {accessModes: ['ReadWriteOnce'], csi: {driver: 'disk.example', volumeHandle: 'v'}};
  const oneSource = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  t.deepEqual(causesOf(await make({attacher: 'disk.example', nodeName: 'n', source: {}})), [`spec.source: Required value: ${oneSource}`]);
  t.deepEqual(
    causesOf(await make({attacher: 'disk.example', nodeName: 'n', source: {persistentVolumeName: 'v', inlineVolumeSpec: inline}})),
    [`spec.source: Forbidden: ${oneSource}`],
  );
  t.deepEqual(faultyFields(await make({attacher: '', nodeName: '', source: {persistentVolumeName: ''}})), [
    'spec.attacher',
    'spec.source.persistentVolumeName',
    'spec.nodeName',
    'spec.attacher',
    'spec.attacher',
    'spec.source.persistentVolumeName',
  ]);
  const odd = {
    capacity: {storage: '1Gi'},
    storageClassName: 'x',
    persistentVolumeReclaimPolicy: 'Delete',
    volumeMode: 'Block',
    nfs: {server: 's', path: '/'},
  };
  t.deepEqual(
    faultyFields(await make({attacher: 'disk.example', nodeName: 'n', source: {inlineVolumeSpec: odd}})).map((field) =>
      field.replace('spec.source.inlineVolumeSpec.', ''),
    ),
    ['capacity', 'accessModes', 'storageClassName', 'persistentVolumeReclaimPolicy', 'volumeMode', 'csi', 'nfs'],
  );
  t.is((await make({attacher: 'disk.example', nodeName: 'n', source: {inlineVolumeSpec: inline}})).status, 201);
});

test('an attachment cannot be changed, and its status only through the subresource', async (t) => {
  const attachments = url('volumeattachments');
  const spec = {attacher: 'disk.example', nodeName: 'n', source: {persistentVolumeName: 'v'}};
  const made = (await client().post(attachments, {metadata: {name: 'kept'}, spec, status: {attached: true}})).json<{
    metadata: object;
    status: object;
  }>();
  t.deepEqual(made.status, {attached: false});
  t.deepEqual(faultyFields(await client().put(`${attachments}/kept`, {...made, spec: {...spec, nodeName: 'm'}})), ['spec']);
  const long = 'x'.repeat(1025);
  const status = {attached: true, attachmentMetadata: {'': 'x'}, attachError: {message: long}, detachError: {message: long}};
  t.deepEqual(faultyFields(await client().put(`${attachments}/kept/status`, {...made, status})), [
    'status.attachmentMetadata',
    'status.attachError.message',
    'status.detachError.message',
  ]);
  t.is(
    (await client().put(`${attachments}/kept/status`, {...made, spec: {}, status: {attached: true, attachmentMetadata: {path: '/dev/x'}}}))
      .status,
    200,
  );
  t.like((await tableRows(client(), `${attachments}/kept`))[0], {
    Name: 'kept',
    Attacher: 'disk.example',
    PV: 'v',
    Node: 'n',
    Attached: true,
  });
});

test('a driver has a name of its own kind, known modes and sensible tokens', async (t) => {
  const drivers = url('csidrivers');
  t.deepEqual(causesOf(await client().post(drivers, {metadata: {name: 'x'.repeat(64)}, spec: {}})), [
    'metadata.name: Too long: must have at most 63 bytes',
  ]);
  const spec = {
    fsGroupPolicy: 'Sometimes',
    volumeLifecycleModes: ['Persistent', 'Eternal'],
    tokenRequests: [{audience: 'a', expirationSeconds: 599}, {audience: 'b', expirationSeconds: 4_294_967_297}, {audience: 'a'}],
  };
  t.deepEqual(faultyFields(await client().post(drivers, {metadata: {name: 'Disk.Example'}, spec})), [
    'spec.fsGroupPolicy',
    'spec.tokenRequests[0].expirationSeconds',
    'spec.tokenRequests[1].expirationSeconds',
    'spec.tokenRequests[2].audience',
    'spec.volumeLifecycleModes',
  ]);
  t.is((await client().post(drivers, {metadata: {name: 'Disk.Example'}, spec: {}})).status, 201);
  t.like((await tableRows(client(), `${drivers}/Disk.Example`))[0], {
    AttachRequired: true,
    PodInfoOnMount: false,
    TokenRequests: '<unset>',
    Modes: 'Persistent',
  });
});

test('a driver keeps what it can do; the generation counts the rest', async (t) => {
  const drivers = url('csidrivers');
  const made = (await client().post(drivers, {metadata: {name: 'disk'}, spec: {seLinuxMount: true}})).json<{
    metadata: object;
    spec: object;
  }>();
  t.false('generation' in made.metadata);
  t.false('seLinuxMount' in made.spec);
  const fixed = {attachRequired: false, podInfoOnMount: true, fsGroupPolicy: 'File', volumeLifecycleModes: ['Ephemeral']};
  t.deepEqual(faultyFields(await client().put(`${drivers}/disk`, {...made, spec: {...made.spec, ...fixed}})), [
    'spec.attachRequired',
    'spec.fsGroupPolicy',
    'spec.podInfoOnMount',
    'spec.volumeLifecycleModes',
  ]);
  const generation = async (change: object) =>
    (await client().patch(`${drivers}/disk`, change)).json<{metadata: {generation?: number}}>().metadata.generation;
  t.is(await generation({metadata: {labels: {a: 'b'}}}), undefined);
  t.is(await generation({spec: {requiresRepublish: true}}), 1);
  t.is(await generation({spec: {storageCapacity: true}}), 1);
  t.is(await generation({spec: {tokenRequests: [{audience: 'a'}]}}), 2);
});

test('seLinuxMount is kept and defaulted with its feature gate', async (t) => {
  await using server = await startTestServer({featureGates: {SELinuxMountReadWriteOncePod: true}});
  const make = async (name: string, spec: object) =>
    (await server.client.post(url('csidrivers'), {metadata: {name}, spec})).json<{spec: object}>().spec;
  t.like(await make('set', {seLinuxMount: true}), {seLinuxMount: true});
  t.like(await make('unset', {}), {seLinuxMount: false});
});

test('the drivers of a node come and go but do not change', async (t) => {
  const nodes = url('csinodes');
  const driver = (name: string, more: object = {}) => ({name, nodeID: 'id', topologyKeys: ['zone'], ...more});
  const bad = [
    driver('a'),
    driver('a', {nodeID: ''}),
    driver('b', {nodeID: 'x'.repeat(257), topologyKeys: ['a b', '', 'zone', 'zone'], allocatable: {count: -1}}),
  ];
  t.deepEqual(faultyFields(await client().post(nodes, {metadata: {name: 'bad'}, spec: {drivers: bad}})), [
    'spec.drivers[1].nodeID',
    'spec.drivers[1].name',
    'spec.drivers[2].nodeID',
    'spec.drivers[2].allocatable.count',
    'spec.drivers[2].topologyKeys[0]',
    'spec.drivers[2].topologyKeys[1]',
    'spec.drivers[2].topologyKeys[3]',
  ]);
  const made = (
    await client().post(nodes, {metadata: {name: 'node'}, spec: {drivers: [driver('a', {topologyKeys: null}), driver('b')]}})
  ).json<object>();
  t.deepEqual(
    faultyFields(await client().put(`${nodes}/node`, {...made, spec: {drivers: [driver('a', {nodeID: 'other', topologyKeys: []})]}})),
    ['spec.drivers[0]'],
  );
  const next = {drivers: [driver('c'), driver('a', {topologyKeys: []})]};
  t.is((await client().put(`${nodes}/node`, {...made, spec: next})).status, 200);
  t.like((await tableRows(client(), `${nodes}/node`))[0], {Name: 'node', Drivers: 2});
});

test('deleting a class, a driver, a node or an attachment answers the object', async (t) => {
  const attachment = {attacher: 'disk.example', nodeName: 'n', source: {persistentVolumeName: 'v'}};
  const bodies: Record<string, object> = {
    storageclasses: {provisioner: 'a/b'},
    csidrivers: {spec: {}},
    csinodes: {spec: {drivers: []}},
    volumeattachments: {spec: attachment},
  };
  for (const [plural, body] of Object.entries(bodies)) {
    const {kind} = (await client().post(url(plural), {metadata: {name: 'gone'}, ...body})).json<{kind: string}>();
    t.like((await client().delete(`${url(plural)}/gone`)).json<object>(), {kind, metadata: {name: 'gone'}}, plural);
  }
});
