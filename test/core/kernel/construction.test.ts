import test from 'ava';
import {mkdtempSync, rmSync, symlinkSync, mkdirSync, cpSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Tokens, type FeatureGates, type Logger, type Store} from '../../../sdk/index.js';
import {Kernel} from '../../../core/kernel/kernel.js';
import {fixture, loadFixture, offered, places, problemsOf, silent} from './kernel-fixtures.js';

test('a constructor gets what the composition root offers, made for its plugin when first asked for', async (t) => {
  const asked: string[] = [];
  const values = offered(
    [Tokens.Naming, (plugin) => ({name: `profile for ${plugin}`, asked: asked.push(plugin)})],
    [Tokens.Paths, (plugin) => asked.push(`paths of ${plugin}`)],
  );
  const kernel = await loadFixture('policies', {values, featureGates: {Swift: true}});
  t.deepEqual(asked, []);
  const {routes} = await kernel.construct();
  const page = routes[0]!.instance as unknown as {naming: {name: string}; gates: FeatureGates};
  t.is(page.naming.name, 'profile for policies');
  t.true(page.gates.enabled('Swift'));
  t.deepEqual(asked, ['policies']);
});

/** What the server calls stands for the object, once for each contribution. */
const original = (standIn: object): unknown => Object.getPrototypeOf(standIn);

test('a class that is contributed twice is one object, and each route carries its path and methods', async (t) => {
  const {routes} = await (await loadFixture('policies', {values: offered([Tokens.Naming, () => ({})])})).construct();
  t.deepEqual(
    routes.map(({plugin, path, methods}) => ({plugin, path, methods})),
    [
      {plugin: 'policies', path: '/page/*', methods: ['GET']},
      {plugin: 'policies', path: '/pages', methods: ['GET', 'POST']},
    ],
  );
  t.is(original(routes[0]!.instance), original(routes[1]!.instance));
});

test('a contribution carries what its decorator was given', async (t) => {
  const {admission} = await (await loadFixture('policies', {values: offered([Tokens.Naming, () => ({})])})).construct();
  t.deepEqual(
    admission.map(({name, class: className, order, options}) => ({name, className, order, operations: options.operations.length})),
    [
      {name: 'Aardvark', className: 'Aardvark', order: 500, operations: 3},
      {name: 'Zebra', className: 'Zebra', order: 500, operations: 3},
      {name: 'Late', className: 'Late', order: 900, operations: 3},
    ],
  );
});

test('a value that cannot be made is the cause of the failure', async (t) => {
  const fault = new TypeError('no profile');
  const kernel = await loadFixture('policies', {
    values: offered([
      Tokens.Naming,
      () => {
        throw fault;
      },
    ]),
  });
  const problems = await problemsOf(t, () => kernel.construct());
  t.is(problems[0]!.message, 'constructing Page failed: no profile');
  t.is(problems[0]!.cause, fault);
});

test('a store is constructed by its scheme, and the code of no other store is imported', async (t) => {
  const kernel = await loadFixture('stores');
  for (const url of ['tape', 'reel://somewhere/1']) {
    const store = (await (
      await kernel.storeProvider(url)
    ).open({url, dataDir: '/', historyMillis: 1}, new AbortController().signal)) as Store & {opened: string};
    t.is(store.opened, url);
  }
  t.is(original(await kernel.storeProvider('tape')), original(await kernel.storeProvider('reel')));
  // The other plugin's module throws when it is imported.
  await t.notThrowsAsync(() => kernel.construct());
  t.deepEqual(places(await problemsOf(t, () => kernel.storeProvider('heavy://x'))), ['IMPORT_FAILED heavy - index.js']);
});

test('a store that nobody opens is an error without the rest of the URL', async (t) => {
  const kernel = await loadFixture('stores', {disablePlugins: ['heavy']});
  const [unknown] = await problemsOf(t, () => kernel.storeProvider('sql://user:password@host'));
  t.is(unknown!.message, 'no plugin opens the store sql; known are reel, tape');
  const [disabled] = await problemsOf(t, () => kernel.storeProvider('heavy://x'));
  t.is(disabled!.message, 'the store heavy belongs to the plugin heavy, which is disabled: enable that plugin too');
});

test('a resource type needs no code', async (t) => {
  const kernel = await loadFixture('data-only');
  t.deepEqual(
    kernel.resources().map(({plugin, folder, definition}) => [plugin, folder, definition.names.kind]),
    [['gadgets', join(fixture('data-only'), 'gadgets'), 'Gadget']],
  );
  const {strategies, routes} = await kernel.construct();
  t.deepEqual([...strategies, ...routes], []);
});

test('a plugin from elsewhere, as a folder or as a package, imports the sdk of this server, its modules and families', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-kernel-'));
  t.teardown(() => rmSync(folder, {recursive: true}));
  cpSync(join(fixture('outside'), 'borrower'), join(folder, 'borrower'), {recursive: true});
  mkdirSync(join(folder, 'node_modules', '@team'), {recursive: true});
  symlinkSync(join(folder, 'borrower'), join(folder, 'node_modules', '@team', 'borrower'));

  const children: Record<string, unknown>[] = [];
  const logger: Logger = {...silent, child: (fields) => ('plugin' in fields && children.push(fields), silent)};
  for (const reference of ['./borrower', '@team/borrower']) {
    const kernel = await Kernel.load({logger, pluginRoots: [], plugins: [reference], cwd: folder});
    const {authorizers} = await kernel.construct();
    t.deepEqual(
      authorizers.map((entry) => entry.plugin),
      ['borrower'],
    );
    const {borrowed} = authorizers[0]!.instance as unknown as {borrowed(): unknown};
    t.deepEqual(borrowed(), [true, '1']);
  }
  t.deepEqual(children, [{plugin: 'borrower'}, {plugin: 'borrower'}]);
});
