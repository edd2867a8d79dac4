import {hash} from 'node:crypto';
import type {Action, Answer, KnownObject, Operation, Sighting, WatchHistory} from '../check/history.js';
import {IntentChecker} from '../check/intents.js';
import {VersionChecker} from '../check/versions.js';
import type {KnownChange} from '../check/watches.js';

/** What all clients have seen since the last check, and what must hold for ever. */
export class Records {
  readonly versions = new VersionChecker();
  readonly intents = new IntentChecker();
  operations: Operation[] = [];
  watches: WatchHistory[] = [];
  written: KnownChange[] = [];
  /** Answers that no request may get. */
  readonly faults: string[] = [];
  count = 0;
  unknown = 0;

  note(client: number, key: string, called: number, action: Action, answer: Answer | undefined): void {
    this.count += 1;
    if (answer === undefined) return;
    const isUnknown = answer.kind === 'unknown';
    if (isUnknown) this.unknown += 1;
    this.operations.push({client, key, called, returned: isUnknown ? Infinity : performance.now(), action, answer});
  }

  /** An object as it was told, by an answer or an event. */
  see(object: KnownObject, deleted: boolean): Sighting {
    const version = Number(object.metadata.resourceVersion);
    const sighting = {version, key: object.metadata.name, value: hash('sha256', JSON.stringify(object), 'base64'), deleted};
    this.versions.note(sighting);
    const intent = object.data?.intent;
    if (intent !== undefined) this.intents.note(intent, object.metadata.name);
    return sighting;
  }

  /** Begins a new part of the history. */
  take(): {operations: Operation[]; watches: WatchHistory[]; written: KnownChange[]} {
    const {operations, watches, written} = this;
    this.operations = [];
    this.watches = [];
    this.written = [];
    return {operations, watches, written};
  }
}
