import {
  controller,
  durationMillis,
  inject,
  StatusError,
  Tokens,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
  type ServerPaths,
} from '../../../sdk/index.js';
import {done, type WorkResult} from '../../../sdk/controllers/index.js';
import {CannotIssue, issueCertificate} from './issue-certificate.js';
import {readRequest} from '../../families/certificates/request-content.js';
import {RequestController} from '../../families/certificates/request-controller.js';
import {
  conditionOf,
  hasCertificate,
  signerOf,
  signingRequests,
  withCondition,
  type BuiltInSigner,
  type SigningRequest,
} from '../../families/certificates/request-object.js';
import {signerFault} from '../../families/certificates/signer-rules.js';
import {authorityFiles, readAuthority, type AuthorityFiles, type SigningAuthority} from './signing-authority.js';

const shortestLifetimeMillis = 600_000;
/** Delay before the next attempt if the CA cannot sign: somebody must fix it, or another server signs. */
const authorityPauseMillis = 30_000;

/** `csrsigning`: the platform's signers. Signs approved requests that meet their signer's requirements; all others fail. */
@controller()
export class SigningController extends RequestController {
  readonly #files: Readonly<Record<BuiltInSigner, AuthorityFiles>>;
  readonly #configured: readonly AuthorityFiles[];
  readonly #longestMillis: number;
  readonly #naming: NamingProfile;
  readonly #resources: ResourceClient;
  readonly #logger: Logger;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Paths) paths: ServerPaths,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    super({
      resources,
      naming,
      logger,
      figures: {metrics, name: 'certificate_signing'},
      concerns: (request) =>
        signerOf(request, naming) !== undefined &&
        conditionOf(request, 'Approved') !== undefined &&
        !conditionOf(request, 'Denied') &&
        !conditionOf(request, 'Failed') &&
        !hasCertificate(request),
      work: (request) => this.#sign(request),
    });
    this.#naming = naming;
    this.#resources = resources;
    this.#logger = logger;
    ({files: this.#files, configured: this.#configured} = authorityFiles(config, paths));
    this.#longestMillis = lifetime(config['signingDuration'] as string);
  }

  /** @throws Error if a configured CA cannot sign */
  async check(): Promise<void> {
    await Promise.all(this.#configured.map(readAuthority));
  }

  async #sign(request: SigningRequest): Promise<WorkResult> {
    const signer = signerOf(request, this.#naming)!;
    let authority: SigningAuthority;
    try {
      authority = await readAuthority(this.#files[signer]);
    } catch (error) {
      this.#logger.warn({...about(request), err: error}, 'the CA cannot sign; it is tried again');
      return {again: authorityPauseMillis};
    }
    try {
      const certificate = await this.#issue(request, signer, authority);
      await this.#store(request, certificate);
    } catch (error) {
      if (!(error instanceof CannotIssue)) throw error;
      await this.#fail(request, error);
    }
    return done;
  }

  /** @throws CannotIssue if the request does not meet the signer's requirements */
  async #issue({spec}: SigningRequest, signer: BuiltInSigner, authority: SigningAuthority): Promise<string> {
    const usages = spec?.usages ?? [];
    const content = await readRequest(spec?.request ?? '').catch((error: unknown) => {
      throw new CannotIssue(`the request cannot be read: ${error instanceof Error ? error.message : String(error)}`, {cause: error});
    });
    const fault = signerFault(signer, content, usages);
    if (fault !== undefined) throw new CannotIssue(fault);
    const wanted = typeof spec?.expirationSeconds === 'number' ? spec.expirationSeconds * 1000 : Infinity;
    const lifetimeMillis = Math.min(Math.max(wanted, shortestLifetimeMillis), this.#longestMillis);
    return issueCertificate({content, usages, lifetimeMillis, authority});
  }

  /** @throws CannotIssue if the certificate is rejected, which would happen again */
  async #store(request: SigningRequest, certificate: string): Promise<void> {
    const signed = {...request, status: {...request.status, certificate: Buffer.from(certificate).toString('base64')}};
    try {
      await this.#resources.update(signingRequests, '', signed, 'status');
    } catch (error) {
      if (StatusError.is(error) && (error.code === 413 || error.code === 422)) throw new CannotIssue(error.message, {cause: error});
      throw error;
    }
  }

  async #fail(request: SigningRequest, error: CannotIssue): Promise<void> {
    const failed = withCondition(request, {
      type: 'Failed',
      status: 'True',
      reason: 'SignerValidationFailure',
      message: error.message.slice(0, 1024),
    });
    await this.#resources.update(signingRequests, '', failed, 'status');
    // Only now: if another server was first, it reports the result.
    this.#logger.warn(
      {...about(request), reason: error.message},
      "a certificate signing request is not signed: it does not meet its signer's conditions",
    );
  }
}

function about({metadata, spec}: SigningRequest): object {
  return {request: metadata.name, signer: spec?.signerName};
}

function lifetime(text: string): number {
  const millis = durationMillis(text);
  if (!millis) throw new Error(`--cluster-signing-duration: ${JSON.stringify(text)} is not a duration above zero, such as 8760h`);
  return millis;
}
