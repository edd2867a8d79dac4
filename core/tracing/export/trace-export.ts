import {hostname} from 'node:os';
import type {Logger, Metrics, SpanAttributes, WebhookCaller, WebhookTarget} from '../../../sdk/index.js';
import {OtlpExporter} from '../otlp-exporter.js';
import {Tracer} from '../tracer.js';
import {growingTotal} from '../../metrics/growing-total.js';
import {tracingMetrics} from './tracing-metrics.js';
import type {TracingConfiguration} from './parse-tracing-configuration.js';

/** Traces of a server and their export. Loaded only by servers that export traces. */
export class TraceExport {
  readonly tracer: Tracer;
  readonly #exporter: OtlpExporter;

  /** @param version of this build */
  constructor({url, samplingRate}: TracingConfiguration, version: string, logger: Logger) {
    const resource = {'service.name': 'apiserver', 'service.version': version, 'service.instance.id': `${hostname()}:${process.pid}`};
    this.#exporter = new OtlpExporter({url, resource, version, logger});
    this.tracer = new Tracer({samplingRate, sink: this.#exporter});
  }

  /** Registers the metrics of the export; their values are read at every scrape. */
  registerMetrics(metrics: Metrics): void {
    const spans = metrics.counter(tracingMetrics.spans);
    const totals = (['exported', 'dropped', 'failed'] as const).map((result) => [result, growingTotal(spans.with(result))] as const);
    metrics.collect(() => {
      const {figures} = this.#exporter;
      for (const [result, setTotal] of totals) setTotal(figures[result]);
    });
  }

  /** Records webhook calls as parts of traced requests, and sends them `traceparent`. */
  webhooks(caller: WebhookCaller): WebhookCaller {
    const {tracer} = this;
    const call = (target: WebhookTarget, review: object | string, signal?: AbortSignal) => {
      const {traceparent} = tracer;
      return caller.call(traceparent === undefined ? target : {...target, traceparent}, review, signal);
    };
    return {call: (target, review, signal) => tracer.span('webhook', calledOf(target), () => call(target, review, signal))};
  }

  close(): Promise<void> {
    return this.#exporter.close();
  }
}

function calledOf({name, url, service}: WebhookTarget): SpanAttributes {
  const place: SpanAttributes = service
    ? {'server.address': `${service.name}.${service.namespace}.svc`}
    : {'url.full': withoutPassword(url)};
  return name === undefined ? place : {'webhook.name': name, ...place};
}

/** Empty for an invalid URL, which the failing call reports. */
function withoutPassword(text: string): string {
  if (!URL.canParse(text)) return '';
  const url = new URL(text);
  url.username = url.password = '';
  return url.href;
}
