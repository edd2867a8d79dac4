import {execFile} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {pathToFileURL} from 'node:url';
import test from 'ava';
import {
  forbidden,
  unauthorized,
  type AdmissionController,
  type ApiObject,
  type AuthenticationRequest,
  type Authenticator,
  type Authorizer,
  type LogEntry,
  type ResourceStrategy,
  type Store,
} from '@orch-api/orch/sdk';
import {
  admissionConformance,
  authenticatorConformance,
  authorizerConformance,
  conversionConformance,
  storeConformance,
  type ConformanceTest,
} from '@orch-api/orch/testing/conformance';
import {exclusiveHarness, openMemory} from '../helpers/store-embedded.js';
import {tempFolder} from '../helpers/temp-folder.js';

const run = promisify(execFile);

/** Titles of the tests of a suite that fail. */
async function failing(suite: readonly ConformanceTest<undefined>[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(suite.map((each) => each.run(undefined)));
  return suite.filter((_, index) => outcomes[index]!.status === 'rejected').map(({title}) => title);
}

const keyOf = (request: AuthenticationRequest) => request.header('x-key')[0];
const ada = {username: 'ada', groups: ['staff']};
const authenticators: Record<string, {authenticate: Authenticator['authenticate']; fails: RegExp | undefined}> = {
  'one as it should be': {
    authenticate: (request) => {
      if (keyOf(request) === undefined) return undefined;
      if (keyOf(request) !== 'sesame') throw unauthorized();
      return ada;
    },
    fails: undefined,
  },
  'one that lets everybody in': {authenticate: () => ada, fails: /without credentials/},
  'one that compares the beginning': {
    authenticate: (request) => (keyOf(request)?.startsWith('sesame') ? ada : undefined),
    fails: /nearly right/,
  },
  'one that refuses nothing': {authenticate: (request) => (keyOf(request) === 'sesame' ? ada : undefined), fails: /nobody/},
  'one that throws what is no answer': {
    authenticate: (request) => {
      if (keyOf(request) === undefined) return undefined;
      if (keyOf(request)!.length > 1000) throw new RangeError('too long');
      if (keyOf(request) !== 'sesame') throw unauthorized();
      return ada;
    },
    fails: /whatever a client sends/,
  },
};

for (const [name, {authenticate, fails}] of Object.entries(authenticators)) {
  test(`the suite for authenticators ${fails ? 'fails' : 'passes'}: ${name}`, async (t) => {
    const cases = {known: [{credentials: {headers: {'x-key': 'sesame'}}, ...ada}], refused: [{headers: {'x-key': 'guess'}}]};
    const titles = await failing(authenticatorConformance({create: () => ({authenticate}), ...cases}));
    if (fails) t.regex(titles.join('\n'), fails);
    else t.deepEqual(titles, []);
  });
}

const isReader: Authorizer['authorize'] = ({user, verb}) => ({
  decision: user.groups.includes('readers') && verb === 'get' ? 'allow' : 'no-opinion',
});
const readRule = {verbs: ['get'], apiGroups: ['*'], resources: ['*']};
const rules = (resourceRules: readonly (typeof readRule)[]) => () => ({resourceRules, nonResourceRules: [], incomplete: false});
const authorizers: Record<string, {create: () => Authorizer; fails: RegExp | undefined}> = {
  'one as it should be': {
    create: () => ({authorize: isReader, rulesFor: ({groups}) => rules(groups.includes('readers') ? [readRule] : [])()}),
    fails: undefined,
  },
  'one that tells rules by which it does not decide': {
    create: () => ({authorize: isReader, rulesFor: rules([])}),
    fails: /the rules that it tells/,
  },
  'one that tells more rules': {
    create: () => ({authorize: isReader, rulesFor: rules([{...readRule, verbs: ['*']}])}),
    fails: /the rules that it tells/,
  },
  'one that fails on odd names': {
    create: () => ({authorize: (asked) => (asked.resource.length > 1000 ? (undefined as never) : isReader(asked))}),
    fails: /whatever a client asks for/,
  },
  'one that changes what it is given': {
    create: () => ({authorize: (asked) => ((asked.user.groups as string[]).push('readers'), isReader(asked))}),
    fails: /many questions/,
  },
};
for (const [name, {create, fails}] of Object.entries(authorizers)) {
  test(`the suite for authorizers ${fails ? 'fails' : 'passes'}: ${name}`, async (t) => {
    const reader = {username: 'ada', groups: ['readers']};
    const undecided = [{user: reader, verb: 'delete'}, {user: {username: 'eve', groups: []}}];
    const titles = await failing(authorizerConformance({create, allowed: [{user: reader}], undecided}));
    if (fails) t.regex(titles.join('\n'), fails);
    else t.deepEqual(titles, []);
  });
}

const owner = (object: ApiObject | undefined) => object?.metadata.labels?.['owner'];
const stamped = (labels: Record<string, string>): ApiObject => ({metadata: {name: 'settings', labels}});
const admissions: Record<string, {create: () => AdmissionController; fails: RegExp | undefined}> = {
  'one as it should be': {
    create: () => ({
      admit: ({object}) => void ((object!.metadata.labels ??= {})['seen'] = 'yes'),
      validate({object, resource, name}) {
        if (!owner(object)) throw forbidden({...resource, name}, 'the label owner is missing');
      },
    }),
    fails: undefined,
  },
  'one whose changes add up': {
    create: () => ({
      admit: ({object}) =>
        void (object!.metadata.labels = {...object!.metadata.labels, seen: `${object!.metadata.labels?.['seen'] ?? ''}yes`}),
      validate({object, resource, name}) {
        if (!owner(object)) throw forbidden({...resource, name}, 'the label owner is missing');
      },
    }),
    fails: /admitting twice/,
  },
  'one that says that it changed nothing': {
    create: () => ({
      admit: ({object}) => {
        (object!.metadata.labels ??= {})['seen'] = 'yes';
        return false;
      },
    }),
    fails: /answers false/,
  },
  'one that relies on labels': {
    create: () => ({
      admit: ({object}) => void (object!.metadata.labels!['seen'] = 'yes'),
      validate({object, resource, name}) {
        if (!owner(object)) throw forbidden({...resource, name}, 'the label owner is missing');
      },
    }),
    fails: /lacks any of its members/,
  },
  'one that changes what it validates': {
    create: () => ({validate: ({object}) => void (object!.metadata.labels!['seen'] = 'yes')}),
    fails: /what may be written/,
  },
};
for (const [name, {create, fails}] of Object.entries(admissions)) {
  test(`the suite for admission controllers ${fails ? 'fails' : 'passes'}: ${name}`, async (t) => {
    const admitted = [{object: stamped({owner: 'ada'}), becomes: stamped({owner: 'ada', seen: 'yes'})}];
    const titles = await failing(admissionConformance({create, admitted, refused: [{object: stamped({}), message: /label owner/}]}));
    if (fails) t.regex(titles.join('\n'), fails);
    else t.deepEqual(titles, []);
  });
}

interface Plot extends ApiObject {
  spec?: {area?: number; size?: {width?: number; depth?: number}};
}
const v1 = (plot: Plot): Plot => ({...plot, apiVersion: 'example.com/v1'});
const v2 = (plot: Plot): Plot => ({...plot, apiVersion: 'example.com/v2'});
const conversions: Record<string, {convert: (plot: Plot, to: {version: string}) => ApiObject; fails: RegExp | undefined}> = {
  'one as it should be': {
    convert: ({spec: {size, area, ...spec} = {}, ...plot}, {version}) =>
      version === 'v1'
        ? v1({...plot, spec: {...spec, ...(size?.width === undefined ? {} : {area: size.width})}})
        : v2({...plot, spec: {...spec, ...(area === undefined ? {} : {size: {width: area}})}}),
    fails: undefined,
  },
  'one that loses a field': {
    convert: ({spec: _, ...plot}, {version}) => ({...plot, apiVersion: `example.com/${version}`}),
    fails: /comes back/,
  },
  'one that forgets the version': {convert: (plot) => ({...plot}), fails: /is of the version/},
  'one that needs every member': {
    convert: ({spec, ...plot}, {version}) =>
      version === 'v1' ? v1({...plot, spec: {area: spec!.size!.width!}}) : v2({...plot, spec: {size: {width: spec!.area!}}}),
    fails: /lacks any of its members/,
  },
  'one that changes what it is given': {
    convert: (plot, {version}) => Object.assign(plot, {apiVersion: `example.com/${version}`}),
    fails: /comes back/,
  },
};
for (const [name, {convert, fails}] of Object.entries(conversions)) {
  test(`the suite for conversions ${fails ? 'fails' : 'passes'}: ${name}`, async (t) => {
    const object: Plot = {apiVersion: 'example.com/v1', kind: 'Plot', metadata: {name: 'a', labels: {in: 'town'}}, spec: {area: 3}};
    const create = () => ({convert: convert as ResourceStrategy['convert'] & {}});
    const titles = await failing(conversionConformance({create, group: 'example.com', versions: ['v1', 'v2'], objects: [object]}));
    if (fails) t.regex(titles.join('\n'), fails);
    else t.deepEqual(titles, []);
  });
}

type Previous = LogEntry['previous'];
const unchanged = (previous: Previous): Previous => previous;
const stores: Record<
  string,
  {followed?: (previous: Previous) => Previous; kept?: (previous: Previous) => Previous; fails: RegExp | undefined}
> = {
  'one that leaves values out where the log is followed': {
    followed: (previous) => previous && {revision: previous.revision},
    fails: undefined,
  },
  'one that leaves out what was replaced where the log is followed': {followed: () => undefined, fails: /to whoever begins later too/},
  'one that leaves values out of the history': {
    kept: (previous) => previous && {revision: previous.revision},
    fails: /to whoever begins later too/,
  },
};
for (const [name, {followed = unchanged, kept = unchanged, fails}] of Object.entries(stores)) {
  test(`the suite for stores ${fails ? 'fails' : 'passes'}: ${name}`, async (t) => {
    const changed = (entry: LogEntry, change: (previous: Previous) => Previous): LogEntry => {
      const {previous, ...rest} = entry;
      const given = change(previous);
      return given ? {...rest, previous: given} : rest;
    };
    const wrong = (store: Store): Store => {
      const own: Pick<Store, 'follow' | 'history'> = {
        follow: (shard, after, listener) =>
          store.follow(shard, after, {
            onEntries: (entries, upTo) =>
              listener.onEntries(
                entries.map((entry) => changed(entry, followed)),
                upTo,
              ),
            onEnd: (error) => listener.onEnd(error),
          }),
        history: async (type) => {
          const history = await store.history(type);
          return {...history, entries: history.entries.map((entry) => changed(entry, kept))};
        },
      };
      const bound = (value: unknown) => (typeof value === 'function' ? (value.bind(store) as unknown) : value);
      return new Proxy(store, {get: (target, name) => Reflect.get(own, name) ?? bound(Reflect.get(target, name))});
    };
    const suite = storeConformance(async () => exclusiveHarness(async () => wrong(await openMemory()), false));
    const titles = await failing(suite.filter(({title}) => /replaced|follower/.test(title)));
    if (fails) t.regex(titles.join('\n'), fails);
    else t.deepEqual(titles, []);
  });
}

test('the suite for stores runs under node:test, and fails for a store that is wrong', async (t) => {
  const folder = tempFolder(t, 'orch-node-test-');
  const module = (path: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, '../..', path)).href);
  writeFileSync(
    join(folder, 'store.test.mjs'),
    `import test from 'node:test';
     import {MemoryStoreProvider} from ${module('plugins/stores/embedded/plugin.js')};
     import {storeConformance} from ${module('testing/conformance/index.js')};
     const logger = {trace() {}, debug() {}, info() {}, warn() {}, error() {}, child: () => logger};
     const harness = () => {
       const opened = [];
       return {
         shared: false, durable: false,
         async open() {
           const store = await new MemoryStoreProvider(logger).open({url: 'memory', dataDir: '.', historyMillis: 300_000}, new AbortController().signal);
           opened.push(store);
           return process.env.WRONG ? new Proxy(store, {get: (target, name) => name === 'revision' ? () => 0 : target[name]?.bind?.(target) ?? target[name]}) : store;
         },
         close: async () => { await Promise.all(opened.map((store) => store.close())); },
       };
     };
     for (const {title, timeoutMillis, run} of storeConformance(harness)) test(title, {timeout: timeoutMillis}, run);`,
  );
  const outcome = async (env: NodeJS.ProcessEnv) => {
    const argv = ['--test', '--test-reporter=tap', 'store.test.mjs'];
    const {stdout} = await run(process.execPath, argv, {cwd: folder, env: {...process.env, ...env}}).catch(
      (error: {stdout: string}) => error,
    );
    return {passed: Number(/^# pass (\d+)/m.exec(stdout)?.[1]), failed: Number(/^# fail (\d+)/m.exec(stdout)?.[1]), stdout};
  };
  const right = await outcome({});
  t.is(right.failed, 0, right.stdout);
  t.true(right.passed > 50);
  const wrong = await outcome({WRONG: '1'});
  t.regex(wrong.stdout, /^not ok .* revisions of a shard grow with every commit/m);
});

const conversionFaults = (object: ApiObject, convert: (object: never, to: {version: string}) => ApiObject) =>
  failing(
    conversionConformance({create: () => ({convert: convert as never}), group: 'example.com', versions: ['v1', 'v2'], objects: [object]}),
  );

test('the suite for conversions lets annotations and labels keep what a version has no field for, and nothing else of the metadata', async (t) => {
  const noted =
    (where: 'annotations' | 'labels' | 'finalizers') =>
    (plot: Plot & {metadata: {annotations?: Record<string, string>}}, {version}: {version: string}) => {
      const {metadata, spec = {}} = plot;
      const {[where]: notes, ...rest} = metadata as Record<string, unknown>;
      const {area, ...others} = (notes ?? {}) as Record<string, string>;
      if (version === 'v2')
        return v2({...plot, metadata: {...metadata, [where]: {...(notes as object), area: String(spec.area)}}, spec: {}} as Plot);
      const kept = Object.keys(others).length > 0 ? {...rest, [where]: others} : rest;
      return v1({...plot, metadata: kept, spec: area === undefined || area === 'undefined' ? {} : {area: Number(area)}} as Plot);
    };
  const object: Plot = {apiVersion: 'example.com/v1', kind: 'Plot', metadata: {name: 'a', labels: {in: 'town'}}, spec: {area: 3}};
  t.deepEqual(await conversionFaults(object, noted('annotations')), []);
  t.deepEqual(await conversionFaults(object, noted('labels')), []);
  t.regex((await conversionFaults(object, noted('finalizers'))).join('\n'), /with the same metadata/);
});

test('the suite for conversions finds a member that partial objects gain on their way', async (t) => {
  const object = {apiVersion: 'example.com/v1', kind: 'Plot', metadata: {name: 'a'}, spec: {first: '09:00', last: '10:00'}} as ApiObject;
  const joined = ({spec: {first = '', last = '', hours} = {}, ...plot}: {spec?: Record<string, string>}, {version}: {version: string}) => {
    const [from = '', to = ''] = hours?.split('-') ?? [];
    return (
      version === 'v2' ? v2({...plot, spec: {hours: `${first}-${last}`}} as never) : v1({...plot, spec: {first: from, last: to}} as never)
    ) as ApiObject;
  };
  t.regex((await conversionFaults(object, joined as never)).join('\n'), /lacks any of its members/);
});
