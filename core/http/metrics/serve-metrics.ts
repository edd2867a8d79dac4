import type {MetricRegistry} from '../../metrics/metric-registry.js';
import type {Exchange} from '../request/exchange.js';
import {respondParts} from '../response/respond.js';

/** `/metrics`: what the server tells of itself, in the text form of Prometheus or as OpenMetrics, whichever the client likes better. */
export class MetricsPage {
  readonly #metrics: MetricRegistry;

  constructor(metrics: MetricRegistry) {
    this.#metrics = metrics;
  }

  static owns(segments: readonly string[]): boolean {
    return segments.length === 1 && segments[0] === 'metrics';
  }

  async serve(exchange: Exchange): Promise<void> {
    // What writes them is loaded by the first who asks.
    const [{contentTypes, metricsText}, {runtimeText}] = await Promise.all([
      import('../../metrics/metrics-text.js'),
      import('../../metrics/runtime-metrics.js'),
    ]);
    const form = prefersOpenMetrics(exchange.header('accept') ?? '') ? 'openMetrics' : 'text';
    await this.#metrics.refresh();
    const runtime = await runtimeText(form);
    const parts = await metricsText(this.#metrics.families, form, runtime);
    exchange.working();
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    return respondParts(exchange, 200, contentTypes[form], parts, length, length);
  }
}

/** Whether the client takes OpenMetrics 1.0, and likes it at least as well as plain text. */
export function prefersOpenMetrics(accept: string): boolean {
  let openMetrics = 0;
  let text = 0;
  for (const range of accept.slice(0, 4096).split(',')) {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    const version = parameters
      .find((parameter) => parameter.startsWith('version='))
      ?.slice('version='.length)
      .replaceAll('"', '');
    const weight = Number.isFinite(quality) ? quality : 0;
    if (type === 'application/openmetrics-text' && (version === undefined || version === '1.0.0'))
      openMetrics = Math.max(openMetrics, weight);
    if (type === 'text/plain') text = Math.max(text, weight);
  }
  return openMetrics > 0 && openMetrics >= text;
}
