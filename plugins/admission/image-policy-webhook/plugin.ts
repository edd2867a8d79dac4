import {createHash} from 'node:crypto';
import {setTimeout as delay} from 'node:timers/promises';
import {
  isJsonObject,
  admission,
  admissionForbidden,
  inject,
  timeout,
  Tokens,
  WebhookError,
  type AdmissionConfigurations,
  type AdmissionController,
  type AdmissionRequest,
  type ApiVersions,
  type JsonObject,
  type Logger,
  type NamingProfile,
} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/core/v1.js';
import {RemoteReviewer} from '../../families/remote-service/remote-reviewer.js';
import {AnswerCache} from './answer-cache.js';
import {imagePolicySettings, type ImagePolicySettings} from './image-policy-settings.js';

/** Attempts of a call, and the factor by which each pause grows. */
const tries = 5;
const pauseFactor = 1.5;
/** Maximum concurrent reviews. */
const connections = 64;
/** Most annotations that are taken of an answer, and most characters of each and of its reason: answers are remembered. */
const annotationLimit = 100;
const textLimit = 4096;

/** The service's answer. */
interface Verdict {
  readonly allowed: boolean;
  readonly reason: string;
  readonly auditAnnotations: readonly (readonly [key: string, value: string])[];
}

/** Asks a service about the images of new and changed pods and of ephemeral containers, and caches the answers. */
@admission({operations: ['CREATE', 'UPDATE'], resources: ['pods', 'pods/ephemeralcontainers'], order: 180, sideEffects: 'none'})
export class ImagePolicyWebhook implements AdmissionController {
  readonly #settings: ImagePolicySettings;
  readonly #logger: Logger;
  readonly #apiVersion: string;
  readonly #annotationPart: string;
  readonly #auditPrefix: string;
  readonly #answers = new AnswerCache<Verdict>();
  #reviewer!: RemoteReviewer;
  #isFailing = false;

  /** @throws Error in one sentence if the configuration is invalid, or the review's API group is not enabled */
  constructor(
    @inject(Tokens.AdmissionConfigurations) configurations: AdmissionConfigurations,
    @inject(Tokens.ApiVersions) versions: ApiVersions,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    const group = naming.group('imagepolicy.orch');
    if (!versions.isEnabled('imagepolicy.orch', 'v1alpha1'))
      throw new Error(`ImagePolicyWebhook needs the group of its review: --runtime-config=${group}/v1alpha1=true`);
    this.#settings = imagePolicySettings(configurations);
    this.#logger = logger;
    this.#apiVersion = `${group}/v1alpha1`;
    const domain = naming.group('image-policy.orch');
    this.#annotationPart = `.${domain}/`;
    this.#auditPrefix = `imagepolicywebhook.${domain}/`;
  }

  async start(): Promise<void> {
    this.#reviewer = await RemoteReviewer.open(this.#settings.kubeConfigFile, connections);
  }

  async stop(): Promise<void> {
    this.#reviewer.close();
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const pod = request.object as unknown as Pod;
    const {spec} = pod;
    const containers =
      request.subresource === '' ? [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])] : (spec?.ephemeralContainers ?? []);
    const annotations = Object.entries(pod.metadata.annotations ?? {}).filter(([key]) => key.includes(this.#annotationPart));
    const review = {
      containers: containers.map(({image}) => ({image: image ?? ''})),
      ...(annotations.length === 0 ? {} : {annotations: Object.fromEntries(annotations)}),
      namespace: request.namespace,
    };
    const verdict = await this.#verdict(review, request);
    if (!verdict) return;
    for (const [key, value] of verdict.auditAnnotations) request.annotate(`${this.#auditPrefix}${key}`, value);
    if (verdict.allowed) return;
    throw admissionForbidden(
      request,
      verdict.reason === ''
        ? 'one or more images rejected by webhook backend'
        : `image policy webhook backend denied one or more images: ${verdict.reason}`,
    );
  }

  /** Undefined if the service cannot be reached and pods are admitted in that case. */
  async #verdict(spec: object, request: AdmissionRequest): Promise<Verdict | undefined> {
    const text = JSON.stringify(spec);
    // A digest, because users choose how long their annotations are.
    const key = createHash('sha256').update(text).digest('base64');
    const known = this.#answers.get(key);
    if (known) return known;
    try {
      const verdict = readVerdict(
        await this.#ask({apiVersion: this.#apiVersion, kind: 'ImageReview', metadata: {}, spec, status: {allowed: false}}, request.signal),
      );
      this.#answers.set(key, verdict, verdict.allowed ? this.#settings.allowMillis : this.#settings.denyMillis);
      this.#logOutcome(undefined);
      return verdict;
    } catch (error) {
      // A request that is over is not the service's failure, and is not admitted for it.
      if (request.signal?.aborted) throw timeout('request did not complete within requested timeout');
      this.#logOutcome(error);
      if (!this.#settings.defaultAllow)
        throw admissionForbidden(request, `the image policy webhook cannot be called: ${(error as Error).message}`);
      request.annotate(`${this.#auditPrefix}failed-open`, 'true');
      return undefined;
    }
  }

  async #ask(review: object, signal: AbortSignal | undefined): Promise<JsonObject> {
    let pause = this.#settings.retryMillis;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#reviewer.post(review, signal);
      } catch (error) {
        if (attempt === tries || !mayPass(error) || signal?.aborted) throw error;
        await delay(pause * (1 + Math.random() / 5), undefined, signal ? {signal} : {});
        pause *= pauseFactor;
      }
    }
  }

  /** Repeated failures of the service are logged once. */
  #logOutcome(error: unknown): void {
    if (this.#isFailing === (error !== undefined)) return;
    this.#isFailing = error !== undefined;
    if (this.#isFailing) this.#logger.warn({err: error, defaultAllow: this.#settings.defaultAllow}, 'the image policy webhook fails');
    else this.#logger.info({}, 'the image policy webhook is responding again');
  }
}

/** Failures that may be temporary. */
function mayPass(error: unknown): boolean {
  if (!WebhookError.is(error)) return false;
  const {code, statusCode = 0} = error;
  return code === 'Unreachable' || (code === 'Refused' && (statusCode === 429 || statusCode >= 500));
}

/** The `spec` in the service's answer is ignored. @throws Error for an answer without a decision */
function readVerdict({status}: JsonObject): Verdict {
  if (!isJsonObject(status)) throw new Error('the answer has no status');
  const {allowed, reason, auditAnnotations} = status;
  const notes = isJsonObject(auditAnnotations) ? Object.entries(auditAnnotations) : [];
  return {
    allowed: allowed === true,
    reason: typeof reason === 'string' ? reason.slice(0, textLimit) : '',
    auditAnnotations: notes
      .filter((note): note is [string, string] => typeof note[1] === 'string' && note[0].length <= textLimit)
      .slice(0, annotationLimit)
      .map(([key, value]) => [key, value.slice(0, textLimit)] as const),
  };
}
