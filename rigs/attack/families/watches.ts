import {setTimeout as sleep} from 'node:timers/promises';
import {family, ofToday, type Attack} from '../attack.js';
import type {Attacker} from '../client/attacker.js';
import type {Connection, ConnectOptions} from '../client/connection.js';
import {requestText} from '../client/request-text.js';
import {configMap, configMaps} from './objects.js';

const collection = (attacker: Attacker) => attacker.path('configmaps');
const watch = (attacker: Attacker, query = '', ...headers: string[]) =>
  requestText('GET', `${collection(attacker)}?watch=1${query}`, {headers});

/** Opens watches, as many as the server lets. */
async function openWatches(
  attacker: Attacker,
  count: number,
  request: (number: number) => Buffer,
  connect: ConnectOptions = {},
): Promise<Connection[]> {
  return attacker.openMany(
    count,
    async (number) => {
      const connection = await attacker.open({user: 'tenant', ...connect});
      connection?.write(request(number));
      return connection;
    },
    20,
  );
}

/** Changes an object again and again until time is over. */
async function changing(attacker: Attacker, bytes: number, pauseMillis: number): Promise<void> {
  for (let number = 0; !attacker.isOver; number++) {
    await attacker.call('PATCH', `${collection(attacker)}/changing`, {
      type: 'application/merge-patch+json',
      body: `{"data":{"text":"${number}-${'x'.repeat(bytes)}"}}`,
    });
    await sleep(pauseMillis);
  }
}

interface Watching {
  readonly name: string;
  readonly count: number;
  readonly seconds?: number;
  readonly query?: (number: number) => string;
  readonly headers?: readonly string[];
  /** Events with so many bytes flow, with such pauses. */
  readonly events?: {readonly bytes: number; readonly pauseMillis: number};
  /** Nothing is read. */
  readonly deaf?: boolean;
  readonly filled?: {readonly objects: number; readonly bytes: number};
  readonly leavesMegabytes?: number;
  readonly outcomes?: Attack['outcomes'];
  readonly flags?: readonly string[];
}

const watchings: readonly Watching[] = [
  {name: '10000-of-one-client', count: 10_000, seconds: 12, events: {bytes: 100, pauseMillis: 100}, outcomes: [200, 429]},
  {name: '500-with-fast-events', count: 500, seconds: 4, events: {bytes: 1_000, pauseMillis: 10}},
  {
    name: '500-of-yaml',
    count: 300,
    seconds: 3,
    headers: ['Accept: application/yaml'],
    events: {bytes: 1_000, pauseMillis: 10},
    outcomes: [200, 406],
  },
  {
    name: '300-of-protobuf',
    count: 300,
    seconds: 3,
    headers: ['Accept: application/vnd.orch.protobuf;stream=watch'],
    events: {bytes: 1_000, pauseMillis: 10},
  },
  {
    name: '300-of-tables',
    count: 300,
    seconds: 3,
    headers: ['Accept: application/json;as=Table;g=meta.orch;v=v1'],
    events: {bytes: 1_000, pauseMillis: 10},
  },
  {name: '300-compressed', count: 300, seconds: 3, headers: ['Accept-Encoding: gzip'], events: {bytes: 1_000, pauseMillis: 10}},
  {
    name: '300-with-selectors',
    count: 300,
    seconds: 4,
    query: (n) => `&labelSelector=number%3D${n}`,
    events: {bytes: 1_000, pauseMillis: 10},
  },
  {
    name: '200-with-many-terms',
    count: 200,
    seconds: 4,
    query: (n) => `&labelSelector=${Array.from({length: 1000}, (_, term) => `!k${n}-${term}`).join(',')}`,
    events: {bytes: 1_000, pauseMillis: 10},
    outcomes: [200, 400, 431],
  },
  {name: '300-with-bookmarks', count: 300, seconds: 3, query: () => '&allowWatchBookmarks=true', events: {bytes: 100, pauseMillis: 50}},
  {name: '300-of-a-second', count: 300, seconds: 3, query: () => '&timeoutSeconds=1'},
  {name: '100-never-read', count: 100, seconds: 4, deaf: true, events: {bytes: 200_000, pauseMillis: 20}, leavesMegabytes: 64},
  {name: '300-never-read-small', count: 300, seconds: 4, deaf: true, events: {bytes: 20_000, pauseMillis: 5}, leavesMegabytes: 64},
  {
    name: '100-never-read-of-tables',
    count: 100,
    seconds: 4,
    deaf: true,
    headers: ['Accept: application/json;as=Table;g=meta.orch;v=v1'],
    query: () => '&includeObject=Object',
    events: {bytes: 200_000, pauseMillis: 20},
    leavesMegabytes: 64,
  },
  {name: '100-never-read-of-large-state', count: 100, seconds: 3, deaf: true, filled: {objects: 40, bytes: 50_000}},
  {
    name: '100-initial-events',
    count: 100,
    seconds: 3,
    query: () => '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
    filled: {objects: 40, bytes: 50_000},
    flags: ofToday,
  },
  {
    name: '100-never-read-initial-events',
    count: 100,
    seconds: 3,
    deaf: true,
    query: () => '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
    filled: {objects: 40, bytes: 50_000},
    flags: ofToday,
  },
  {name: '200-of-the-past', count: 200, seconds: 3, query: () => '&resourceVersion=1', outcomes: [200, 410]},
  {name: '200-of-the-future', count: 200, seconds: 3, query: (n) => `&resourceVersion=${2 ** 40 + n}`, outcomes: [200, 504, 429, 'held']},
];

export const watches = family('watches', [
  ...watchings.map(
    ({
      name,
      count,
      seconds,
      query = () => '',
      headers = [],
      events,
      deaf = false,
      filled,
      leavesMegabytes,
      outcomes = [200, 429],
      flags,
    }): Attack => ({
      name,
      outcomes,
      ...(flags === undefined ? {} : {flags}),
      ...(seconds === undefined ? {} : {seconds}),
      ...(leavesMegabytes === undefined ? {} : {leavesMegabytes}),
      async prepare(attacker) {
        await attacker.make(collection(attacker), configMap('changing'));
        if (filled) await attacker.makeAll(collection(attacker), configMaps(filled.objects, filled.bytes));
      },
      async run(attacker) {
        const opening = openWatches(attacker, count, (number) => watch(attacker, query(number), ...headers), {deaf});
        if (events) await changing(attacker, events.bytes, events.pauseMillis);
        const opened = await opening;
        await attacker.hold(deaf ? [] : opened);
        if (!deaf) return;
        await attacker.hear(opened);
      },
    }),
  ),
  {
    name: 'churn',
    outcomes: [200],
    prepare: (attacker) => attacker.make(collection(attacker), configMap('changing')),
    run: (attacker) =>
      attacker.repeat(1000, 10, async () => {
        const connection = await attacker.open({user: 'tenant'});
        if (!connection) return;
        connection.write(watch(attacker));
        await Promise.race([new Promise((resolve) => connection.socket.once('data', resolve)), sleep(500)]);
        await sleep(5);
        connection.close();
      }),
  },
  {
    name: 'resets-under-events',
    outcomes: [200],
    seconds: 3,
    prepare: (attacker) => attacker.make(collection(attacker), configMap('changing')),
    async run(attacker) {
      const opened = await openWatches(attacker, 200, () => watch(attacker), {deaf: true});
      const events = changing(attacker, 50_000, 10);
      for (const connection of opened) {
        await sleep(5);
        connection.reset();
      }
      await events;
      const last = await attacker.open({user: 'tenant'});
      last?.write(watch(attacker));
      await sleep(200);
    },
  },
  {
    name: 'every-type',
    outcomes: [200],
    seconds: 3,
    async run(attacker) {
      const core = [
        'pods',
        'services',
        'secrets',
        'endpoints',
        'events',
        'serviceaccounts',
        'replicationcontrollers',
        'podtemplates',
        'limitranges',
        'resourcequotas',
        'persistentvolumeclaims',
      ];
      await openWatches(attacker, 200, (number) => requestText('GET', `${attacker.path(core[number % core.length]!)}?watch=1`));
      await attacker.hold();
    },
  },
  {
    name: 'slow-reader',
    outcomes: [200],
    seconds: 4,
    leavesMegabytes: 64,
    prepare: (attacker) => attacker.make(collection(attacker), configMap('changing')),
    async run(attacker) {
      const opened = await openWatches(attacker, 50, () => watch(attacker), {deaf: true});
      const events = changing(attacker, 100_000, 20);
      while (!attacker.isOver) {
        for (const {socket} of opened) socket.read(1024);
        await sleep(100);
      }
      await events;
      await attacker.hear(opened);
    },
  },
  {
    name: 'slow-reader-of-lists',
    outcomes: [200],
    seconds: 4,
    prepare: (attacker) => attacker.makeAll(collection(attacker), configMaps(40, 50_000)),
    async run(attacker) {
      const opened = await openWatches(attacker, 100, () => requestText('GET', collection(attacker)), {deaf: true});
      while (!attacker.isOver) {
        for (const {socket} of opened) socket.read(1024);
        await sleep(100);
      }
      await attacker.hear(opened);
    },
  },
]);
