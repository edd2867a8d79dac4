import {
  badRequest,
  StatusError,
  type AdmissionForm,
  type AdmissionOperation,
  type AdmissionPatchOptions,
  type AdmissionRequest,
  type AdmissionVerdict,
  type AnnotationLevel,
  type ApiObject,
  type GroupVersionKind,
  type GroupVersionResource,
  type JsonObject,
  type JsonValue,
  type UserInfo,
} from '../../../sdk/index.js';
import {equalJson} from '../../../sdk/values/equal-json.js';
import {applyJsonPatch, failedTest} from '../../api/patch/apply-json-patch.js';
import {patchProblem} from '../../api/patch/patch-error.js';
import {parseJsonPatch} from '../../api/patch/json-patch.js';
import {convertBetween} from '../../api/types/convert.js';
import type {RequestTrace} from '../../tracing/request-trace.js';
import type {ObjectTarget, ServedVersion} from '../served-version.js';
import type {WriteContext} from '../request-context.js';
import type {ServedForm, ServedForms} from '../admission/admission-forms.js';
import {decodeObject} from './decode-object.js';
import {frozenCopy} from '../../../sdk/objects/frozen-copy.js';
import {mergeConfiguration} from './merge-configuration.js';

/** The kind of the options that admission sees, by operation. A PATCH has those of the create or update that it results in. */
const optionsKinds = {CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions', CONNECT: undefined} as const;

/** The parts of an admission request other than the object, which changes during admission. */
interface Admitted {
  readonly served: ServedVersion;
  readonly target: ObjectTarget;
  readonly context: WriteContext;
  /** The kind of the bodies, if it is not that of the type. */
  readonly kind?: GroupVersionKind | undefined;
  readonly oldObject?: ApiObject | undefined;
  readonly ofCollection?: boolean | undefined;
  /** Further options of this operation. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Holds the object of a write: steps replace it, and so does a patch from an admission controller. */
export interface WrittenObject {
  object: ApiObject | undefined;
}

/** A write as admission controllers see it. */
export class WriteRequest implements AdmissionRequest {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly oldObject: ApiObject | undefined;
  readonly dryRun: boolean;
  readonly ofCollection: boolean;
  readonly user: UserInfo;
  readonly noteVerdict: ((verdict: AdmissionVerdict) => void) | undefined;
  #round: 0 | 1 = 0;
  #isAskedAgain = false;
  readonly #admitted: Admitted;
  readonly #write: WrittenObject;

  constructor(
    readonly operation: AdmissionOperation,
    admitted: Admitted,
    write: WrittenObject,
  ) {
    this.#admitted = admitted;
    this.#write = write;
    const {served, target, context, kind, oldObject} = admitted;
    const {version} = served;
    this.kind = kind ?? version.kind;
    this.resource = version.resource;
    this.subresource = target.subresource;
    this.namespace = target.namespace;
    this.oldObject = oldObject;
    this.dryRun = context.dryRun;
    this.ofCollection = admitted.ofCollection ?? false;
    this.user = context.user;
    this.noteVerdict = context.noteVerdict;
  }

  /** Made when a controller asks, as few do. */
  get options(): Readonly<Record<string, unknown>> {
    const {served, context, options} = this.#admitted;
    const kind = optionsKinds[this.operation];
    if (kind === undefined) return {};
    return {kind, apiVersion: served.optionsVersion, ...(context.dryRun ? {dryRun: ['All']} : {}), ...context.given, ...options};
  }

  get warn(): (text: string) => void {
    const {context} = this.#admitted;
    return (text) => context.warn(text);
  }

  get annotate(): (key: string, value: string, level?: AnnotationLevel) => void {
    const {context} = this.#admitted;
    return (key, value, level) => context.annotate(key, value, level);
  }

  get name(): string {
    return this.#admitted.target.name || (this.#write.object?.metadata?.name ?? '');
  }

  get object(): ApiObject | undefined {
    return this.#write.object;
  }

  get forms(): ServedForms {
    return this.#admitted.served.forms.of(this.subresource);
  }

  get round(): 0 | 1 {
    return this.#round;
  }

  get signal(): AbortSignal | undefined {
    return this.#admitted.context.cancellation?.();
  }

  /** Records the durations of controllers. */
  get trace(): RequestTrace | undefined {
    return this.#admitted.context.task.trace;
  }

  shownAs(object: ApiObject, form: AdmissionForm): ApiObject | Promise<ApiObject> {
    const {version, hasOwnKind} = form as ServedForm;
    const own = this.forms[0].version;
    return hasOwnKind || version === own ? object : convertBetween(object, own, version);
  }

  async patch(operations: JsonValue, form: AdmissionForm, options: AdmissionPatchOptions = {}): Promise<boolean> {
    const value = applied(operations, (await this.#shown(form)) as unknown as JsonValue, options);
    return value !== undefined && this.#replace(value, form, options);
  }

  async merge(configuration: JsonObject, form: AdmissionForm): Promise<boolean> {
    const shown = (await this.#shown(form)) as unknown as JsonObject;
    return this.#replace(mergeConfiguration((form as ServedForm).schema.node, shown, configuration), form, {});
  }

  async #shown(form: AdmissionForm): Promise<ApiObject> {
    const {object} = this;
    if (!object) throw badRequest('there is no object to patch');
    return this.shownAs(object, form);
  }

  /** Makes a changed object that of the write. Returns whether it differs from the one before. */
  async #replace(value: JsonValue, form: AdmissionForm, {fieldValidation = 'Ignore'}: AdmissionPatchOptions): Promise<boolean> {
    const {version, schema, hasOwnKind} = form as ServedForm;
    const target = {kind: form === this.forms[0] ? this.kind : form.kind, schema, ...(hasOwnKind ? {} : {type: version.type})};
    // Those of custom resources may be preserved.
    const context = {...this.#admitted.context, fieldValidation: version.type.origin === 'custom' ? 'Ignore' : fieldValidation} as const;
    const before = hasOwnKind || version !== this.forms[0].version ? undefined : this.oldObject;
    const settable = {isStatus: this.subresource === 'status', take: (body: ApiObject) => body, before};
    const patched = decodeObject({value, duplicates: []}, target, context, settable);
    schema.applyDefaults(patched as never);
    if (!hasOwnKind) version.type.strategy?.applyDefaults?.(patched);
    const result = hasOwnKind ? patched : await convertBetween(patched, version, this.forms[0].version);
    if (equalJson(this.object as never, result as never)) return false;
    this.#write.object = result;
    return true;
  }

  runAgain(): void {
    this.#isAskedAgain = true;
  }

  /** This request with immutable copies of its objects. */
  frozen(): AdmissionRequest {
    const refuse = (): never => {
      throw new TypeError('Cannot redefine property object: patch, merge and runAgain are for admit');
    };
    // Getters are not own properties.
    const {name, forms, round, signal, options, warn, annotate} = this;
    return Object.freeze({
      ...this,
      name,
      forms,
      round,
      signal,
      options,
      warn,
      annotate,
      object: frozenCopy(this.object),
      oldObject: frozenCopy(this.oldObject),
      shownAs: (object: ApiObject, form: AdmissionForm) => this.shownAs(object, form),
      patch: refuse,
      merge: refuse,
      runAgain: refuse,
    });
  }

  /** Starts the second round if a controller asked for it. */
  beginNextRound(): boolean {
    if (this.#round === 1 || !this.#isAskedAgain) return false;
    this.#round = 1;
    return true;
  }
}

/**
 * @returns undefined if the patch has a test that does not hold, and may be skipped
 * @throws StatusError 400 or 413: a patch that cannot be applied is an error of the patch, not of the object
 */
function applied(operations: JsonValue, document: JsonValue, {skipOnFailedTest}: AdmissionPatchOptions): JsonValue | undefined {
  try {
    return applyJsonPatch(document, parseJsonPatch(operations));
  } catch (error) {
    if (!StatusError.is(error) || error.code !== 422) throw error;
    if (skipOnFailedTest && patchProblem(error).endsWith(failedTest)) return undefined;
    throw badRequest(patchProblem(error));
  }
}
