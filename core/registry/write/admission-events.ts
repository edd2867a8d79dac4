import type {AdmissionEvents, AdmissionListener} from '../../../sdk/index.js';

/** Events that admission reports for metrics. */
export class AdmissionBroadcast implements AdmissionEvents {
  #listener: AdmissionListener | undefined;

  get listener(): AdmissionListener | undefined {
    return this.#listener;
  }

  listen(listener: AdmissionListener | undefined): void {
    this.#listener = listener;
  }
}
