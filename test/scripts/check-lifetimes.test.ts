import {appendFileSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {projectRoot} from '../helpers/project-root.js';
import {fileTree, runScript} from '../helpers/run-script.js';

/** The compiled tree that this test is part of. */
const out = relative(projectRoot(), fileURLToPath(new URL('../..', import.meta.url)));
const check = (root: string, ...args: string[]) => runScript('check-lifetimes.mjs', ['--root', root, ...args], {env: {ORCH_OUT: out}});
const list = 'docs/api/command-line.txt';

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), {recursive: true});
  writeFileSync(join(root, path), text);
}

const shop = (properties: object, featureGates: object = {}) =>
  JSON.stringify({name: 'shop', config: {type: 'object', properties}, featureGates});

test('[B-DEPR-11] [B-DEPR-12] a flag or a feature gate that is gone without standing among the removed ones is refused', async (t) => {
  // The types are left out, so the exceptions for them would be unneeded.
  const flowcontrol = readFileSync(join(projectRoot(), 'plugins/resources/flowcontrol.apiserver/plugin.json'), 'utf8');
  const root = fileTree(t, {
    'plugins/resources/flowcontrol/plugin.json': flowcontrol,
    'plugins/shop/plugin.json': shop(
      {size: {type: 'integer', flag: 'shop-size'}},
      {Discounts: {default: true, stage: 'beta'}, Haggling: {default: false, stage: 'alpha'}},
    ),
  });
  t.like(await check(root, '--update'), {code: 0});
  t.like(await check(root), {code: 0});
  const recorded = readFileSync(join(root, list), 'utf8').split('\n');
  for (const name of ['--shop-size', '--admission-control', 'orch serve', 'orch plugins check', 'gate Discounts', 'gate OpenAPIV3'])
    t.true(recorded.includes(name), name);
  t.false(recorded.includes('gate Haggling'));

  write(root, 'plugins/shop/plugin.json', shop({}));
  for (const args of [[], ['--update']]) {
    const {code, output} = await check(root, ...args);
    t.is(code, 1);
    for (const name of ['--shop-size', 'gate Discounts'])
      t.true(output.includes(`${name}: it is gone and does not stand among the removed ones`), output);
  }
});

test('[B-DEPR-13] a stable metric that is gone, or has lost a label, without standing among the removed ones is refused; an alpha one may go', async (t) => {
  const flowcontrol = readFileSync(join(projectRoot(), 'plugins/resources/flowcontrol.apiserver/plugin.json'), 'utf8');
  const root = fileTree(t, {'plugins/resources/flowcontrol/plugin.json': flowcontrol});
  t.like(await check(root, '--update'), {code: 0});
  const text = readFileSync(join(root, list), 'utf8');
  t.true(text.includes('\nmetric apiserver_current_inflight_requests{request_kind}\n'));
  t.false(text.includes('authentication_attempts'));
  appendFileSync(join(root, list), 'metric apiserver_lost_total{verb}\nmetric apiserver_storage_objects{group,resource}\n');
  for (const args of [[], ['--update']]) {
    const {code, output} = await check(root, ...args);
    t.is(code, 1);
    for (const name of ['apiserver_lost_total{verb}', 'apiserver_storage_objects{group,resource}'])
      t.true(output.includes(`metric ${name}: it is gone and does not stand among the removed ones`), output);
  }
});

test('what stands among the removed ones may be missing, and what is new has to be written down', async (t) => {
  const flowcontrol = readFileSync(join(projectRoot(), 'plugins/resources/flowcontrol.apiserver/plugin.json'), 'utf8');
  const root = fileTree(t, {'plugins/resources/flowcontrol/plugin.json': flowcontrol});
  t.like(await check(root, '--update'), {code: 0});
  appendFileSync(join(root, list), '--insecure-port\ngate CSRDuration\n');
  const {code, output} = await check(root);
  t.is(code, 1);
  t.true(output.startsWith(`${list}: not what is there now; npm exec -- node scripts/check-lifetimes.mjs --update writes it\n`), output);
  t.like(await check(root, '--update'), {code: 0});
});

test('[B-STAB-5] [B-DEPR-11] lifetimes that are too short are refused, and so are versions without one', async (t) => {
  const flowcontrol = JSON.parse(readFileSync(join(projectRoot(), 'plugins/resources/flowcontrol.apiserver/plugin.json'), 'utf8')) as {
    contributes: {resources: {versions: {name: string; lifetime?: object}[]}[]};
  };
  const [schemas, levels] = flowcontrol.contributes.resources.map(({versions}) => versions.find(({name}) => name === 'v1beta2')!);
  schemas!.lifetime = {introduced: '1.23', deprecated: '1.26', removed: '1.28'};
  delete levels!.lifetime;
  const deprecated = {since: '1.26', removal: '1.27', message: 'use --size', audience: 'user', stage: 'stable'};
  const root = fileTree(t, {
    'plugins/resources/flowcontrol/plugin.json': JSON.stringify(flowcontrol),
    'plugins/shop/plugin.json': shop({size: {type: 'integer', flag: 'shop-size', deprecated}}),
  });
  const {code, output} = await check(root, '--update');
  t.is(code, 1);
  t.true(
    output.includes(
      'flowcontrol.apiserver.orch/v1beta2 FlowSchema: a beta version that is deprecated in 1.26 is served until 1.29, and it would be removed in 1.28\n',
    ),
    output,
  );
  t.true(output.includes('flowcontrol.apiserver.orch/v1beta2 PriorityLevelConfiguration: the version has no lifetime\n'), output);
  t.true(
    output.includes('--shop-size: what is stable and for users and deprecated in 1.26 works until 1.29, and it would be removed in 1.27\n'),
    output,
  );
});
