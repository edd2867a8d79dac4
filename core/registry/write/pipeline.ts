import type {AdmissionChain} from '../admission/admission-chain.js';
import type {WriteRequest} from './admission-request.js';
import type {WriteScope} from './write-scope.js';

/** The part of the chain that a write needs. */
export type Admission = Pick<AdmissionChain, 'admit' | 'validate'>;

/**
 * The steps of every write, in order, for all verbs: create, update, patch, apply, delete, on objects and on subresources, stored
 * or served by a plugin's handler. Steps that do not apply to a kind of write do nothing there.
 *
 * The task yields between long steps: a large object takes milliseconds in each.
 *
 * @throws StatusError from any step, in which case nothing was stored; StoreError from the commit
 */
export async function runWrite<Outcome>(write: Write<Outcome>, chain: Admission): Promise<Outcome> {
  const {task} = write.scope.context;
  await write.makeObject();
  task.step('decode');
  if (task.isDue) await task.yield();
  write.takeWritable?.();
  write.fillSystemFields?.();
  await write.applyDefaults?.();
  task.step('defaults');
  if (task.isDue) await task.yield();
  await write.recordOwners?.();
  task.step('field owners');
  if (task.isDue) await task.yield();
  if (await chain.admit(write.admission)) {
    write.takeAdmitted?.();
    // A controller may set no more than the client: no status through the main endpoint, and only the status through `status`.
    write.takeWritable?.();
    write.fillSystemFields?.();
    write.keepOwners?.();
    await write.applyDefaults?.();
  }
  const preparing = write.prepare?.();
  if (preparing) await preparing;
  task.step('prepare');
  if (task.isDue) await task.yield();
  await write.validate?.();
  task.step('validation');
  if (task.isDue) await task.yield();
  await chain.validate(write.admission);
  if (task.isDue) await task.yield();
  const outcome = await write.commit();
  task.trace?.step('store');
  return outcome;
}

/** One attempt at a write. `runWrite` calls the methods in this order; a kind of write lacks those that do not apply to it. */
export interface Write<Outcome> {
  readonly scope: WriteScope;

  /** The write as admission controllers see it, always with the current state of the object. */
  readonly admission: WriteRequest;

  /** Body to wanted object: decoded, its version checked, pruned; a patch or an apply merged into the current object. Compared with path and preconditions. */
  makeObject(): void | Promise<void>;

  /** Restores the fields that the endpoint (the object itself, or the subresource) does not accept. */
  takeWritable?(): void;

  /** Sets the fields that only the server may set: identity, times, generation. */
  fillSystemFields?(): void;

  /** Fills in defaults. Rejects an object that is too large, or has become so. */
  applyDefaults?(): void | Promise<void>;

  /** Records the owners of the fields that the write sets. */
  recordOwners?(): void | Promise<void>;

  /** After mutating admission: applies its changes, if it saw something other than the object itself. */
  takeAdmitted?(): void;

  /** After mutating admission: restores managed fields that are no longer readable. */
  keepOwners?(): void;

  /** Lets the strategy set and clear fields. */
  prepare?(): void | Promise<void>;

  /** Rejects the object with all of its errors, or because it is too large. */
  validate?(): Promise<void>;

  /** Stores the object, or computes what would be stored; returns the response to the client. */
  commit(): Promise<Outcome>;
}
