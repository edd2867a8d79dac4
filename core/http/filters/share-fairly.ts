import {tooManyRequests} from '../../../sdk/index.js';
import {isPublicPath} from '../authentication/anonymous.js';
import type {RequestTurns} from '../request/exchange.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import type {WorkEstimator} from '../flow-control/estimate-work.js';
import type {WaitingRequest} from '../flow-control/dump.js';
import type {Flow} from '../flow-control/flow-schema.js';
import type {QueueSet} from '../flow-control/queue-set.js';
import type {RequestFlowControl} from '../flow-control/request-flow-control.js';
import type {Seat} from '../flow-control/request-queue.js';
import type {WatchCounts} from '../flow-control/watch-counts.js';
import type {Filter, Next} from './filter.js';
import {isLongRunning} from '../request/long-running.js';

/** Maximum milliseconds that a request waits for a seat, whatever its deadline. */
const longestWaitMillis = 60_000;

/** The cost of a long part of a request's work: milliseconds, whereas most requests take a fraction of one. */
const seatsOfLongParts = 10;

export interface FairnessParts {
  readonly flowControl: RequestFlowControl;
  readonly estimator: WorkEstimator;
  readonly watches: WatchCounts;
}

/**
 * Priority and fairness (docs/operations/limits.md): a request waits until its priority level has seats for it, and then for its turn among the
 * ready requests. It keeps its seats until its response has been sent; a watch, until it has sent its initial events.
 *
 * Exempt are requests that the flow schemas exempt, the health paths in any case, and connections that are handed over (`exec`, `proxy` and
 * the like).
 *
 * @throws 429 when the queues of the request's flow are full, when it has waited a quarter of its time, or when a level without queues has
 * no seat
 */
export function shareFairly({flowControl, estimator, watches}: FairnessParts): Filter<AuthenticatedExchange> {
  return (exchange, next) => {
    const {info} = exchange;
    const isWatch = info.verb === 'watch';
    if (!isWatch && isLongRunning(exchange)) return next(exchange);
    const flow = flowControl.classify(exchange.user, info);
    const {level, headers} = flow.schema;
    exchange.flowHeaders = headers;
    if (exchange.notes) exchange.notes.flow = {schema: flow.schema.name, level: level.name, waitedSeconds: 0};
    if (isWatch) {
      watches.add(info);
      exchange.whenFinished(() => watches.remove(info));
    }
    const {queues} = level;
    if (!queues || (!info.isResourceRequest && isPublicPath(exchange.path))) return next(exchange);

    const seat = queues.start(flow, estimator.estimate(info, exchange.query), flowControl.clock());
    if (!seat) {
      flow.schema.figures.rejected(queues.queued ? 'queue-full' : 'concurrency-limit');
      throw refusal(exchange, flow, queues.queued ? 'its queues are full' : 'no seat is free');
    }
    if (seat.state === 'waiting') return waitForSeat(exchange, flow, queues, seat, flowControl, next);
    return takeTurn(exchange, flow, queues, seat, flowControl, next);
  };
}

async function waitForSeat(
  exchange: AuthenticatedExchange,
  flow: Flow,
  queues: QueueSet,
  seat: Seat,
  flowControl: RequestFlowControl,
  next: Next<AuthenticatedExchange>,
): Promise<void> {
  seat.label = {exchange, flow} satisfies WaitingRequest;
  // As when its client has gone. Its time is longer than it may wait. An abort signal for each list that waits would take microseconds.
  exchange.whenFinished(() => queues.cancel(seat));
  const {figures} = flow.schema;
  const since = flowControl.clock();
  figures.waits();
  const admitted = await queues.wait(
    seat,
    Math.min(longestWaitMillis, (exchange.timeLimitMillis ?? exchange.carrier.limits.requestTimeout) / 4),
  );
  const waitedMillis = flowControl.clock() - since;
  exchange.notes?.waited(waitedMillis / 1000);
  figures.leaves();
  if (admitted) return takeTurn(exchange, flow, queues, seat, flowControl, next, waitedMillis);
  figures.rejected(exchange.isAborted ? 'cancelled' : 'time-out', waitedMillis);
  if (!exchange.isAborted) throw refusal(exchange, flow, 'it has waited too long');
}

function takeTurn(
  exchange: AuthenticatedExchange,
  flow: Flow,
  queues: QueueSet,
  seat: Seat,
  flowControl: RequestFlowControl,
  next: Next<AuthenticatedExchange>,
  waitedMillis = 0,
): Promise<void> {
  const {figures} = flow.schema;
  figures.dispatched(waitedMillis, seat.work.seats);
  if (waitedMillis > 0) exchange.trace?.step('wait for a seat');
  const finish = () => {
    // A watch has given its seat back once it had sent its initial events.
    if (seat.state !== 'serving') return;
    figures.finished(seat.work.seats);
    queues.finish(seat, flowControl.clock());
  };
  exchange.whenFinished(finish);
  if (exchange.info.verb === 'watch') exchange.whenInitialized = finish;
  exchange.turns = flow.requestTurns ??= turnsOf(flowControl, flow);
  const turn = flowControl.turns.enter(flow.turns, seat.work.seats, exchange.startedAt, seat.startedAt);
  return turn
    ? turn.then(() => {
        if (exchange.isOver) return undefined;
        const now = exchange.working();
        exchange.trace?.step('wait for its turn', now);
        return next(exchange);
      })
    : next(exchange);
}

/** One object for all requests of a flow. */
function turnsOf(flowControl: RequestFlowControl, {turns}: Flow): RequestTurns {
  return {
    giveWay: (since) => flowControl.turns.enter(turns, 1, since, flowControl.clock()),
    wait: (since) => flowControl.turns.wait(turns, seatsOfLongParts, since),
  };
}

function refusal(exchange: AuthenticatedExchange, {schema}: Flow, why: string) {
  const {carrier, user} = exchange;
  exchange.terminated = true;
  carrier.acted('maxRequestsInflight', 'a request was refused', {
    user: user.username,
    flowSchema: schema.name,
    priorityLevel: schema.level.name,
    why,
  });
  return tooManyRequests('Too many requests, please try again later.', 1);
}
