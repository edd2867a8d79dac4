import type {AdmissionVerdict, RequestReport, StatusError} from '../../../sdk/index.js';

/** Takes what is noted of a request while it is served, for its report. */
export interface ReportNotes {
  flow: RequestReport['flow'];
  authorization: RequestReport['authorization'];
  /** Takes what admission says. A write that is tried again is judged again. */
  readonly addVerdict: (verdict: AdmissionVerdict) => void;
  /** It has waited for a seat of its priority level. */
  waited(seconds: number): void;
  refused(status: Pick<StatusError, 'reason' | 'message'>): void;
}
