import {createHash} from 'node:crypto';
import {hostname} from 'node:os';
import type {CounterSeries, Gauge, Metric, Metrics} from '../../../sdk/index.js';

const prefix = 'apiserver_manifest_admission_config_controller';

/** Counts how often the manifests of an admission controller were read, in the metrics of kube-apiserver. */
export class ManifestFigures {
  readonly #reloads: Metric<CounterSeries>;
  readonly #times: Gauge;
  readonly #info: Gauge;
  readonly #server = `sha256:${createHash('sha256').update(`apiserver-${hostname()}`).digest('hex')}`;
  readonly #plugin: string;
  #hash: string | undefined;

  /** @param plugin name of the admission controller */
  constructor(metrics: Metrics, plugin: string) {
    this.#plugin = plugin;
    const labels = ['status', 'plugin', 'apiserver_id_hash'];
    this.#reloads = metrics.counter({
      name: `${prefix}_automatic_reloads_total`,
      help: 'Times that admission manifests were read, by how it went, the admission controller and the server.',
      stability: 'ALPHA',
      labels,
    });
    this.#times = metrics.gauge({
      name: `${prefix}_automatic_reload_last_timestamp_seconds`,
      help: 'When admission manifests were last read, in seconds since 1970, by how it went, the admission controller and the server.',
      stability: 'ALPHA',
      labels,
    });
    this.#info = metrics.gauge({
      name: `${prefix}_last_config_info`,
      help: 'The admission manifests in force, by the admission controller, the server and their hash; always 1.',
      stability: 'ALPHA',
      labels: ['plugin', 'apiserver_id_hash', 'hash'],
    });
  }

  /** @param hash of the manifests that have come into force; undefined where they could not be used */
  read(hash: string | undefined): void {
    const values = [hash === undefined ? 'failure' : 'success', this.#plugin, this.#server];
    this.#reloads.with(...values).add();
    this.#times.with(...values).set(Date.now() / 1000);
    if (hash === undefined || hash === this.#hash) return;
    if (this.#hash !== undefined) this.#info.remove(this.#plugin, this.#server, this.#hash);
    this.#hash = hash;
    this.#info.with(this.#plugin, this.#server, hash).set(1);
  }
}
