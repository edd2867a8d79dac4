import type {AnnotationLevel, UserInfo} from '../../sdk/index.js';
import type {Pace} from './pace.js';

/** How strictly unknown and duplicate fields of a body are treated (docs/semantics/validation.md#unknown-fields). */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** Circumstances of one request, whatever its verb. */
export interface RequestContext {
  readonly user: UserInfo;
  /** Parameters, for handlers of plugins that have some of their own. */
  readonly query?: URLSearchParams;
  /** Adds a `Warning` header to the response. */
  warn(text: string): void;
  /** Adds an annotation to the audit event. @param level `Metadata` by default */
  annotate(key: string, value: string, level?: AnnotationLevel): void;
  /** Fires when the client is gone or the request's time is over: no further try is made then. */
  readonly signal?: AbortSignal;
}

/** Circumstances of one write. */
export interface WriteContext extends RequestContext {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** Options that the client gave, apart from `dryRun`: admission sees them. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Asked between the parts of the write. */
  readonly pace: Pace;
}

/** A body as a codec delivers it, before the schema has seen it. */
export interface DecodedBody {
  readonly value: unknown;
  /** Paths of members that the text gives more than once. */
  readonly duplicates: readonly string[];
  /** Paths of members that the body has of its own, apart from the object that it stands for, and that mean nothing (of operations of a JSON patch). */
  readonly unknown?: readonly string[];
}

/** Makes the body of a request anew each time: what comes of it is changed on its way, and a write may have to be tried again. */
export type BodySource = () => DecodedBody;
