import type {MetricDeclaration} from '../../../sdk/index.js';

/** Metrics of servers that export traces. */
export const tracingMetrics = {
  spans: {
    stability: 'ALPHA',
    name: 'orch_tracing_spans_total',
    help: 'Spans of traced requests by what became of them: exported, dropped (too many waited) or failed (the collector did not take them).',
    labels: ['result'],
  },
} as const satisfies Record<string, MetricDeclaration>;
