import type {AuditEvent} from './audit-sink.js';

/** What the server records in its audit log. Nobody gets anything of a server without a policy, or without an audit log or another sink. */
export interface AuditEvents {
  /**
   * Calls with each event when the sinks get it. To be called in a constructor; the call must not throw and should take as little time as possible. Whoever keeps events
   * should keep what is needed of them, not the bodies that they hold.
   *
   * @throws Error once the server answers requests
   */
  listen(listener: (event: AuditEvent) => void): void;
}
