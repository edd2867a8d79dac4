import type {ApiObject} from '../../../sdk/index.js';
import type {RequestTask} from '../request-task.js';
import type {AdmissionChain} from '../admission/admission-chain.js';
import type {WriteRequest} from './admission-request.js';

/** The part of the chain that a write needs. */
export type Admission = Pick<AdmissionChain, 'admit' | 'validate'>;

/**
 * The order in which every write is done, whatever its verb: create, update, patch, apply, delete, on objects and on subresources, stored
 * or served by a plugin's handler. Steps that do not apply to a kind of write do nothing there.
 *
 * Between steps that took long, other requests get their turn: a large object takes milliseconds in each step.
 *
 * @throws StatusError from any step, in which case nothing was stored; StoreError from the commit
 */
export async function runWrite<Outcome>(write: Write<Outcome>, chain: Admission, task: RequestTask): Promise<Outcome> {
  // An `await` costs some hundred bytes, which have to be collected, also where there is nothing to wait for.
  let waiting = write.makeObject();
  if (waiting) await waiting;
  if ((waiting = task.yieldIfDue('decode'))) await waiting;
  write.takeWritable();
  write.fillSystemFields();
  write.applyDefaults();
  if ((waiting = task.yieldIfDue('defaults'))) await waiting;
  if ((waiting = write.recordOwners())) await waiting;
  if ((waiting = task.yieldIfDue('field owners'))) await waiting;
  if (await chain.admit(write.admission)) {
    write.takeAdmitted();
    // A controller may set no more than the client: no status through the main endpoint, and only the status through `status`.
    write.takeWritable();
    write.fillSystemFields();
    write.keepOwners();
    write.applyDefaults();
  }
  if ((waiting = write.prepare())) await waiting;
  if ((waiting = task.yieldIfDue('prepare'))) await waiting;
  if ((waiting = write.validate())) await waiting;
  if ((waiting = task.yieldIfDue('validation'))) await waiting;
  await chain.validate(write.admission);
  if ((waiting = task.yieldIfDue())) await waiting;
  const outcome = await write.commit();
  task.trace?.step('store');
  return outcome;
}

/** One attempt at a write. The methods are in the order in which `runWrite` calls them. */
export abstract class Write<Outcome> {
  /** The object that is written, or would be. Undefined if the request creates no object. */
  object!: ApiObject;

  /** The write as admission controllers see it, always with the current state of the object. */
  abstract readonly admission: WriteRequest;

  /** Body to wanted object: decoded, its version checked, pruned; a patch or an apply merged into the current object. Compared with path and preconditions. */
  makeObject(): void | Promise<void> {}

  /** Restores the fields that the endpoint (the object itself, or the subresource) does not accept. */
  takeWritable(): void {}

  /** Sets what the server alone decides: identity, times, generation. */
  fillSystemFields(): void {}

  /** Fills in defaults. Rejects an object that is too large, or has become so. */
  applyDefaults(): void {}

  /** Records who owns the fields that the write sets. */
  recordOwners(): void | Promise<void> {}

  /** After mutating admission: applies its changes, if it saw something other than the object itself. */
  takeAdmitted(): void {}

  /** After mutating admission: restores managed fields that are no longer readable. */
  keepOwners(): void {}

  /** Lets the strategy set and clear fields. */
  prepare(): void | Promise<void> {}

  /** Rejects the object with all of its errors, or because it is too large. */
  validate(): void | Promise<void> {}

  /** Stores the object, or computes what would be stored; returns the response to the client. */
  abstract commit(): Promise<Outcome>;
}
