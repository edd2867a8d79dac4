import {StorageError} from '../storage-error.js';
import {beginsWith, cipherNames, identity, isEncrypted, isOfCipher, type CipherName, type ValueProvider} from './value-provider.js';

/** The providers of each type: the first one writes, all of them read. Undefined for a type without a configuration. */
export interface EncryptionRules {
  providersOf(type: string): readonly ValueProvider[] | undefined;
}

/** A value as a store keeps it, and its form (`ValueProvider.form`). */
export interface StoredValue {
  readonly stored: Buffer;
  readonly form: string;
}

/** A value as a cache keeps it, and the form in which it is stored. */
export interface PlainValue {
  readonly value: Buffer;
  readonly form: string;
}

/**
 * Encryption at rest: the layer between the bytes of an object and any store. Caches hold plain text; states,
 * log entries and the previous values in them reach the store encrypted, because it is given nothing else.
 */
export class ValueEncryption {
  readonly #types = new Map<string, TypeEncryption>();
  #rules: EncryptionRules;

  constructor(rules: EncryptionRules) {
    this.#rules = rules;
  }

  /** The encryption of a type (`secrets`, `deployments.apps`): the same object for each call, also after `replace`. */
  forType(type: string): TypeEncryption {
    let known = this.#types.get(type);
    if (!known) {
      known = new TypeEncryption(type, this.#rules.providersOf(type));
      this.#types.set(type, known);
    }
    return known;
  }

  /** Uses other rules from now on, for writes and for reads from the store. */
  replace(rules: EncryptionRules): void {
    this.#rules = rules;
    for (const type of this.#types.values()) type.providers = rules.providersOf(type.type);
  }
}

/** How the values of one type are stored. */
export class TypeEncryption {
  constructor(
    readonly type: string,
    /** Set by `ValueEncryption` only. */
    public providers: readonly ValueProvider[] | undefined,
  ) {}

  /** The value as the store is to keep it under a key: the value itself where it is not encrypted. */
  seal(key: string, value: Buffer): StoredValue {
    const {form, head, cipher} = this.providers?.[0] ?? identity;
    if (!cipher) return {stored: value, form};
    return {stored: join([head!, ...cipher.seal(value, this.#nameOf(key))]), form};
  }

  /** The value that the store keeps under a key. @throws StorageError `Unreadable` */
  open(key: string, stored: Buffer): PlainValue {
    if (!isEncrypted(stored)) {
      if (this.providers && !this.providers.includes(identity)) throw this.#unreadable(key, noPrefix);
      return {value: stored, form: identity.form};
    }
    const {providers = [identity]} = this;
    let failure: unknown;
    for (const {form, head, cipher} of providers) {
      if (!cipher || !beginsWith(stored, head!)) continue;
      try {
        return {value: cipher.open(stored.subarray(head!.length), this.#nameOf(key)), form};
      } catch (error) {
        failure = error;
      }
    }
    if (failure) throw this.#unreadable(key, (failure as Error).message, failure);
    throw this.#unreadable(key, reasonWithoutKey(stored, providers));
  }

  /** Whether a value of a form is stored just as it would be if it were written now. */
  writes(form: string | undefined): boolean {
    return (this.providers?.[0] ?? identity).form === form;
  }

  /** Type and key are authenticated with the value, so that it cannot be used for another object. */
  #nameOf(key: string): string {
    return `${this.type}/${key}`;
  }

  #unreadable(key: string, reason: string, cause?: unknown): StorageError {
    return new StorageError({code: 'Unreadable', name: this.#nameOf(key), reason}, {cause});
  }
}

const noPrefix = 'no matching prefix found';

/** The words of Kubernetes, which operators look for. */
function reasonWithoutKey(stored: Buffer, providers: readonly ValueProvider[]): string {
  const named = providers.find(({name}) => name !== 'identity' && isOfCipher(stored, name));
  if (named) return `no matching key was found for the provided ${cipherNames[named.name as CipherName]} transformer`;
  return providers.includes(identity) ? 'identity transformer tried to read encrypted data' : noPrefix;
}

/** Not from the shared pool: a store in memory keeps these bytes, and each would hold a whole slab. */
function join(parts: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
