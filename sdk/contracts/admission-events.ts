import type {AdmissionOperation} from './admission.js';

/** The phase of admission, in the words of Kubernetes' metrics. */
export type AdmissionHalf = 'admit' | 'validate';

/** How long something took, and whether it rejected the write. */
export interface AdmissionTiming {
  readonly operation: AdmissionOperation;
  readonly seconds: number;
  readonly rejected: boolean;
}

/** One call of a webhook. */
export interface WebhookCallEvent extends AdmissionTiming {
  /** Name of the webhook in its configuration. */
  readonly name: string;
  readonly type: 'admit' | 'validating';
  /** HTTP status of a rejection, 200 for a call that allows the write, 0 for a call that failed. At most 600. */
  readonly code: number;
  /** Why it rejected the write, or failed. */
  readonly error: 'no_error' | 'calling_webhook_error' | 'apiserver_internal_error';
  /** The call failed, and the write continues without it. */
  readonly failedOpen: boolean;
}

/** Receives what happens in admission, for counters. Must not throw and should take as little time as possible, because requests wait. */
export interface AdmissionListener {
  /** All controllers of one phase have been called for a write. */
  stepDone?(step: AdmissionTiming & {readonly type: AdmissionHalf}): void;
  controllerDone?(call: AdmissionTiming & {readonly type: AdmissionHalf; readonly name: string}): void;
  webhookDone?(call: WebhookCallEvent): void;
}

/** Reports what happens in admission. Nothing is measured without a listener. */
export interface AdmissionEvents {
  readonly listener: AdmissionListener | undefined;
  /** Sets the only listener; undefined removes it. */
  listen(listener: AdmissionListener | undefined): void;
}
