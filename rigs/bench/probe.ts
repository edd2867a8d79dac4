import {HttpConnection, requestText} from './http-connection.js';
import {Samples} from './percentile.js';
import {configMapText, objectName, type Measurement, type Target} from './work.js';

/** Connections of a prober: that many requests can wait at once. */
const connectionCount = 16;

/**
 * Asks for one ConfigMap again and again, at a steady pace whether or not the answers come: what a client sees that has
 * nothing to do with the work of others.
 */
export class Probe {
  readonly #samples = new Samples();
  readonly #waiting = new Set<Promise<void>>();
  readonly #started = performance.now();
  readonly #timer: NodeJS.Timeout;
  #failures = 0;
  #firstFailure: string | undefined;

  private constructor(
    private readonly idle: HttpConnection[],
    private readonly text: string,
    everyMillis: number,
  ) {
    this.#timer = setInterval(() => this.#ask(), everyMillis);
  }

  /** Makes the ConfigMap and begins. */
  static async begin(target: Target, namespace: string, everyMillis: number): Promise<Probe> {
    const connections = await Promise.all(Array.from({length: connectionCount}, () => HttpConnection.open(target)));
    const [{host}] = connections as [HttpConnection];
    const collection = `/api/v1/namespaces/${namespace}/configmaps`;
    const {status} = await connections[0]!.send(requestText('POST', collection, host, configMapText(namespace, 0, 0)));
    if (status !== 201 && status !== 409) throw new Error(`making the ConfigMap to probe: status ${status}`);
    return new Probe(connections, requestText('GET', `${collection}/${objectName(0)}`, host), everyMillis);
  }

  /** Waits for the answers that are still to come. `operations` are the answers. */
  async end(): Promise<Measurement> {
    clearInterval(this.#timer);
    await Promise.all(this.#waiting);
    for (const connection of this.idle) connection.close();
    const samples = this.#samples;
    const measurement = {
      operations: samples.length,
      seconds: (performance.now() - this.#started) / 1000,
      p50: samples.percentile(0.5),
      p99: samples.percentile(0.99),
      max: samples.percentile(1),
      failures: this.#failures,
    };
    return this.#firstFailure === undefined ? measurement : {...measurement, firstFailure: this.#firstFailure};
  }

  #ask(): void {
    const connection = this.idle.shift();
    // All wait already: they will tell of the stall.
    if (!connection) return;
    const from = performance.now();
    const answered = connection
      .send(this.text)
      .then(
        ({status}) => {
          this.#samples.add(performance.now() - from);
          if (status !== 200) this.#fail(`probe: status ${status}`);
          this.idle.push(connection);
        },
        (error: unknown) => this.#fail(`probe: ${String(error)}`),
      )
      .finally(() => this.#waiting.delete(answered));
    this.#waiting.add(answered);
  }

  #fail(what: string): void {
    this.#failures++;
    this.#firstFailure ??= what;
  }
}
