import type {UserInfo} from '../../../sdk/index.js';

/** How strictly unknown and duplicate fields of a body are treated (docs/semantics/validation.md#unknown-fields). */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** Circumstances of one write request, whatever its verb. */
export interface WriteContext {
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** Options as admission sees them (CreateOptions, UpdateOptions, PatchOptions, DeleteOptions). */
  readonly options: Readonly<Record<string, unknown>>;
  /** Adds a `Warning` header to the response. */
  warn(text: string): void;
  /** Notes something that is recorded of the request. */
  annotate(key: string, value: string): void;
  /** Fires when the client is gone or the request's time is over: no further try is made then. */
  readonly signal?: AbortSignal;
}

/** A body as a codec delivers it, before the schema has seen it. */
export interface DecodedBody {
  readonly value: unknown;
  /** Paths of members that the text gives more than once. */
  readonly duplicates: readonly string[];
  /** Paths of members that the body has of its own, apart from the object that it stands for, and that mean nothing (of operations of a JSON patch). */
  readonly unknown?: readonly string[];
}
