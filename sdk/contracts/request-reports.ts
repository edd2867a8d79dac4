/** What one part of admission said to a write. */
export interface AdmissionVerdict {
  /** A controller of the chain, or within one: a webhook, or a policy with one of its bindings. */
  readonly by: 'controller' | 'webhook' | 'policy';
  /** Of the controller, of the webhook in its configuration, of the policy. */
  readonly name: string;
  /** The configuration of the webhook, the binding of the policy; undefined where there is none. */
  readonly from?: string | undefined;
  readonly half: 'admit' | 'validate';
  /**
   * `failed`: it could not be asked or evaluated, and the write is refused for that; `ignored`: likewise, and the write goes on. A policy that is only to warn or to be
   * noted in audit events `warned` or `audited` what it has against the write.
   */
  readonly verdict: 'allowed' | 'denied' | 'failed' | 'ignored' | 'warned' | 'audited';
  /** What it has against the write, or why it failed. */
  readonly message?: string | undefined;
  readonly seconds: number;
}

/** A step of the work for a request. */
export interface ReportedStep {
  /** `authentication`, `authorization`, `mutating admission`, `commit` and so on. */
  readonly name: string;
  readonly seconds: number;
}

/** What became of a request: what the filters and the admission chain said, and how long that took. Texts are cut. */
export interface RequestReport {
  /** Of the answer's header `Audit-Id`. A client may have chosen it, so it need not be unique. */
  readonly id: string;
  /** When it came, in milliseconds since 1970. */
  readonly time: number;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** As authorizers know it. */
  readonly verb: string;
  /** Undefined if the caller was not found out. An impersonated request has the impersonated one. */
  readonly user: string | undefined;
  /** Who impersonated that one. */
  readonly impersonator: string | undefined;
  /** Status of the answer; 0 if there was none. */
  readonly code: number;
  /** Why it was refused: reason and message of the Status. */
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly seconds: number;
  /** Whether it was expected to take long: a watch, logs, a connection. */
  readonly isLasting: boolean;
  /** By priority and fairness; undefined where that is off, or if it has not come so far. */
  readonly flow: {readonly schema: string; readonly level: string; readonly waitedSeconds: number} | undefined;
  /** Undefined if it has not come so far, or if nobody was asked: the path is for everybody. */
  readonly authorization: {readonly allowed: boolean; readonly reason: string} | undefined;
  /** In the order in which they were said. */
  readonly verdicts: readonly AdmissionVerdict[];
  readonly steps: readonly ReportedStep[];
  readonly warnings: readonly string[];
  /** Verdicts and steps that were left out because there were too many. */
  readonly leftOut: number;
}

/** Reports of the requests that this process has answered. Nothing is noted of any request unless somebody listens. */
export interface RequestReports {
  /**
   * Calls with each request once it has been answered. To be called in a constructor; the call must not throw and should take as little time as possible.
   *
   * @throws Error once the server answers requests
   */
  listen(listener: (report: RequestReport) => void): void;
}
