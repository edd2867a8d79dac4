import {readFileSync} from 'node:fs';
import {eventually} from '../../../test/helpers/eventually.js';

interface AuditEvent {
  readonly auditID: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Annotations of others than policies. */
const others = ['authorization.', 'pod-security.', 'apiserver.latency.'];

/** Reads the log of audit events as it grows. */
export class AuditFile {
  readonly #path: string;
  readonly #events = new Map<string, AuditEvent>();
  #read = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** What policies have noted in the event of a request. */
  async annotationsOf(id: string): Promise<Readonly<Record<string, string>>> {
    const {annotations = {}} = (await eventually(
      () => Promise.resolve(this.#find(id)),
      (event) => event !== undefined,
    ))!;
    return Object.fromEntries(Object.entries(annotations).filter(([key]) => !others.some((prefix) => key.startsWith(prefix))));
  }

  #find(id: string): AuditEvent | undefined {
    const known = this.#events.get(id);
    if (known) return known;
    const text = readFileSync(this.#path, 'utf8');
    const end = text.lastIndexOf('\n') + 1;
    for (const line of text.slice(this.#read, end).split('\n')) {
      if (line === '') continue;
      const event = JSON.parse(line) as AuditEvent;
      this.#events.set(event.auditID, event);
    }
    this.#read = end;
    return this.#events.get(id);
  }
}
