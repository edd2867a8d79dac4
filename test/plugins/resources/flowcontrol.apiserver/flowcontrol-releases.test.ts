import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {causesOf} from '../served-group.js';

const root = '/apis/flowcontrol.apiserver.k8s.io';
const levels = (version: string) => `${root}/${version}/prioritylevelconfigurations`;
const at = (release: string, options: object = {}): Promise<TestServer> => startTestServer({platform: 'kubernetes', release, ...options});

interface Level {
  readonly metadata: {readonly annotations?: Record<string, string>; readonly name: string};
  readonly spec: {readonly limited?: {readonly nominalConcurrencyShares?: number}; readonly exempt?: object};
}

const limited = (name: string, shares?: number) => ({
  metadata: {name},
  spec: {type: 'Limited', limited: {...(shares === undefined ? {} : {nominalConcurrencyShares: shares}), limitResponse: {type: 'Reject'}}},
});

for (const {release, versions, warning} of [
  {release: '1.26', versions: ['v1beta3', 'v1beta2'], warning: 'v1beta2 FlowSchema is deprecated in v1.26+, unavailable in v1.29+; use'},
  {release: '1.28', versions: ['v1beta3', 'v1beta2'], warning: 'v1beta2 FlowSchema is deprecated in v1.26+, unavailable in v1.29+; use'},
  {release: '1.29', versions: ['v1', 'v1beta3'], warning: 'v1beta3 FlowSchema is deprecated in v1.29+, unavailable in v1.32+; use'},
  {release: '1.31', versions: ['v1', 'v1beta3'], warning: 'v1beta3 FlowSchema is deprecated in v1.29+, unavailable in v1.32+; use'},
  {release: '1.32', versions: ['v1'], warning: undefined},
  {release: '1.36', versions: ['v1'], warning: undefined},
]) {
  test.serial(
    `flow control is served in ${versions.join(' and ')} at release ${release}, and the built-in objects are made there`,
    async (t) => {
      await using server = await at(release);
      const {client} = server;
      const found = (await client.get(root)).json<{preferredVersion: {version: string}; versions: {version: string}[]}>();
      t.deepEqual(
        found.versions.map(({version}) => version),
        versions,
      );
      t.is(found.preferredVersion.version, versions[0]!);
      await eventually(
        async () =>
          (await client.get(`${root}/${versions[0]}/flowschemas`)).json<{items: {status?: {conditions?: {status: string}[]}}[]}>().items,
        (schemas) => schemas.length >= 13 && schemas.every(({status}) => status?.conditions?.[0]?.status === 'False'),
      );
      const exempt = (await client.get(`${levels(versions[0]!)}/exempt`)).json<Level>();
      t.deepEqual(exempt.spec.exempt, versions[0] !== 'v1' ? undefined : {nominalConcurrencyShares: 0, lendablePercent: 0});
      const last = (await client.get(`${root}/${versions.at(-1)}/flowschemas`)).headers['warning'];
      if (warning === undefined) t.is(last, undefined);
      else t.true(String(last).includes(warning), String(last));
    },
  );
}

test.serial('v1 keeps 0 shares, which v1beta3 shows with an annotation and takes back with it only', async (t) => {
  for (const release of ['1.29', '1.31']) {
    await using server = await at(release);
    const {client} = server;
    const annotation = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';
    t.is((await client.post(levels('v1'), limited('none', 0))).status, 201);
    t.is((await client.get(`${levels('v1')}/none`)).json<Level>().spec.limited!.nominalConcurrencyShares, 0);
    const old = (await client.get(`${levels('v1beta3')}/none`)).json<Level>();
    t.is(old.spec.limited!.nominalConcurrencyShares, 0);
    t.deepEqual(old.metadata.annotations, {[annotation]: ''});
    const again = await client.put(`${levels('v1beta3')}/none`, old);
    t.is(again.status, 200, again.body.toString());
    const kept = (await client.get(`${levels('v1')}/none`)).json<Level>();
    t.is(kept.spec.limited!.nominalConcurrencyShares, 0);
    t.false(annotation in (kept.metadata.annotations ?? {}));
    const bare = {...old, metadata: {name: 'none'}};
    t.is((await client.put(`${levels('v1beta3')}/none`, bare)).status, 200);
    t.is((await client.get(`${levels('v1')}/none`)).json<Level>().spec.limited!.nominalConcurrencyShares, 30);
    const forbidden = {...limited('annotated', 1), metadata: {name: 'annotated', annotations: {[annotation]: ''}}};
    t.deepEqual(causesOf(await client.post(levels('v1'), forbidden)), [
      `metadata.annotations: Forbidden: annotation '${annotation}' is forbidden`,
    ]);
  }
});

test.serial('in v1 shares are 30 where none are given, not negative, and shown in the table', async (t) => {
  await using server = await at('1.36');
  const {client} = server;
  t.is((await client.post(levels('v1'), limited('plain'))).status, 201);
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const {rows} = (await client.get(`${levels('v1')}/plain`, {headers: {accept}})).json<{rows: {cells: unknown[]}[]}>();
  t.deepEqual(rows[0]!.cells.slice(0, 3), ['plain', 'Limited', 30]);
  t.deepEqual(causesOf(await client.post(levels('v1'), limited('bad', -1))), [
    'spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
  ]);
});

test.serial('operators may set what the exempt level reserves, within bounds, and no limited level has it', async (t) => {
  await using server = await at('1.34');
  const {client} = server;
  await eventually(
    () => client.get(`${levels('v1')}/exempt`),
    ({status}) => status === 200,
  );
  const set = (exempt: object) => client.patch(`${levels('v1')}/exempt`, {spec: {exempt}});
  t.is((await set({nominalConcurrencyShares: 10, lendablePercent: 50})).status, 200);
  t.deepEqual(causesOf(await set({nominalConcurrencyShares: -1, lendablePercent: 101})), [
    'spec.exempt.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
    'spec.exempt.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
  ]);
  t.deepEqual(causesOf(await client.post(levels('v1'), {...limited('both', 1), spec: {...limited('both', 1).spec, exempt: {}}})), [
    'spec.exempt: Forbidden: must be nil if the type is Limited',
  ]);
});

test.serial('what a server of a newer release stored in v1, one of an older release shows in its versions', async (t) => {
  const dataDir = tempFolder(t);
  {
    await using newer = await at('1.34', {store: 'embedded', dataDir});
    t.is((await newer.client.post(levels('v1'), limited('moved', 7))).status, 201);
  }
  await using older = await at('1.28', {store: 'embedded', dataDir, allowOlderRelease: true});
  const found = await older.client.get(`${levels('v1beta3')}/moved`);
  t.is(found.status, 200, found.body.toString());
  const shown = found.json<Level & {apiVersion: string}>();
  t.is(shown.apiVersion, 'flowcontrol.apiserver.k8s.io/v1beta3');
  t.is(shown.spec.limited!.nominalConcurrencyShares, 7);
  t.is((await older.client.patch(`${levels('v1beta3')}/moved`, {metadata: {labels: {a: 'b'}}})).status, 200);
});
