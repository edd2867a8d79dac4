import test, {type ExecutionContext} from 'ava';
import {StoreError, type StatusError} from '../../../../sdk/index.js';
import {bodySource, context, namespace, startRegistry, widget} from '../registry-fixture.js';

/** Creates a widget with a generated name, where the first names are taken. @returns what came of it, and how many names were tried */
async function create(t: ExecutionContext, {gate, taken, metadata}: {gate: boolean; taken: number; metadata: object}) {
  const judged: (string | undefined)[] = [];
  const {resource} = await startRegistry(t, {
    settings: {isEnabled: (name) => gate && name === 'RetryGenerateName'},
    admission: [{validate: ({object}) => void judged.push(object?.metadata.name)}],
  });
  const {storage} = resource().served;
  const names: string[] = [];
  const store = storage.create.bind(storage);
  storage.create = async (object, at, name, ...rest) => {
    names.push(name);
    if (names.length <= taken) throw new StoreError('Exists', `${name} exists`);
    return store(object, at, name, ...rest);
  };
  const created = resource().create({namespace, name: ''}, bodySource(widget('', {metadata})), context());
  const outcome = await created.then(
    ({result}) => result.object().metadata.name,
    (error: StatusError) => error,
  );
  return {outcome, names, judged};
}

const generated = {generateName: 'made-'};

test('a generated name that is taken is generated again, up to eight times, and admission judges each', async (t) => {
  const {outcome, names, judged} = await create(t, {gate: true, taken: 7, metadata: generated});
  t.is(outcome, names.at(-1));
  t.is(new Set(names).size, 8);
  t.deepEqual(judged, names);
});

test('after eight names the answer is a 409 that says to try again', async (t) => {
  const {outcome, names} = await create(t, {gate: true, taken: 100, metadata: generated});
  t.is(names.length, 8);
  const {code, reason, message, details} = outcome as StatusError;
  t.deepEqual([code, reason], [409, 'AlreadyExists']);
  t.is(message, `widgets.example.com "${names[7]}" already exists, the server was not able to generate a unique name for the object`);
  t.deepEqual(details, {name: names[7]!, group: 'example.com', kind: 'widgets', retryAfterSeconds: 1});
});

test('without the feature gate RetryGenerateName one name is tried', async (t) => {
  const {outcome, names} = await create(t, {gate: false, taken: 1, metadata: generated});
  t.is(names.length, 1);
  t.regex((outcome as StatusError).message, /was not able to generate a unique name/);
});

test('a name that was given is tried once, and where a generateName stands beside it the answer says so', async (t) => {
  for (const gate of [true, false]) {
    const {outcome, names} = await create(t, {gate, taken: 1, metadata: {name: 'given'}});
    t.deepEqual(names, ['given']);
    t.is((outcome as StatusError).message, 'widgets.example.com "given" already exists');
    const both = await create(t, {gate, taken: 1, metadata: {name: 'given', ...generated}});
    t.deepEqual(both.names, ['given']);
    t.regex((both.outcome as StatusError).message, /already exists, the server was not able/);
  }
});
