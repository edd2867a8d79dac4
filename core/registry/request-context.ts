import type {AdmissionVerdict, AnnotationLevel, Interruptible, UserInfo} from '../../sdk/index.js';
import type {CborTypes} from '../api/schema/go-words/mismatch.js';
import type {WriteGuard} from '../storage/write/write-guard.js';
import type {RequestTask} from './request-task.js';

/** How strictly unknown and duplicate fields of a body are treated (docs/semantics/validation.md#unknown-fields). */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The context of one request, whatever its verb. */
export interface RequestContext {
  readonly user: UserInfo;
  /** That of the request, as authorizers know it; `update` for writes of the server itself. */
  readonly verb?: string;
  /** Query parameters, for plugin handlers that define their own. */
  readonly query?: URLSearchParams;
  /** Adds a `Warning` header to the response. */
  warn(text: string): void;
  /** Adds an annotation to the audit event. @param level `Metadata` by default */
  annotate(key: string, value: string, level?: AnnotationLevel): void;
  /** Fires when the client has disconnected or the request has timed out: nothing is retried after that. Made when it is first asked for. */
  readonly cancellation?: () => AbortSignal;
}

/** The context of one write. */
export interface WriteContext extends RequestContext {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** Options given by the client, except `dryRun`; admission sees them. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Condition of the commit, for a write that depends on more than the object. */
  readonly guard?: WriteGuard | undefined;
  /** Takes what admission says to the write; undefined where nobody wants to know. */
  readonly noteVerdict?: ((verdict: AdmissionVerdict) => void) | undefined;
  /** Asked between the parts of the write. */
  readonly task: RequestTask;
}

/** A body as a codec delivers it, before the schema has seen it. */
export interface DecodedBody {
  readonly value: unknown;
  /** Paths of members that appear more than once in the text. */
  readonly duplicates: readonly string[];
  /** The same in a YAML text, in the words that clients know. */
  readonly repetitions?: readonly string[];
  /** Paths of unknown members of the body itself, as opposed to the object it represents (members of JSON patch operations). */
  readonly unknown?: readonly string[];
  /** The types of the values in a body of CBOR. */
  readonly cbor?: CborTypes;
}

/** Creates a fresh copy of a request's body on each call, because the write changes it and may have to be retried. */
export type BodySource = () => Interruptible<DecodedBody>;
