import type {
  CounterSeries,
  GaugeSeries,
  HistogramDeclaration,
  HistogramSeries,
  Metric,
  MetricDeclaration,
  Metrics,
} from '../../../sdk/index.js';
import type {PriorityLevel} from './priority-level.js';

const flow = ['priority_level', 'flow_schema'];
const level = ['priority_level'];
const alpha = {stability: 'ALPHA'} as const;
const beta = {...alpha, releases: {beta: '1.28'}} as const;
const prefix = 'apiserver_flowcontrol_';

/** The metrics of priority and fairness: names and labels are those of Kubernetes 1.26. */
export const flowMetrics = {
  dispatched: {...beta, name: `${prefix}dispatched_requests_total`, help: 'Requests that got their seats.', labels: flow},
  rejected: {
    ...beta,
    name: `${prefix}rejected_requests_total`,
    help: 'Requests that were refused, by reason: queue-full, concurrency-limit, time-out, cancelled.',
    labels: [...flow, 'reason'],
  },
  waiting: {...beta, name: `${prefix}current_inqueue_requests`, help: 'Requests that wait for seats.', labels: flow},
  executing: {...beta, name: `${prefix}current_executing_requests`, help: 'Requests that have seats.', labels: flow},
  seatsInUse: {
    ...alpha,
    name: `${prefix}request_concurrency_in_use`,
    help: 'Seats in use.',
    labels: flow,
    releases: {deprecated: '1.31', until: '1.32'},
  },
  executingSeats: {
    ...alpha,
    name: `${prefix}current_executing_seats`,
    help: 'Seats in use, from 1.28 on.',
    labels: flow,
    releases: {since: '1.28', beta: '1.28'},
  },
  limit: {
    ...alpha,
    name: `${prefix}request_concurrency_limit`,
    help: 'Seats by the shares of the level.',
    labels: level,
    releases: {deprecated: '1.30', until: '1.31'},
  },
  nominal: {...beta, name: `${prefix}nominal_limit_seats`, help: 'Seats by the shares of the level.', labels: level},
  lower: {...alpha, name: `${prefix}lower_limit_seats`, help: 'Seats that the level keeps when others borrow.', labels: level},
  upper: {...alpha, name: `${prefix}upper_limit_seats`, help: 'Seats that the level has at most when it borrows.', labels: level},
  current: {...alpha, name: `${prefix}current_limit_seats`, help: 'Seats of the level at present.', labels: level},
  waited: {
    ...beta,
    name: `${prefix}request_wait_duration_seconds`,
    help: 'How long requests waited for seats, by whether they were served then.',
    labels: [...flow, 'execute'],
    buckets: [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  },
} as const satisfies Record<string, MetricDeclaration | HistogramDeclaration>;

export type Rejection = 'queue-full' | 'concurrency-limit' | 'time-out' | 'cancelled';

/** Counts what becomes of requests, for each flow schema. */
export class FlowFigures {
  readonly #dispatched: Metric<CounterSeries>;
  readonly #rejected: Metric<CounterSeries>;
  readonly #waiting: Metric<GaugeSeries>;
  readonly #executing: Metric<GaugeSeries>;
  readonly #waited: Metric<HistogramSeries>;
  readonly #seatsInUse: Metric<GaugeSeries>;
  readonly #executingSeats: Metric<GaugeSeries>;

  /** @param levels those in force */
  constructor(metrics: Metrics, levels: () => readonly PriorityLevel[]) {
    this.#dispatched = metrics.counter(flowMetrics.dispatched);
    this.#rejected = metrics.counter(flowMetrics.rejected);
    this.#waiting = metrics.gauge(flowMetrics.waiting);
    this.#executing = metrics.gauge(flowMetrics.executing);
    this.#waited = metrics.histogram(flowMetrics.waited);
    this.#seatsInUse = metrics.gauge(flowMetrics.seatsInUse);
    this.#executingSeats = metrics.gauge(flowMetrics.executingSeats);
    const ofLevels = (['limit', 'nominal', 'lower', 'upper', 'current'] as const).map(
      (figure) => [figure, metrics.gauge(flowMetrics[figure])] as const,
    );
    metrics.collect(() => {
      for (const [figure, gauge] of ofLevels) {
        gauge.clear();
        for (const one of levels()) if (one.queues) gauge.with(one.name).set(levelFigure(one, figure));
      }
    });
  }

  ofSchema(schema: string, priorityLevel: string): SchemaFigures {
    const labels = [priorityLevel, schema] as const;
    return new SchemaFigures({
      dispatched: this.#dispatched.with(...labels),
      waiting: this.#waiting.with(...labels),
      executing: this.#executing.with(...labels),
      seats: [this.#seatsInUse.with(...labels), this.#executingSeats.with(...labels)],
      waited: this.#waited.with(...labels, 'true'),
      waitedInVain: () => this.#waited.with(...labels, 'false'),
      rejected: (reason) => this.#rejected.with(...labels, reason),
    });
  }
}

interface SchemaSeries {
  readonly dispatched: CounterSeries;
  readonly waiting: GaugeSeries;
  readonly executing: GaugeSeries;
  /** Under both of their names. */
  readonly seats: readonly GaugeSeries[];
  readonly waited: HistogramSeries;
  readonly waitedInVain: () => HistogramSeries;
  readonly rejected: (reason: Rejection) => CounterSeries;
}

/** What becomes of the requests of one flow schema. */
export class SchemaFigures {
  readonly #series: SchemaSeries;

  constructor(series: SchemaSeries) {
    this.#series = series;
  }

  waits(): void {
    this.#series.waiting.add(1);
  }

  /** One that waited does so no longer. */
  leaves(): void {
    this.#series.waiting.add(-1);
  }

  /** @param waitedMillis 0 where a seat was free @param width its seats */
  dispatched(waitedMillis: number, width: number): void {
    const {dispatched, executing, seats, waited} = this.#series;
    dispatched.add();
    executing.add(1);
    for (const gauge of seats) gauge.add(width);
    waited.observe(waitedMillis / 1000);
  }

  finished(width: number): void {
    const {executing, seats} = this.#series;
    executing.add(-1);
    for (const gauge of seats) gauge.add(-width);
  }

  /** @param waitedMillis undefined where it was not allowed to wait */
  rejected(reason: Rejection, waitedMillis?: number): void {
    this.#series.rejected(reason).add();
    if (waitedMillis !== undefined) this.#series.waitedInVain().observe(waitedMillis / 1000);
  }
}

function levelFigure(
  {queues, nominalSeats, leastSeats, mostSeats}: PriorityLevel,
  figure: 'limit' | 'nominal' | 'lower' | 'upper' | 'current',
): number {
  switch (figure) {
    case 'lower':
      return leastSeats;
    case 'upper':
      return mostSeats;
    case 'current':
      return queues!.state.seats;
    default:
      return nominalSeats;
  }
}
