import type {MetricDeclaration, Metrics} from '../../../sdk/index.js';
import type {HttpFigures} from '../http-figures.js';
import {growingTotal} from '../../metrics/growing-total.js';

const alpha = {stability: 'ALPHA'} as const;

/** The metrics of the HTTP server and of the watchdog of the event loop. */
export const httpMetrics = {
  connections: {...alpha, name: 'orch_http_connections', help: 'Open connections, those whose handshake is under way included.'},
  unsent: {...alpha, name: 'orch_http_unsent_bytes', help: 'Memory of answers that are made and not sent, in bytes.'},
  bodies: {...alpha, name: 'orch_http_body_bytes', help: 'Memory of bodies of requests that are received or served, in bytes.'},
  heads: {...alpha, name: 'orch_http_head_bytes', help: 'Memory of large heads of requests that are received or served, in bytes.'},
  limits: {
    ...alpha,
    name: 'orch_limits_acted_total',
    help: 'How often a limit has refused or ended something, by setting.',
    labels: ['limit'],
  },
  slowTurns: {...alpha, name: 'orch_loop_slow_turns_total', help: 'Turns of the event loop that took longer than the setting slowTurn.'},
  slowSeconds: {...alpha, name: 'orch_loop_slow_turns_seconds_total', help: 'How long these turns took together.'},
  longest: {...alpha, name: 'orch_loop_longest_turn_seconds', help: 'The longest of these turns since the server started.'},
} as const satisfies Record<string, MetricDeclaration>;

type Figures = Omit<HttpFigures, 'limitsActed'> & {readonly limitsActed: Iterable<readonly [string, number]>};

/** Registers the metrics; their values are read at every scrape. */
export function registerHttpMetrics(metrics: Metrics, figures: () => Figures): void {
  const connections = metrics.gauge(httpMetrics.connections).with();
  const unsent = metrics.gauge(httpMetrics.unsent).with();
  const bodies = metrics.gauge(httpMetrics.bodies).with();
  const heads = metrics.gauge(httpMetrics.heads).with();
  const longest = metrics.gauge(httpMetrics.longest).with();
  const limits = metrics.counter(httpMetrics.limits);
  const slowTurns = growingTotal(metrics.counter(httpMetrics.slowTurns).with());
  const slowSeconds = growingTotal(metrics.counter(httpMetrics.slowSeconds).with());
  const ofLimits = new Map<string, (total: number) => void>();
  metrics.collect(() => {
    const {connections: open, unsentBytes, bodyBytes, headBytes, limitsActed, loop} = figures();
    connections.set(open);
    unsent.set(unsentBytes);
    bodies.set(bodyBytes);
    heads.set(headBytes);
    longest.set(loop.longestMillis / 1000);
    slowTurns(loop.slowTurns);
    slowSeconds(loop.slowMillis / 1000);
    for (const [limit, total] of limitsActed) {
      let setTotal = ofLimits.get(limit);
      if (!setTotal) ofLimits.set(limit, (setTotal = growingTotal(limits.with(limit))));
      setTotal(total);
    }
  });
}
