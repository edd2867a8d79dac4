import type {MetricDeclaration} from '../../../sdk/index.js';

/** What is known of the export of traces; told by servers that export any. */
export const tracingMetrics = {
  spans: {
    stability: 'ALPHA',
    name: 'orch_tracing_spans_total',
    help: 'Spans of traced requests by what became of them: exported, dropped (too many waited) or failed (the collector did not take them).',
    labels: ['result'],
  },
} as const satisfies Record<string, MetricDeclaration>;
