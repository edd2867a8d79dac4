import type {RequestReport, RequestReports} from '../../../sdk/index.js';

/** Who wants reports of requests. */
export class RequestBroadcast implements RequestReports {
  #listener: ((report: RequestReport) => void) | undefined;
  #isSettled = false;

  listen(listener: (report: RequestReport) => void): void {
    if (this.#isSettled) throw new Error('reports of requests can be asked for in constructors only');
    const before = this.#listener;
    this.#listener = before
      ? (report) => {
          before(report);
          listener(report);
        }
      : listener;
  }

  /** All who listen; undefined if nobody does. Nobody else can from now on. */
  settle(): ((report: RequestReport) => void) | undefined {
    this.#isSettled = true;
    return this.#listener;
  }
}
