import type {AuditEvent} from '../../../sdk/index.js';

/** In bytes of JSON. */
export interface TruncationSettings {
  readonly maximumEventBytes: number;
  readonly maximumBatchBytes: number;
}

/** The event to record: without its bodies if it is too large. @throws Error if it is too large without them as well */
export function truncated(event: AuditEvent, settings: TruncationSettings | undefined): AuditEvent {
  if (!settings || event.json.length <= settings.maximumEventBytes) return event;
  const shorter = event.withoutBodies();
  if (shorter.json.length <= settings.maximumEventBytes) return shorter;
  throw new Error(`an event has ${shorter.json.length} bytes without its bodies, and at most ${settings.maximumEventBytes} are recorded`);
}
