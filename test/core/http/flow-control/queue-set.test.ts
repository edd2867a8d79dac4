import {setTimeout as delay} from 'node:timers/promises';
import test from 'ava';
import {QueueSet, type Queuing} from '../../../../core/http/flow-control/queue-set.js';
import type {Seat} from '../../../../core/http/flow-control/request-queue.js';
import {oneSeat, type Work} from '../../../../core/http/flow-control/work.js';
import {random} from './random.js';

const wide = (seats: number): Work => ({seats, finalSeats: 0, finalMillis: 0});
const queuing: Queuing = {queues: 64, handSize: 6, queueLengthLimit: 50};
/** A flow with these queues whatever is asked for. */
const flow = (...hand: number[]) => ({hand: () => hand, seatsInUse: 0});

/** A level with a clock of its own. */
function level(seats: number, how: Queuing | 'none' = queuing) {
  const time = {now: 0};
  const queues = new QueueSet(() => time.now);
  queues.configure(seats, how === 'none' ? undefined : how);
  return {
    time,
    queues,
    start: (who: ReturnType<typeof flow>, work: Work = oneSeat) => queues.start(who, work, time.now),
    finish: (seat: Seat) => queues.finish(seat, time.now),
  };
}

test('requests are served at once as long as there are seats, and wait in line then', async (t) => {
  const {queues, start, finish} = level(2);
  const [first, second, third, fourth] = [1, 2, 3, 4].map(() => start(flow(0))!);
  t.deepEqual(
    [first, second, third, fourth].map((seat) => seat!.state),
    ['serving', 'serving', 'waiting', 'waiting'],
  );
  t.deepEqual(queues.state, {seats: 2, seatsInUse: 2, serving: 2, waiting: 2});
  const decided = queues.wait(third!, 1000);
  finish(second!);
  t.true(await decided);
  t.deepEqual([third!.state, fourth!.state], ['serving', 'waiting']);
  finish(first!);
  finish(third!);
  t.is(fourth!.state, 'serving');
  finish(fourth!);
  finish(fourth!);
  t.true(queues.idle);
  t.deepEqual(queues.state, {seats: 2, seatsInUse: 0, serving: 0, waiting: 0});
});

test('without queues a request that finds no seat is refused', (t) => {
  const {start, finish} = level(1, 'none');
  const seat = start(flow(0))!;
  t.is(start(flow(0)), undefined);
  finish(seat);
  t.is(start(flow(0))!.state, 'serving');
});

test('a full queue takes no more, and one of the other queues of a flow does', (t) => {
  const {queues, start} = level(1, {queues: 8, handSize: 2, queueLengthLimit: 2});
  start(flow(0));
  for (let count = 0; count < 4; count += 1) t.is(start(flow(1, 2))!.state, 'waiting');
  t.is(start(flow(1, 2)), undefined);
  t.is(start(flow(2, 3))!.state, 'waiting');
  t.deepEqual(
    queues.queues().map(({index, waiting}) => [index, waiting]),
    [
      [0, 0],
      [1, 2],
      [2, 2],
      [3, 1],
    ],
  );
});

test('a request that waits too long, or is given up, leaves the line', async (t) => {
  const {queues, start, finish} = level(1);
  const seat = start(flow(0))!;
  const [late, gone, next] = [1, 2, 3].map(() => start(flow(0))!);
  t.false(await queues.wait(late!, 5));
  const decided = queues.wait(gone!, 10_000);
  queues.cancel(gone!);
  t.false(await decided);
  t.is(queues.state.waiting, 1);
  finish(seat);
  t.is(next!.state, 'serving');
});

test('a request that is wider than the level has it for itself', (t) => {
  const {start, finish} = level(3);
  const narrow = start(flow(0))!;
  const broad = start(flow(1), wide(10))!;
  // It would be done sooner, so it goes first.
  const other = start(flow(2))!;
  t.deepEqual([broad.state, other.state], ['waiting', 'serving']);
  finish(narrow);
  t.is(broad.state, 'waiting');
  finish(other);
  t.is(broad.state, 'serving');
  t.is(start(flow(3))!.state, 'waiting');
});

test('requests of several seats leave some to those of one, which do not wait for them', (t) => {
  const {queues, start, finish} = level(16);
  const lists = [1, 2, 3, 4].map(() => start(flow(1), wide(5))!);
  t.deepEqual(
    lists.map(({state}) => state),
    ['serving', 'serving', 'waiting', 'waiting'],
  );
  const reads = Array.from({length: 7}, () => start(flow(2))!);
  // Two are not for lists. The others go first in the order of queues, until that comes to the list.
  t.true(reads.slice(0, 2).every(({state}) => state === 'serving'));
  for (const read of reads) finish(read);
  t.true(reads.every(({state}) => state === 'over' || state === 'serving'));
  for (const read of reads) finish(read);
  t.is(lists[2]!.state, 'waiting');
  finish(lists[0]!);
  t.is(lists[2]!.state, 'serving');
  t.is(queues.state.seatsInUse, 10);
});

test('requests of one seat that never end take no seat from a wide one but those that are kept for them', (t) => {
  const {time, start, finish} = level(16);
  const first = start(flow(1), wide(10))!;
  const list = start(flow(1), wide(10))!;
  const reads = Array.from({length: 40}, () => start(flow(2))!);
  time.now += 30;
  finish(first);
  let served = 0;
  while (list.state === 'waiting' && served < reads.length) {
    time.now += 3;
    finish(reads.find(({state}) => state === 'serving')!);
    served += 1;
  }
  t.is(list.state, 'serving');
  t.true(served < 20, `${served}`);
});

test('seats for what comes behind an answer are kept that long', async (t) => {
  const queues = new QueueSet();
  queues.configure(4, queuing);
  const seat = queues.start(flow(0), {seats: 1, finalSeats: 3, finalMillis: 30}, performance.now())!;
  t.is(queues.state.seatsInUse, 3);
  queues.finish(seat, performance.now());
  t.deepEqual([queues.state.seatsInUse, queues.state.serving, queues.idle], [3, 0, false]);
  const next = queues.start(flow(1), wide(2), performance.now())!;
  t.is(next.state, 'waiting');
  t.true(await queues.wait(next, 5000));
  t.is(queues.state.seatsInUse, 2);
});

test('more seats are used as soon as they are there, and fewer as soon as requests end', async (t) => {
  const {queues, start, finish} = level(1);
  const seats = [0, 1, 2, 3].map((queue) => start(flow(queue))!);
  queues.configure(3, queuing);
  t.deepEqual(
    seats.map(({state}) => state),
    ['serving', 'serving', 'serving', 'waiting'],
  );
  queues.configure(1, queuing);
  finish(seats[0]!);
  finish(seats[1]!);
  t.is(seats[3]!.state, 'waiting');
  finish(seats[2]!);
  t.is(seats[3]!.state, 'serving');
});

test('a level that gets fewer queues serves those who wait in the others', (t) => {
  const {queues, start, finish} = level(1);
  const seat = start(flow(0))!;
  const waiting = start(flow(60))!;
  queues.configure(1, {queues: 4, handSize: 2, queueLengthLimit: 10});
  const other = start(flow(3))!;
  queues.configure(1, undefined);
  t.is(start(flow(0)), undefined);
  finish(seat);
  t.is(waiting.state, 'serving');
  finish(waiting);
  t.is(other.state, 'serving');
});

test('a flow with one request at a time is hardly delayed by one that floods its queues', (t) => {
  const {time, start, finish} = level(4);
  const flood = new Set<Seat>();
  const add = () => void flood.add(start(flow(1, 2, 3, 4, 5, 6))!);
  for (let count = 0; count < 200; count += 1) add();
  let waited = 0;
  for (let round = 0; round < 100; round += 1) {
    const arrived = time.now;
    const single = start(flow(7))!;
    while (single.state === 'waiting') {
      time.now += 1;
      // Each request of the flood takes 4 ms: one of four seats becomes free each millisecond.
      finish([...flood].find(({state}) => state === 'serving')!);
      for (const seat of flood) if (seat.state === 'over') flood.delete(seat);
      while (flood.size < 200) add();
    }
    // The six queues of the flood may each be served once before.
    t.true(time.now - arrived <= 8, `round ${round}: ${time.now - arrived} ms`);
    waited += time.now - arrived;
    time.now += 1;
    finish(single);
  }
  t.true(waited < 400, `${waited} ms in all`);
});

test('a seat that becomes free goes to the flow that has the fewest, in however many queues another one waits', (t) => {
  const {time, start, finish} = level(40);
  const busy = flow(1, 2, 3, 4, 5, 6);
  const other = flow(7);
  const lists = Array.from({length: 20}, () => start(busy, wide(10))!);
  t.is(busy.seatsInUse, 30);
  for (let round = 0; round < 20; round += 1) {
    const single = start(other, wide(10))!;
    t.is(single.state, 'waiting');
    time.now += 1;
    finish(lists.find(({state}) => state === 'serving')!);
    t.is(single.state, 'serving', `round ${round}`);
    lists.push(start(busy, wide(10))!);
    time.now += 1;
    finish(single);
    t.is(other.seatsInUse, 0);
  }
  for (const list of lists) finish(list);
});

/** What a queue got, in seat-milliseconds, in a made-up world that keeps the level busy. */
interface Client {
  readonly queue: number;
  readonly width: number;
  readonly millis: number;
  used: number;
}

test('queues that always have requests get equal shares of the seats, whatever their requests are like', (t) => {
  const {seed, next} = random();
  t.log(`seed ${seed}`);
  const {time, queues, start, finish} = level(10);
  const clients: Client[] = [0, 1, 2, 3].map((queue) => ({queue, width: 1 + (queue % 3), millis: 2 + 3 * queue, used: 0}));
  const under: {seat: Seat; client: Client; until: number | undefined}[] = [];
  for (; time.now < 6_000; time.now += 1) {
    for (const entry of [...under]) {
      if (entry.seat.state !== 'serving') continue;
      entry.until ??= time.now + entry.client.millis * (0.5 + next());
      if (time.now < entry.until) {
        entry.client.used += entry.client.width;
        continue;
      }
      under.splice(under.indexOf(entry), 1);
      finish(entry.seat);
    }
    for (const client of clients) {
      while (under.filter((entry) => entry.client === client).length < 20)
        under.push({client, seat: start(flow(client.queue), wide(client.width))!, until: undefined});
    }
    t.true(queues.state.seatsInUse <= 10);
  }
  const share = clients.reduce((sum, {used}) => sum + used, 0) / clients.length;
  t.log(clients.map(({used}) => used));
  for (const {queue, used} of clients) t.true(Math.abs(used / share - 1) < 0.1, `queue ${queue}: ${used} of ${share}`);
});

test('whatever happens, seats are never given twice, lines keep their order, and nobody waits who could be served', (t) => {
  const {seed, next} = random();
  t.log(`seed ${seed}`);
  const pick = (count: number) => Math.floor(next() * count);
  for (let world = 0; world < 40; world += 1) {
    let seats = 1 + pick(12);
    const how = {queues: 1 + pick(8), handSize: 1, queueLengthLimit: 1 + pick(6)};
    const {time, queues, start, finish} = level(seats, how);
    const lines = new Map<number, Seat[]>();
    let serving: Seat[] = [];
    let grown = 0;
    for (let step = 0; step < 600; step += 1) {
      time.now += next() * 3;
      const action = next();
      if (action < 0.5) {
        const index = pick(how.queues);
        const line = (lines.get(index) ?? []).filter(({state}) => state === 'waiting');
        const full = line.length >= how.queueLengthLimit && queues.state.seatsInUse >= seats;
        const seat = start(flow(index), wide(1 + pick(4)));
        t.is(seat === undefined, full);
        if (seat) lines.set(index, [...line, seat]);
      } else if (action < 0.85 && serving.length > 0) {
        finish(serving[pick(serving.length)]!);
      } else if (action < 0.95) {
        const waiting = [...lines.values()].flat().filter(({state}) => state === 'waiting');
        if (waiting.length > 0) queues.cancel(waiting[pick(waiting.length)]!);
      } else {
        seats = 1 + pick(12);
        grown = Math.max(grown, seats);
        queues.configure(seats, how);
      }
      const all = [...lines.values()].flat();
      serving = [...new Set([...serving, ...all])].filter(({state}) => state === 'serving');
      const inUse = serving.reduce((sum, {width}) => sum + width, 0);
      const waiting = all.filter(({state}) => state === 'waiting');
      t.deepEqual(queues.state, {seats, seatsInUse: inUse, serving: serving.length, waiting: waiting.length});
      // One that is wider than the level is served alone; seats that were taken away are not taken back.
      t.true(inUse <= Math.max(seats, grown, 12) || serving.length === 1);
      for (const line of lines.values()) {
        const states = line.filter(({state}) => state === 'waiting' || state === 'serving').map(({state}) => state);
        t.deepEqual(
          states,
          states.toSorted((a, b) => (a === b ? 0 : a === 'serving' ? -1 : 1)),
        );
      }
      const heads = [...lines.values()].flatMap((line) => line.find(({state}) => state === 'waiting') ?? []);
      const wideInUse = serving.reduce((sum, {width}) => sum + (width > 1 ? width : 0), 0);
      const forWide = seats - Math.floor(seats / 8);
      const fits = ({width}: Seat) => inUse + width <= seats && (width === 1 || wideInUse + width <= forWide);
      t.false(heads.length > 0 && heads.every(fits), 'everyone in front could be served');
    }
    const left = [...serving, ...[...lines.values()].flat()];
    for (const seat of left) queues.cancel(seat);
    for (const seat of left) finish(seat);
    t.true(queues.idle);
    t.is(queues.state.seatsInUse, 0);
    t.deepEqual(queues.queues(), []);
  }
});

test('idle queues are not kept without end', async (t) => {
  const {queues, start, finish} = level(1, {queues: 10_000_000, handSize: 1, queueLengthLimit: 1});
  for (let index = 0; index < 5000; index += 1) finish(start(flow(index * 2000))!);
  t.true(queues.idle);
  t.true(queues.keptQueues <= 1025, String(queues.keptQueues));
  await delay(0);
});
