import {
  admission,
  admissionForbidden,
  componentPrefix,
  inject,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import type {Pod, ServiceAccount} from '../../../sdk/types/unchecked/core/v1.js';
import {secretNames} from '../../families/pods/referenced-names.js';
import {AccountReader} from './account-reader.js';
import {defaultAccount} from './default-account-arrivals.js';
import {foreignSecret, foreignSecretOfEphemeral, limitsSecrets} from './mountable-secrets.js';
import {mountToken, wantsToken, type TokenVolumeNames} from './token-volume.js';

/**
 * Every new pod runs under an existing service account: the one that it names, or the default one of its namespace. It gets the account's
 * image pull secrets, and a volume with a token unless the pod or the account opts out. Mirror pods, which a kubelet creates for its static
 * pods, get nothing and may refer to no account or Secret.
 */
@admission({
  operations: ['CREATE', 'UPDATE'],
  resources: ['pods', 'pods/ephemeralcontainers'],
  order: 140,
  sideEffects: 'none',
})
export class ServiceAccountAdmission implements AdmissionController {
  readonly #accounts: AccountReader;
  readonly #volume: TokenVolumeNames;
  readonly #mirror: string;
  readonly #limit: string;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
  ) {
    const prefix = componentPrefix(naming);
    this.#accounts = new AccountReader(resources, cache);
    this.#volume = {
      volumePrefix: `${prefix}-api-access-`,
      mountPath: `/var/run/secrets/${naming.keyPrefix}/serviceaccount`,
      certificates: `${prefix}-root-ca.crt`,
    };
    this.#mirror = naming.key('orch/config.mirror');
    this.#limit = naming.key('orch/enforce-mountable-secrets');
  }

  admit(request: AdmissionRequest): false | Promise<void | false> {
    return request.operation === 'CREATE' && request.subresource === '' && this.#admitPod(request);
  }

  async #admitPod(request: AdmissionRequest): Promise<void | false> {
    const pod = request.object as Pod;
    if (this.#isMirror(pod)) {
      this.#validateMirror(request, pod);
      return false;
    }
    const spec = (pod.spec ??= {});
    spec.serviceAccountName ||= defaultAccount;
    const account = await this.#account(request, spec.serviceAccountName);
    if (wantsToken(spec, account)) mountToken(spec, this.#volume);
    if (!spec.imagePullSecrets?.length && account.imagePullSecrets?.length) {
      spec.imagePullSecrets = account.imagePullSecrets.map(({name}) => ({name: name ?? ''}));
    }
    this.#validateSecrets(request, spec, account, foreignSecret);
  }

  async validate(request: AdmissionRequest): Promise<void> {
    const pod = request.object as Pod;
    if (request.operation === 'UPDATE') {
      if (request.subresource === 'ephemeralcontainers') await this.#validatePod(request, pod, foreignSecretOfEphemeral);
      return;
    }
    // Later controllers and webhooks may have changed this.
    if (this.#isMirror(pod)) this.#validateMirror(request, pod);
    else await this.#validatePod(request, pod, foreignSecret);
  }

  async #validatePod(request: AdmissionRequest, {metadata, spec = {}}: Pod, foreign: typeof foreignSecret): Promise<void> {
    if (!spec.serviceAccountName) {
      throw admissionForbidden(request, `no service account specified for pod ${request.namespace}/${metadata.name ?? ''}`);
    }
    this.#validateSecrets(request, spec, await this.#account(request, spec.serviceAccountName), foreign);
  }

  #validateSecrets(
    request: AdmissionRequest,
    spec: NonNullable<Pod['spec']>,
    account: ServiceAccount,
    foreign: typeof foreignSecret,
  ): void {
    const problem = limitsSecrets(account, this.#limit) ? foreign(spec, account) : undefined;
    if (problem !== undefined) throw admissionForbidden(request, problem);
  }

  #validateMirror(request: AdmissionRequest, {spec = {}}: Pod): void {
    if (spec.serviceAccountName) throw admissionForbidden(request, 'a mirror pod may not reference service accounts');
    if (secretNames(spec).size > 0) throw admissionForbidden(request, 'a mirror pod may not reference secrets');
    const sources = (spec.volumes ?? []).flatMap(({projected}) => projected?.sources ?? []);
    if (sources.some(({serviceAccountToken}) => serviceAccountToken)) {
      throw admissionForbidden(request, 'a mirror pod may not use ServiceAccountToken volume projections');
    }
  }

  async #account(request: AdmissionRequest, name: string): Promise<ServiceAccount> {
    const account = await this.#accounts.read(request.namespace, name, request.signal);
    if (account) return account;
    throw admissionForbidden(
      request,
      `error looking up service account ${request.namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`,
    );
  }

  #isMirror({metadata}: Pod): boolean {
    return metadata.annotations?.[this.#mirror] !== undefined;
  }
}
