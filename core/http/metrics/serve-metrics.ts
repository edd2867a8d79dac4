import type {Task} from '../../../sdk/index.js';
import type {ProcessText} from '../../metrics/joined-texts.js';
import type {TextForm} from '../../metrics/metric-family.js';
import type {MetricRegistry} from '../../metrics/metric-registry.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {respondNothingThere, respondParts} from '../response/respond.js';
import {partsOf} from '../response/response-buffers.js';

/** The other processes of the same server, which have metrics of their own. */
export interface OtherProcesses {
  /** Number of this process, from 1: value of the label `worker`. */
  readonly number: number;
  /** Metrics of the others, without those that do not answer in time. */
  texts(form: TextForm): Promise<readonly ProcessText[]>;
}

/**
 * Metrics of this process.
 *
 * @param ofProcess which lines about the process itself are shown; all if left out
 */
export async function metricsOf(
  metrics: MetricRegistry,
  form: TextForm,
  task: Pick<Task, 'yieldIfDue'>,
  ofProcess?: RegExp,
): Promise<readonly Buffer[]> {
  // Loaded by the first scrape.
  const [{metricsText}, {runtimeText}] = await Promise.all([
    import('../../metrics/metrics-text.js'),
    import('../../metrics/runtime-metrics.js'),
  ]);
  await metrics.refresh();
  return metricsText(metrics.families, form, task, await runtimeText(form, ofProcess));
}

/** Lines about the time since which a process counts. */
const startTime = /^(?:# \S+ )?process_start_time_seconds /;

/** `/metrics`, and `/metrics/slis` about health checks, in the Prometheus text format or OpenMetrics, whichever the client prefers. */
export class MetricsPage {
  readonly #metrics: MetricRegistry;
  readonly #others: OtherProcesses | undefined;
  readonly #health: MetricRegistry | undefined;

  /**
   * @param others in a server of several processes: any of them answers for all
   * @param health results of health checks, which each process counts for itself; undefined if they are not shown
   */
  constructor(metrics: MetricRegistry, others: OtherProcesses | undefined, health: MetricRegistry | undefined) {
    this.#metrics = metrics;
    this.#others = others;
    this.#health = health;
  }

  static owns(segments: readonly string[]): boolean {
    return segments[0] === 'metrics' && (segments.length === 1 || (segments.length === 2 && segments[1] === 'slis'));
  }

  async serve(exchange: AuthenticatedExchange): Promise<void> {
    const isHealth = exchange.info.segments.length === 2;
    if (isHealth && !this.#health) return respondNothingThere(exchange);
    const {contentTypes} = await import('../../metrics/metrics-text.js');
    const form = prefersOpenMetrics(exchange.header('accept') ?? '') ? 'openMetrics' : 'text';
    const parts = isHealth ? await metricsOf(this.#health!, form, exchange.task, startTime) : await this.#texts(form, exchange.task);
    exchange.working();
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    return respondParts(exchange, 200, contentTypes[form], partsOf(parts), length, length);
  }

  async #texts(form: TextForm, task: Pick<Task, 'yieldIfDue'>): Promise<readonly Buffer[]> {
    if (!this.#others) return metricsOf(this.#metrics, form, task);
    const [own, others, {joinTexts}] = await Promise.all([
      metricsOf(this.#metrics, form, task),
      this.#others.texts(form),
      import('../../metrics/joined-texts.js'),
    ]);
    const all = [{process: String(this.#others.number), text: Buffer.concat(own).toString()}, ...others];
    return [Buffer.from(await joinTexts(all, 'worker', task))];
  }
}

/** Whether the client accepts OpenMetrics 1.0, and prefers it at least as much as plain text. */
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
