import test from 'ava';
import type {StatusError} from '../../../../sdk/index.js';
import {body, bodySource, context, namespace, startRegistry, widget} from '../registry-fixture.js';

const merge = 'application/merge-patch+json';
const collection = {namespace, name: ''};
const key = {namespace, name: 'one'};
const limit = 10_000;
const settings = {maximumObjectBytes: limit};
const tooLarge = {code: 413, reason: 'RequestEntityTooLarge'} as const;
const parts = (count: number) => ({parts: Array.from({length: count}, (_, index) => ({name: `part-${index}`}))});

test('an object that defaults or a controller make too large is refused', async (t) => {
  const grow = ({object}: {object?: {spec?: unknown} | undefined}) => {
    if (object?.spec !== undefined) object.spec = parts(1000);
  };
  const {resource, read} = await startRegistry(t, {settings, admission: [{admit: grow as never}]});
  const create = resource().create(collection, bodySource(widget('one', {spec: {size: 'tiny'}})), context());
  t.like(await t.throwsAsync<StatusError>(create), tooLarge);
  t.is(await read('one'), undefined);
});

test('what is too large is refused before controllers and strategies see it', async (t) => {
  const never = () => t.fail('it was called');
  const {resource} = await startRegistry(t, {
    settings,
    admission: [{admit: never, validate: never}],
    strategy: {applyDefaults: never, prepareForCreate: never, validateCreate: () => (never(), [])},
  });
  const create = resource().create(collection, bodySource(widget('one', {spec: parts(1000)})), context());
  t.like(await t.throwsAsync<StatusError>(create), tooLarge);
});

test('an object stored under a higher bound may be written as long as it does not grow, and be deleted', async (t) => {
  const bound = {maximumObjectBytes: 1_000_000};
  const {resource, make, read} = await startRegistry(t, {settings: bound});
  await make('one', {metadata: {name: 'one', finalizers: ['example.com/hold']}, spec: parts(1000)});
  (resource().served as {maximumObjectBytes: number}).maximumObjectBytes = limit;
  const patch = (change: object) => resource().patch(key, merge, body(change), context());
  t.is((await patch({spec: {parts: parts(900).parts}})).result.object().metadata.name, 'one');
  t.like(await t.throwsAsync<StatusError>(patch({spec: {parts: parts(2000).parts}})), tooLarge);
  await resource().delete(key, {preconditions: {}, dryRun: false}, context());
  await patch({metadata: {finalizers: null}});
  t.is(await read('one'), undefined);
});

test('an apply never loses the record of who owns what: it is refused instead', async (t) => {
  const labels = Object.fromEntries(Array.from({length: 180}, (_, index) => [`label-${index}`, 'x'.repeat(30)]));
  const {resource} = await startRegistry(t, {settings});
  const one = widget('one', {metadata: {name: 'one', labels}});
  const apply = resource().apply(key, body(one), false, context(), () => undefined);
  t.like(await t.throwsAsync<StatusError>(apply), tooLarge);
  const {result} = await resource().create(collection, bodySource(one), context());
  t.is(result.object().metadata.managedFields, undefined);
});
