import test from 'ava';
import type {AdmissionRequest, ApiObject, StatusError} from '../../../../sdk/index.js';
import {body, bodySource, context, namespace, startRegistry, widget, type RegistryOptions} from '../registry-fixture.js';

const key = (name: string) => ({namespace, name});
const collection = key('');
const noOptions = {preconditions: {}, dryRun: false};
const json = 'application/json-patch+json';
const merge = 'application/merge-patch+json';

/** A strategy, a controller and handlers that write down when they are called. */
function recorders(steps: string[]): RegistryOptions {
  const note = (step: string) => void steps.push(step);
  return {
    strategy: {
      applyDefaults: () => note('defaults'),
      prepareForCreate: () => note('prepareForCreate'),
      prepareForUpdate: () => note('prepareForUpdate'),
      validateCreate: () => (note('validateCreate'), []),
      validateUpdate: () => (note('validateUpdate'), []),
      canonicalize: () => note('canonicalize'),
      beforeDelete: () => (note('beforeDelete'), {action: 'remove'}),
    },
    admission: [{admit: ({operation}) => note(`admit ${operation}`), validate: ({operation}) => note(`validate ${operation}`)}],
    handlers: {
      Echo: {create: (object) => (note('handler'), object)},
      Pipe: {connect: () => note('handler')},
    },
  };
}

const changed = ['defaults', 'admit UPDATE', 'defaults', 'prepareForUpdate', 'validateUpdate', 'canonicalize', 'validate UPDATE'];
const created = [
  'defaults',
  'admit CREATE',
  'defaults',
  'prepareForCreate',
  'defaults',
  'validateCreate',
  'canonicalize',
  'validate CREATE',
];
const deleted = ['admit DELETE', 'beforeDelete', 'validate DELETE'];

test('every write takes the same steps in the same order, whatever its verb', async (t) => {
  const steps: string[] = [];
  const {resource, make} = await startRegistry(t, recorders(steps));
  const run = async (work: () => Promise<unknown>): Promise<string[]> => {
    steps.length = 0;
    await work();
    return [...steps];
  };
  const object = widget('one', {spec: {size: 'large'}});
  const [main, status, scale] = [resource(), resource('status'), resource('scale')];
  t.deepEqual(await run(() => main.create(collection, bodySource(object), context())), created);
  t.deepEqual(await run(() => main.create(collection, bodySource(widget('dry')), context({dryRun: true}))), created);
  t.deepEqual(await run(() => main.apply(key('two'), body(widget('two')), false, context(), () => undefined)), created);
  t.deepEqual(await run(() => main.update(key('one'), bodySource({...object, spec: {}}), context())), changed);
  t.deepEqual(await run(() => main.patch(key('one'), merge, body({spec: {size: 'tiny'}}), context())), changed);
  t.deepEqual(await run(() => main.patch(key('one'), json, body([{op: 'add', path: '/spec/size', value: 'huge'}]), context())), changed);
  t.deepEqual(await run(() => main.apply(key('one'), body(widget('one', {spec: {replicas: 1}})), false, context())), changed);
  t.deepEqual(await run(() => status.patch(key('one'), merge, body({status: {a: 1}}), context())), changed);
  t.deepEqual(await run(() => scale.patch(key('one'), merge, body({spec: {replicas: 2}}), context())), changed);
  t.deepEqual(await run(() => main.delete(key('one'), noOptions, context())), deleted);
  await make('three');
  t.deepEqual(await run(() => main.deleteCollection(namespace, {fieldSelector: 'metadata.name=three'}, noOptions, context())), deleted);
  const echo = {apiVersion: 'example.com/v1', kind: 'Echo', metadata: {name: 'two'}};
  const operate = () => resource('echo').create(key('two'), bodySource(echo), context());
  t.deepEqual(await run(operate), ['admit CREATE', 'validate CREATE', 'handler']);
  const connect = () =>
    resource('pipe').connect(key('two'), '', context(), (handler, request) => handler.connect!(request as never, undefined as never));
  t.deepEqual(await run(connect), ['admit CONNECT', 'validate CONNECT', 'handler']);
});

test('defaults are filled in once where no controller and no strategy changes the object', async (t) => {
  let times = 0;
  const {make, resource} = await startRegistry(t, {
    strategy: {applyDefaults: () => void times++},
    admission: [{validate: () => undefined}],
  });
  await make('one');
  t.is(times, 1);
  times = 0;
  await resource().patch(key('one'), merge, body({spec: {size: 'large'}}), context());
  t.is(times, 1);
});

test('a body is read once, and once more for every new try', async (t) => {
  let others = 2;
  const {resource, make, read} = await startRegistry(t, {
    admission: [
      {
        async admit({operation, name, user}) {
          if (operation !== 'UPDATE' || user.username !== 'slow' || others-- <= 0) return;
          await resource().patch(key(name), merge, body({metadata: {labels: {count: String(others)}}}), context());
        },
      },
    ],
  });
  await make('one');
  let readings = 0;
  const source = () => {
    readings += 1;
    return bodySource(widget('one', {spec: {size: 'large'}}))();
  };
  const slow = context({user: {username: 'slow', groups: []}});
  const {result} = await resource().update(key('one'), source, slow);
  t.is(readings, 3);
  t.deepEqual(result.object()['spec'], {size: 'large'});
  readings = 0;
  await resource().update(key('one'), source, context());
  t.is(readings, 1);
  t.is((await read('one'))?.metadata.labels, undefined);
});

test('a write that names a version is not tried again when others were faster', async (t) => {
  const {resource, make} = await startRegistry(t, {
    admission: [
      {
        async admit({operation, user}) {
          if (operation === 'UPDATE' && user.username === 'slow')
            await resource().patch(key('one'), merge, body({metadata: {labels: {a: 'b'}}}), context());
        },
      },
    ],
  });
  const {metadata} = await make('one');
  const slow = context({user: {username: 'slow', groups: []}});
  const update = resource().update(key('one'), bodySource({...widget('one'), metadata, spec: {size: 'huge'}}), slow);
  t.like(await t.throwsAsync<StatusError>(update), {code: 409, reason: 'Conflict'});
});

test('admission sees the object as it is at each step, and the options of its operation', async (t) => {
  const seen: Record<string, unknown>[] = [];
  const see = (step: string) => (request: AdmissionRequest) => {
    const {operation, name, subresource, kind, options, dryRun, object, oldObject} = request;
    const common = {step, operation, name, subresource, kind: kind.kind, options, dryRun};
    seen.push({...common, spec: object && structuredClone(object['spec']), old: oldObject?.['spec']});
  };
  const {resource} = await startRegistry(t, {admission: [{admit: see('admit'), validate: see('validate')}]});
  const given = {fieldManager: 'me', fieldValidation: 'Strict'};
  const generated = {...widget(''), metadata: {generateName: 'gen-'}, spec: {}};
  const {result} = await resource().create(collection, bodySource(generated), context({given}));
  const {name = '', uid = ''} = result.object().metadata;
  const createOptions = {kind: 'CreateOptions', apiVersion: 'meta.orch/v1', ...given};
  const common = {operation: 'CREATE', subresource: '', kind: 'Widget', dryRun: false, options: createOptions, old: undefined};
  t.deepEqual(seen, [
    {step: 'admit', name: '', ...common, spec: {size: 'small'}},
    {step: 'validate', name, ...common, spec: {size: 'small'}},
  ]);
  seen.length = 0;
  await resource().patch(key(name), merge, body({spec: {size: 'huge'}}), context({dryRun: true}));
  const updateOptions = {kind: 'UpdateOptions', apiVersion: 'meta.orch/v1', dryRun: ['All']};
  t.like(seen[0], {operation: 'UPDATE', name, options: updateOptions, dryRun: true, spec: {size: 'huge'}, old: {size: 'small'}});
  seen.length = 0;
  const deletion = {preconditions: {uid}, propagationPolicy: 'Background', gracePeriodSeconds: 3} as const;
  await resource().delete(key(name), {...deletion, dryRun: false}, context());
  const deleteOptions = {kind: 'DeleteOptions', apiVersion: 'meta.orch/v1', ...deletion};
  t.like(seen[0], {operation: 'DELETE', name, options: deleteOptions, spec: undefined, old: {size: 'small'}});
});

test('admission sees the options of a connection as its object', async (t) => {
  const seen: AdmissionRequest[] = [];
  const handlers = {Pipe: {connect: () => undefined}};
  const {resource} = await startRegistry(t, {admission: [{validate: (request) => void seen.push(request)}], handlers});
  const query = new URLSearchParams('loud=true&words=a&words=b&width=7&other=x');
  await resource('pipe').connect(key('one'), '/deep', context({query}), () => undefined);
  t.like(seen[0], {operation: 'CONNECT', name: 'one', namespace, subresource: 'pipe', options: {}, oldObject: undefined});
  t.is(seen[0]!.kind.kind, 'PipeOptions');
  t.deepEqual(seen[0]!.object as unknown, {
    kind: 'PipeOptions',
    apiVersion: 'example.com/v1',
    path: '/deep',
    loud: true,
    words: ['a', 'b'],
    width: 7,
  });
  const dry = resource('pipe').connect(key('one'), '', context({dryRun: true}), () => undefined);
  t.like(await t.throwsAsync<StatusError>(dry), {code: 400});
});

test('a controller that fails keeps the handler from a connection', async (t) => {
  const fail = () => {
    throw new Error('no');
  };
  const handlers = {Pipe: {connect: () => undefined}};
  const {resource} = await startRegistry(t, {admission: [{validate: fail}], handlers});
  const connect = resource('pipe').connect(key('one'), '', context(), () => t.fail('the handler was called'));
  t.like(await t.throwsAsync<StatusError>(connect), {code: 500});
});

test('what admission and strategies warn of and annotate reaches the request', async (t) => {
  const warnings: string[] = [];
  const annotations: string[] = [];
  const {resource} = await startRegistry(t, {
    strategy: {prepareForCreate: (_object: ApiObject, {warn}) => warn('from the strategy')},
    admission: [{admit: ({warn, annotate}) => (warn('from admission'), annotate('test/a', 'b'))}],
  });
  await resource().create(collection, bodySource(widget('one')), context({warnings, annotations}));
  t.deepEqual(warnings, ['from admission', 'from the strategy']);
  t.deepEqual(annotations, ['test/a=b']);
});

test('a dry run stores nothing, whatever the verb, and says what would be', async (t) => {
  const {resource, make, read} = await startRegistry(t);
  const one = await make('one');
  const dry = context({dryRun: true});
  const main = resource();
  t.is((await main.create(collection, bodySource(widget('two')), dry)).result.object().metadata.name, 'two');
  const taken = main.create(collection, bodySource(widget('one')), dry);
  t.like(await t.throwsAsync<StatusError>(taken), {reason: 'AlreadyExists'});
  const patched = await main.patch(key('one'), merge, body({spec: {size: 'huge'}}), dry);
  t.deepEqual(patched.result.object()['spec'], {size: 'huge'});
  t.true((await main.delete(key('one'), {...noOptions, dryRun: true}, context())).removed);
  await main.deleteCollection(namespace, {}, noOptions, dry);
  t.deepEqual([await read('one'), await read('two')], [one, undefined]);
});

test('another name is generated while the one before is taken', async (t) => {
  let taken = 3;
  const tried: string[] = [];
  const {resource} = await startRegistry(t, {
    strategy: {canonicalize: ({metadata}: ApiObject) => void tried.push(metadata.name!)},
    settings: {isEnabled: (gate) => gate === 'RetryGenerateName'},
  });
  const {storage} = resource().served;
  const create = storage.create.bind(storage);
  storage.create = async (object, space, name, mark) => {
    if (taken-- > 0) await create(structuredClone(object), space, name, mark);
    return create(object, space, name, mark);
  };
  const {result} = await resource().create(collection, bodySource({...widget(''), metadata: {generateName: 'gen-'}}), context());
  t.is(tried.length, 4);
  t.is(new Set(tried).size, 4);
  t.is(result.object().metadata.name, tried.at(-1));
});

test('a handler writes the object behind its subresource, and clients reach the handler only', async (t) => {
  const claimKind = {group: 'example.com', version: 'v1', kind: 'Claim'};
  const claims = {verbs: ['create'], kind: claimKind, schema: {type: 'object'}, handler: 'Claim', writes: ['spec.owner']};
  const spec = {type: 'object', properties: {owner: {type: 'string'}, size: {type: 'string'}}};
  const schema = {type: 'object', properties: {spec}};
  const version = {name: 'v1', served: true, storage: true, schema, subresources: {claim: claims}};
  const {resource, make} = await startRegistry(t, {
    definition: {versions: [version as never]},
    handlers: {
      Claim: {
        async create(claim) {
          const wanted = widget('one', {spec: {owner: 'me', size: 'huge'}});
          await resource('claim').update(key('one'), bodySource(wanted), context());
          return claim;
        },
      },
    },
  });
  await make('one', {spec: {size: 'tiny'}});
  const claim = {apiVersion: 'example.com/v1', kind: 'Claim', metadata: {name: 'one'}};
  t.is((await resource('claim').create(key('one'), bodySource(claim), context())).result.object().kind, 'Claim');
  const found = await resource().get(key('one'), undefined, context());
  t.deepEqual(found.object()['spec'], {owner: 'me', size: 'tiny'});
});

test('admission of a Scale sees and changes a Scale, which is before and after of that kind', async (t) => {
  const seen: unknown[] = [];
  const see = ({kind, forms, subresource, object, oldObject}: AdmissionRequest) => {
    const replicas = [object!, oldObject!].map((shown) => [shown.kind, (shown['spec'] as {replicas?: number}).replicas]);
    seen.push({kind: kind.kind, forms: forms.map((form) => form.kind.kind), subresource, replicas});
  };
  const {resource, make, read} = await startRegistry(t, {
    admission: [
      {
        operations: ['UPDATE'],
        admit(request) {
          see(request);
          (request.object!['spec'] as {replicas: number}).replicas += 1;
        },
        validate: see,
      },
    ],
  });
  await make('one', {spec: {replicas: 1}});
  await resource('scale').patch(key('one'), merge, body({spec: {replicas: 5}}), context());
  const common = {kind: 'Scale', forms: ['Scale'], subresource: 'scale'};
  t.deepEqual(seen, [
    {
      ...common,
      replicas: [
        ['Scale', 5],
        ['Scale', 1],
      ],
    },
    {
      ...common,
      replicas: [
        ['Scale', 6],
        ['Scale', 1],
      ],
    },
  ]);
  t.deepEqual((await read('one'))!['spec'], {size: 'small', replicas: 6});
});

test('mutating admission runs once more when a controller asks for it, and no more than that', async (t) => {
  const rounds: string[] = [];
  const admit = (name: string) => (request: AdmissionRequest) => {
    rounds.push(`${name} ${request.round}`);
    request.runAgain();
  };
  const {resource} = await startRegistry(t, {admission: [{admit: admit('first')}, {admit: admit('second')}]});
  await resource().create(collection, bodySource(widget('one')), context());
  t.deepEqual(rounds, ['first 0', 'second 0', 'first 1', 'second 1']);
});

test('a patch by admission counts as what a client sends: unknown fields go, defaults come, system fields stay', async (t) => {
  const changed: boolean[] = [];
  const patches = [
    [
      {op: 'replace', path: '/spec/replicas', value: 3},
      {op: 'add', path: '/unknown', value: 1},
      {op: 'remove', path: '/spec/size'},
    ],
    [{op: 'add', path: '/metadata/uid', value: 'mine'}],
    [{op: 'test', path: '/spec/replicas', value: 3}],
  ];
  const {resource, read} = await startRegistry(t, {
    admission: [{admit: async (request) => void changed.push(await request.patch(patches.shift()!, request.forms[0]))}],
  });
  for (const name of ['one', 'two', 'three'])
    await resource().create(collection, bodySource(widget(name, {spec: {replicas: 3, size: 'small'}})), context());
  t.deepEqual(changed, [false, true, false]);
  t.deepEqual((await read('one'))!['spec'], {replicas: 3, size: 'small'});
  t.false(Object.hasOwn((await read('one'))!, 'unknown'));
  t.not((await read('two'))!.metadata.uid, 'mine');
});

test('a patch by admission that is none, does not apply or makes no object of the kind is refused', async (t) => {
  const failures: unknown[] = [];
  const tries = [
    {op: 'add'},
    [{op: 'remove', path: '/spec/none'}],
    [{op: 'replace', path: '/kind', value: 'Other'}],
    [{op: 'add', path: '/spec/size', value: 7}],
  ];
  const {resource} = await startRegistry(t, {
    admission: [
      {
        async admit(request) {
          for (const patch of tries)
            await request.patch(patch as never, request.forms[0]).catch((error: StatusError) => failures.push(error.code));
        },
      },
    ],
  });
  await resource().create(collection, bodySource(widget('one', {spec: {}})), context());
  t.deepEqual(failures, [400, 400, 400, 422]);
});
