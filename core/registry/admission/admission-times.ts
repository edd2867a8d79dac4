import type {AdmissionHalf, AdmissionListener, AdmissionOperation, AdmissionRequest} from '../../../sdk/index.js';
import type {RequestTrace, TracedPart} from '../../tracing/request-trace.js';

const stepNames: Readonly<Record<AdmissionHalf, string>> = {admit: 'mutating admission', validate: 'validating admission'};

/**
 * How long the controllers of one half of admission take for one write, for metrics and for the request's trace. The clock is read once for each controller: one begins
 * when the one before it has ended.
 */
export class AdmissionTimes {
  readonly #listener: AdmissionListener | undefined;
  readonly #trace: RequestTrace | undefined;
  readonly #type: AdmissionHalf;
  readonly #operation: AdmissionOperation;
  readonly #noteVerdict: AdmissionRequest['noteVerdict'];
  readonly #began = performance.now();
  #last = this.#began;
  /** The controller that runs; empty between two. */
  #name = '';
  #part: TracedPart | undefined;

  constructor(
    listener: AdmissionListener | undefined,
    trace: RequestTrace | undefined,
    type: AdmissionHalf,
    {operation, noteVerdict}: Pick<AdmissionRequest, 'noteVerdict' | 'operation'>,
  ) {
    this.#listener = listener;
    this.#trace = trace;
    this.#type = type;
    this.#operation = operation;
    this.#noteVerdict = noteVerdict;
  }

  begin(name: string): void {
    this.#name = name;
    this.#part = this.#trace?.enter(name, this.#last);
  }

  /** @param why a refusal that is the controller's own; undefined if it failed */
  end(rejected: boolean, why?: string): void {
    const now = performance.now();
    const name = this.#name;
    this.#noteVerdict?.({
      by: 'controller',
      name,
      half: this.#type,
      verdict: rejected ? (why === undefined ? 'failed' : 'denied') : 'allowed',
      message: why,
      seconds: (now - this.#last) / 1000,
    });
    this.#listener?.controllerDone?.({
      name,
      type: this.#type,
      operation: this.#operation,
      rejected,
      seconds: (now - this.#last) / 1000,
    });
    this.#trace?.leave(this.#part, name, this.#last, now, rejected);
    this.#last = now;
    this.#name = '';
  }

  /** The write is rejected, by the running controller if there is one. @param why as for `end` */
  fail(why?: string): void {
    if (this.#name !== '') this.end(true, why);
    this.endStep(true);
  }

  endStep(rejected: boolean): void {
    const now = this.#last;
    this.#listener?.stepDone?.({type: this.#type, operation: this.#operation, rejected, seconds: (now - this.#began) / 1000});
    this.#trace?.step(stepNames[this.#type], now);
  }
}
