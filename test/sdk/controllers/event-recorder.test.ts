import test from 'ava';
import {ClientResources, types} from '../../../sdk/client/index.js';
import {EventRecorder} from '../../../sdk/controllers/index.js';
import {until} from '../../helpers/eventually.js';
import {recordingLogger} from '../../helpers/recording-logger.js';
import {SetClock} from '../../helpers/set-clock.js';
import {fileServer} from '../client/client-server.js';

const server = fileServer();
const began = Date.parse('2024-01-01T00:00:00Z');

async function setup(namespace: string) {
  await server()
    .api.resource(types.core.v1.Namespace)
    .create({metadata: {name: namespace}});
  const map = await server()
    .api.resource(types.core.v1.ConfigMap, namespace)
    .create({metadata: {name: 'one'}});
  const clock = new SetClock(began);
  const resources = await ClientResources.open(server().api);
  const recorder = new EventRecorder({resources, logger: recordingLogger().logger, controller: 'kit.example.com/test', clock});
  const own = server().api.resource(types.events.v1.Event, namespace);
  return {map: map as never, clock, resources, recorder, own, list: async () => (await own.list()).items};
}

const warning = (note: string) => ({type: 'Warning', reason: 'Broken', action: 'Mend', note}) as const;

test('an event tells of an object; its repetitions are counted in one series, also after it has expired', async (t) => {
  const {map, clock, recorder, own, list} = await setup('recorded');
  t.teardown(() => recorder.close());
  recorder.record(map, warning('it is broken'));
  await until('the event is written', async () => (await list()).length === 1);
  const [first] = await list();
  t.like(first, {
    type: 'Warning',
    reason: 'Broken',
    action: 'Mend',
    note: 'it is broken',
    eventTime: '2024-01-01T00:00:00.000000Z',
    reportingController: 'kit.example.com/test',
  });
  t.like(first?.regarding, {apiVersion: 'v1', kind: 'ConfigMap', namespace: 'recorded', name: 'one'});
  t.is(first?.series, undefined);
  clock.set(began + 2000);
  for (let index = 0; index < 3; index++) recorder.record(map, warning('it is broken'));
  await until('the repetitions are written', async () => (await list())[0]?.series?.count === 4);
  t.is((await list())[0]?.series?.lastObservedTime, '2024-01-01T00:00:02.000000Z');
  await own.delete(first!.metadata.name!);
  recorder.record(map, warning('it is broken'));
  await until('it is there again', async () => (await list())[0]?.series?.count === 5);
  t.is(recorder.lost, 0);
});

test('many different notes are combined, and an object that has too many events gets no more until later', async (t) => {
  const {map, clock, recorder, list} = await setup('combined');
  t.teardown(() => recorder.close());
  for (let index = 0; index < 40; index++) recorder.record(map, warning(`fault ${index}`));
  await until('all are written', async () => {
    const all = await list();
    return all.length === 11 && all.some(({series}) => series?.count === 15);
  });
  const combined = (await list()).filter(({note}) => note?.startsWith('(combined from similar events): '));
  t.deepEqual(
    combined.map(({note, series}) => [note, series?.count]),
    [['(combined from similar events): fault 10', 15]],
  );
  t.is(recorder.lost, 15);
  clock.set(began + 700_000);
  recorder.record(map, warning('fault 50'));
  await until('a new one', async () => (await list()).some(({note}) => note === 'fault 50'));
});

test('core events carry count, source and times as those of the controllers of Kubernetes, nine alike before they are combined', async (t) => {
  const {map, clock, resources} = await setup('core-events');
  const recorder = new EventRecorder({resources, logger: recordingLogger().logger, controller: 'kit-controller', form: 'core', clock});
  t.teardown(() => recorder.close());
  const own = server().api.resource(types.core.v1.Event, 'core-events');
  const list = async () => (await own.list()).items.toSorted((one, other) => (one.metadata.name! < other.metadata.name! ? -1 : 1));
  recorder.record(map, {type: 'Normal', reason: 'Made', note: 'made 0'});
  await until('the event is written', async () => (await list()).length === 1);
  const [first] = await list();
  t.like(first, {
    type: 'Normal',
    reason: 'Made',
    message: 'made 0',
    count: 1,
    source: {component: 'kit-controller'},
    reportingComponent: 'kit-controller',
    firstTimestamp: '2024-01-01T00:00:00Z',
    lastTimestamp: '2024-01-01T00:00:00Z',
  });
  t.regex(first!.metadata.name!, /^one\.[0-9a-f]{16}$/);
  clock.set(began + 3000);
  recorder.record(map, {type: 'Normal', reason: 'Made', note: 'made 0'});
  await until('the repetition is counted', async () => (await list())[0]?.count === 2);
  t.is((await list())[0]?.lastTimestamp, '2024-01-01T00:00:03Z');
  for (let index = 1; index < 12; index++) recorder.record(map, {type: 'Normal', reason: 'Made', note: `made ${index}`});
  await until('all are written', async () => (await list()).at(-1)?.count === 3);
  const all = await list();
  t.is(all.length, 10);
  t.is(all.at(-1)?.message, '(combined from similar events): made 11');
});

test('long names and notes are cut so that the event is accepted; what the server refuses is lost and hinders nothing', async (t) => {
  const {recorder, list} = await setup('odd');
  t.teardown(() => recorder.close());
  const about = (name: string, namespace: string) => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name, namespace}});
  recorder.record(about('x', 'no-such-namespace'), warning('nowhere'));
  recorder.record(about(`${'a'.repeat(235)}.${'b'.repeat(17)}`, 'odd'), warning('ä'.repeat(600)));
  await until('the event is written', async () => (await list()).length === 1);
  const [only] = await list();
  t.is(only?.note, 'ä'.repeat(512));
  t.regex(only!.metadata.name!, /^a{235}\.[0-9a-f]{16}$/);
  await until('the other is lost', () => recorder.lost === 1);
});
