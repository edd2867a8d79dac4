import test from 'ava';
import {defineAuthorizer, definePlugin, type PluginDefinition} from '../../../sdk/index.js';
import {Kernel} from '../../../core/kernel/kernel.js';
import type {SelectionOptions} from '../../../core/kernel/selection/selection-options.js';
import {problemsOf, silent} from './kernel-fixtures.js';

const create = () => ({authorize: () => ({decision: 'no-opinion' as const})});

function guard(name: string, options: {mode?: string; order?: number; enabledByDefault?: boolean} = {}, isOn = true): PluginDefinition {
  return definePlugin({name, version: '1.0.0', kernel: '*', enabledByDefault: isOn}, [defineAuthorizer({name, create, ...options})]);
}

const plugins = [
  guard('early', {order: 400}),
  guard('ample'),
  guard('one', {mode: 'One', order: 900}),
  guard('two', {mode: 'Two'}),
  guard('seldom', {mode: 'Seldom', enabledByDefault: false}),
];

const load = (options: SelectionOptions = {}) => Kernel.load({logger: silent, plugins, ...options});

/** In the order in which they are asked. */
async function asked(options?: SelectionOptions): Promise<string[]> {
  const {authorizers} = await (await load(options)).construct();
  return authorizers.map(({name}) => name);
}

test('authorizers are asked by order; those with a mode take the place of the list that names them, and are left out where it does not', async (t) => {
  t.deepEqual(await asked(), ['early', 'Two', 'ample', 'One']);
  t.deepEqual(await asked({authorizationMode: ['Two', 'One']}), ['early', 'Two', 'One', 'ample']);
  t.deepEqual(await asked({authorizationMode: ['One', 'Seldom', 'Two']}), ['early', 'One', 'Seldom', 'Two', 'ample']);
  t.deepEqual(await asked({configuration: {authorizationMode: ['Seldom']}}), ['early', 'Seldom', 'ample']);
  t.deepEqual(await asked({configuration: {authorizationMode: ['Seldom']}, authorizationMode: ['One']}), ['early', 'One', 'ample']);
});

test('a plugin whose authorizers are not asked is none that decides', async (t) => {
  t.deepEqual([...(await load({authorizationMode: ['Two']})).authorizerPlugins].sort(), ['ample', 'early', 'two']);
  t.deepEqual([...(await load({disablePlugins: ['early', 'ample', 'one', 'two']})).authorizerPlugins], []);
});

test('a mode whose plugin somebody has disabled, one that nobody provides, one named twice and no mode at all are problems', async (t) => {
  const told = async (options: SelectionOptions) =>
    (await problemsOf(t, () => load(options))).map(({code, path, message}) => `${code} ${path} ${message}`);
  t.deepEqual(await told({authorizationMode: ['One', 'Three', 'Two', 'One'], disablePlugins: ['two']}), [
    'UNKNOWN_AUTHORIZATION_MODE authorizationMode there is no authorization mode Three; there are One, Seldom, Two',
    'PLUGIN_DISABLED authorizationMode the authorization mode Two belongs to the plugin two, which is disabled: enable that plugin too',
    'AUTHORIZATION_MODES_INVALID authorizationMode the authorization mode One is named twice',
  ]);
  t.deepEqual(await told({authorizationMode: []}), [
    'AUTHORIZATION_MODES_INVALID authorizationMode at least one authorization mode must be named',
  ]);
  t.deepEqual(await told({plugins: [...plugins, guard('other', {mode: 'One'})]}), [
    'DUPLICATE_CONTRIBUTION contributes.authorizers[0].mode the authorization mode One is also contributed by plugin one',
  ]);
});
