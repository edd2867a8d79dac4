import type {PersistentVolume} from '../../../sdk/types/unchecked/core/v1.js';
import {volumePauseMillis} from '../../families/volume-binding/volume-pause.js';
import type {Attachment} from './attachment-object.js';

/** How long a driver may take to attach a volume, in milliseconds. */
const patienceMillis = 120_000;

interface Attempt {
  failures: number;
  /** Since when the driver is waited for, in milliseconds since 1970; later than now during a pause. */
  began: number;
}

/** Attempts to have volumes attached, by the names of their attachments: what is to be said of those that fail, and when to look again. */
export class AttachAttempts {
  readonly #attempts = new Map<string, Attempt>();

  /** An attachment is there, or gone. */
  forget(name: string): void {
    this.#attempts.delete(name);
  }

  /**
   * Looks at an attachment that its driver has not made yet.
   *
   * @returns when to look again, and why the attempt has failed that ends now, in the words of Kubernetes
   */
  look({metadata, status}: Attachment, volume: PersistentVolume, now: number): {readonly at: number; readonly failure?: string} {
    const name = metadata.name ?? '';
    const attempt = this.#attempts.get(name) ?? {failures: 0, began: now};
    this.#attempts.set(name, attempt);
    if (now < attempt.began) return {at: attempt.began};
    const said = status?.attachError;
    if (!said && now < attempt.began + patienceMillis) return {at: attempt.began + patienceMillis};
    attempt.began = now + volumePauseMillis(attempt.failures);
    attempt.failures += 1;
    const {driver = '', volumeHandle = ''} = volume.spec?.csi ?? {};
    const why = said?.message ?? `timed out waiting for external-attacher of ${driver} CSI driver to attach volume ${volumeHandle}`;
    return {at: attempt.began, failure: `AttachVolume.Attach failed for volume "${volume.metadata.name}" : ${why}`};
  }
}
