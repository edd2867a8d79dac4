import type {AdmissionOperation} from './admission.js';

/** Which half of admission something happened in; the words are those of Kubernetes' metrics. */
export type AdmissionHalf = 'admit' | 'validate';

/** How long something took, and whether it refused the write. */
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
  /** HTTP status of a rejection, 200 for a call that lets the write pass, 0 for a call that failed. At most 600. */
  readonly code: number;
  /** Why it rejected, or failed. */
  readonly error: 'no_error' | 'calling_webhook_error' | 'apiserver_internal_error';
  /** The call failed, and the write goes on without it. */
  readonly failedOpen: boolean;
}

/** Is told what admission does, for counters. Must not throw and takes as little time as possible: requests wait. */
export interface AdmissionListener {
  /** All controllers of one half have been called for a write. */
  stepDone?(step: AdmissionTiming & {readonly type: AdmissionHalf}): void;
  controllerDone?(call: AdmissionTiming & {readonly type: AdmissionHalf; readonly name: string}): void;
  webhookDone?(call: WebhookCallEvent): void;
}

/** Where admission tells what it does. While nobody listens, nothing is measured. */
export interface AdmissionEvents {
  readonly listener: AdmissionListener | undefined;
  /** Sets the one listener; undefined to end that. */
  listen(listener: AdmissionListener | undefined): void;
}
