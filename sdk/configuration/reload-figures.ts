import {createHash} from 'node:crypto';
import {hostname} from 'node:os';
import type {CounterSeries, Gauge, Metric, MetricDeclaration, Metrics} from '../contracts/metrics.js';

/** Counts how often a configuration file was read again, in the metrics of kube-apiserver. */
export class ReloadFigures {
  readonly #reloads: Metric<CounterSeries>;
  readonly #times: Gauge;
  readonly #info: Gauge;
  readonly #server = hashText(`apiserver-${hostname()}`);

  /** @param subject what is configured: `authentication`, `authorization` */
  constructor(metrics: Metrics, subject: string) {
    const prefix = `apiserver_${subject}_config_controller`;
    const declared = (name: string, help: string, labels: readonly string[]): MetricDeclaration => ({
      name: `${prefix}_${name}`,
      help,
      stability: 'ALPHA',
      labels,
    });
    const byResult = ['status', 'apiserver_id_hash'];
    this.#reloads = metrics.counter(
      declared(
        'automatic_reloads_total',
        `Times that a changed ${subject} configuration was read again, by how it went and the server.`,
        byResult,
      ),
    );
    this.#times = metrics.gauge(
      declared(
        'automatic_reload_last_timestamp_seconds',
        `When a changed ${subject} configuration was last read again, in seconds since 1970, by how it went and the server.`,
        byResult,
      ),
    );
    this.#info = metrics.gauge(
      declared('last_config_info', `The ${subject} configuration in force, by the server and its hash; always 1.`, [
        'apiserver_id_hash',
        'hash',
      ]),
    );
  }

  /** The configuration that is in force. */
  inForce(text: string): void {
    this.#info.clear();
    this.#info.with(this.#server, hashText(text)).set(1);
  }

  /** A changed configuration has come into force. */
  reloaded(text: string): void {
    this.#count('success');
    this.inForce(text);
  }

  /** A changed configuration could not be used. */
  failed(): void {
    this.#count('failure');
  }

  #count(status: 'success' | 'failure'): void {
    this.#reloads.with(status, this.#server).add();
    this.#times.with(status, this.#server).set(Date.now() / 1000);
  }
}

function hashText(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
