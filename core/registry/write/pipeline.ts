import type {ApiObject} from '../../../sdk/index.js';
import type {Pace} from '../pace.js';
import type {AdmissionChain} from './admission-chain.js';
import type {WriteRequest} from './admission-request.js';

/**
 * The order in which every write is done, whatever its verb: create, update, patch, apply, delete, on objects and on subresources,
 * stored or served by a plugin's handler. Steps that mean nothing to a kind of write do nothing there.
 *
 * Between the steps others have their turn where those before took long: a large object takes milliseconds in each.
 *
 * @throws StatusError of any step; nothing was stored then. StoreError of the commit
 */
export async function runWrite<Outcome>(write: Write<Outcome>, chain: AdmissionChain, pace: Pace): Promise<Outcome> {
  await write.makeObject();
  await pace.pause();
  write.takeWritable();
  write.fillSystemFields();
  write.applyDefaults();
  await pace.pause();
  await write.recordOwners();
  await pace.pause();
  if (await chain.admit(write.admission)) {
    write.takeAdmitted();
    // A controller may set no more than the client: no status through the object, nothing but the status through `status`.
    write.takeWritable();
    write.fillSystemFields();
    write.keepOwners();
    write.applyDefaults();
  }
  await write.prepare();
  await pace.pause();
  await write.validate();
  await pace.pause();
  await chain.validate(write.admission);
  await pace.pause();
  return write.commit();
}

/** One attempt at a write. The methods stand in the order in which `runWrite` calls them. */
export abstract class Write<Outcome> {
  /** What is written, or would be. Undefined where a request makes no object. */
  object!: ApiObject;

  /** The write as admission controllers see it: always with the object as it is at the moment. */
  abstract readonly admission: WriteRequest;

  /** Body to wanted object: decoded, its version checked, pruned; a patch or an apply merged into the current object. Compared with path and preconditions. */
  makeObject(): void | Promise<void> {}

  /** Puts back what the endpoint (the object itself, or the subresource) does not let anybody set. */
  takeWritable(): void {}

  /** Sets what the server alone decides: identity, times, generation. */
  fillSystemFields(): void {}

  /** Fills in defaults, and refuses what has become too large to go on with. */
  applyDefaults(): void {}

  /** Writes down who owns the fields that the write sets. */
  recordOwners(): void | Promise<void> {}

  /** After mutating admission: takes over what it has made of what it saw, where that was not the object itself. */
  takeAdmitted(): void {}

  /** After mutating admission: entries of owners that cannot be read any more are put back. */
  keepOwners(): void {}

  /** The strategy's turn to set and clear fields. */
  prepare(): void | Promise<void> {}

  /** Refuses the object with all its faults, or as too large. */
  validate(): void | Promise<void> {}

  /** Stores the object, or says what would be stored: the answer to the client. */
  abstract commit(): Promise<Outcome>;
}
