import type {Task} from '../../../sdk/index.js';
import type {ProcessText} from '../../metrics/joined-texts.js';
import type {TextForm} from '../../metrics/metric-family.js';
import type {MetricRegistry} from '../../metrics/metric-registry.js';
import type {Exchange} from '../request/exchange.js';
import {respondParts} from '../response/respond.js';

/** Other processes of the same server, which tell of themselves too. */
export interface OtherProcesses {
  /** Of this process, from 1: value of the label `worker`. */
  readonly number: number;
  /** What the others tell; who does not answer soon is left out. */
  texts(form: TextForm): Promise<readonly ProcessText[]>;
}

/** What this process tells of itself. */
export async function metricsOf(metrics: MetricRegistry, form: TextForm, task: Pick<Task, 'yieldIfDue'>): Promise<readonly Buffer[]> {
  // What writes them is loaded by the first who asks.
  const [{metricsText}, {runtimeText}] = await Promise.all([
    import('../../metrics/metrics-text.js'),
    import('../../metrics/runtime-metrics.js'),
  ]);
  await metrics.refresh();
  return metricsText(metrics.families, form, task, await runtimeText(form));
}

/** `/metrics`: what the server tells of itself, in the text form of Prometheus or as OpenMetrics, whichever the client likes better. */
export class MetricsPage {
  readonly #metrics: MetricRegistry;
  readonly #others: OtherProcesses | undefined;

  /** @param others for a server of several processes: whichever is asked tells of all */
  constructor(metrics: MetricRegistry, others: OtherProcesses | undefined) {
    this.#metrics = metrics;
    this.#others = others;
  }

  static owns(segments: readonly string[]): boolean {
    return segments.length === 1 && segments[0] === 'metrics';
  }

  async serve(exchange: Exchange): Promise<void> {
    const {contentTypes} = await import('../../metrics/metrics-text.js');
    const form = prefersOpenMetrics(exchange.header('accept') ?? '') ? 'openMetrics' : 'text';
    const parts = await this.#texts(form, exchange.task);
    exchange.working();
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    return respondParts(exchange, 200, contentTypes[form], parts, length, length);
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
