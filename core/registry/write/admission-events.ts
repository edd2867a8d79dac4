import type {AdmissionEvents, AdmissionListener} from '../../../sdk/index.js';

/** What admission tells of itself to whoever counts. */
export class AdmissionBroadcast implements AdmissionEvents {
  #listener: AdmissionListener | undefined;

  get listener(): AdmissionListener | undefined {
    return this.#listener;
  }

  listen(listener: AdmissionListener | undefined): void {
    this.#listener = listener;
  }
}
