import {
  controller,
  inject,
  Tokens,
  type Clock,
  type AccessReviewer,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import {done, type WorkResult} from '../../../sdk/controllers/index.js';
import {readRequest} from '../../families/certificates/request-content.js';
import {RequestController} from '../../families/certificates/request-controller.js';
import {
  conditionOf,
  hasCertificate,
  signerOf,
  signingRequests,
  withCondition,
  type SigningRequest,
} from '../../families/certificates/request-object.js';
import {signerFault} from '../../families/certificates/signer-rules.js';

/** Minimum time before a node's permissions are checked again; below is the maximum. */
const shortestPauseMillis = 1000;
const longestPauseMillis = 300_000;

/** In Kubernetes' words. */
const messages = {
  selfnodeclient: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
  nodeclient: 'Auto approving kubelet client certificate after SubjectAccessReview.',
} as const;

/**
 * `csrapproving`: approves requests for client certificates of nodes. The requester must be allowed to `create`
 * `certificatesigningrequests/nodeclient`, or `/selfnodeclient` if the certificate is for the requester itself.
 */
@controller()
export class ApprovingController extends RequestController {
  readonly #group: string;
  readonly #resources: ResourceClient;
  readonly #access: AccessReviewer;
  readonly #logger: Logger;
  readonly #clock: Clock;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Access) access: AccessReviewer,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Clock) clock: Clock,
  ) {
    super({
      resources,
      naming,
      logger,
      figures: {metrics, name: 'certificate_approving'},
      concerns: (request) =>
        signerOf(request, naming) === 'apiserver-client-nodeagent' &&
        !hasCertificate(request) &&
        !conditionOf(request, 'Approved') &&
        !conditionOf(request, 'Denied'),
      work: (request) => this.#approve(request),
    });
    this.#clock = clock;
    this.#resources = resources;
    this.#access = access;
    this.#logger = logger;
    this.#group = naming.group(signingRequests.group);
  }

  async #approve(request: SigningRequest): Promise<WorkResult> {
    const {name, creationTimestamp} = request.metadata;
    const permission = await this.#permission(request);
    if (permission === undefined) return done;
    if (permission !== 'none') {
      const approved = withCondition(request, {type: 'Approved', status: 'True', reason: 'AutoApproved', message: messages[permission]});
      await this.#resources.update(signingRequests, '', approved, 'approval');
      return done;
    }
    this.#logger.debug(
      {request: name, user: request.spec?.username},
      'the caller may not have certificates of nodes approved automatically',
    );
    // The permission may be granted later.
    const age = this.#clock.now() - Date.parse(creationTimestamp ?? '');
    return {again: Math.min(Math.max(age / 2, shortestPauseMillis), longestPauseMillis)};
  }

  /** The permission that allows a request; `none` if there is none, undefined if the request is not for a node's client certificate. */
  async #permission(request: SigningRequest): Promise<keyof typeof messages | 'none' | undefined> {
    const {spec} = request;
    let content;
    try {
      content = await readRequest(spec?.request ?? '');
    } catch (error) {
      this.#logger.warn({request: request.metadata.name, err: error}, 'a certificate signing request cannot be read');
      return undefined;
    }
    if (signerFault('apiserver-client-nodeagent', content, spec?.usages ?? []) !== undefined) return undefined;
    if (content.commonName === spec?.username && (await this.#may(request, 'selfnodeclient'))) return 'selfnodeclient';
    return (await this.#may(request, 'nodeclient')) ? 'nodeclient' : 'none';
  }

  async #may({spec}: SigningRequest, subresource: string): Promise<boolean> {
    const {decision} = await this.#access.authorize({
      user: {
        username: spec?.username ?? '',
        ...(spec?.uid ? {uid: spec.uid} : {}),
        groups: spec?.groups ?? [],
        ...(spec?.extra ? {extra: spec.extra as Record<string, string[]>} : {}),
      },
      verb: 'create',
      isResourceRequest: true,
      path: '',
      group: this.#group,
      version: '*',
      resource: signingRequests.resource,
      subresource,
      namespace: '',
      name: '',
    });
    return decision === 'allow';
  }
}
