import {
  admission,
  admissionForbidden,
  fieldErrorText,
  inject,
  internalError,
  invalidObject,
  readCachedFirst,
  Tokens,
  type AdmissionConfigurations,
  type AdmissionController,
  type AdmissionRequest,
  type ApiObject,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import type {PodSpec, PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';
import type {CheckedKeys, CheckedPod, Violation} from './checks/check.js';
import {readConfiguration, type PodSecurityConfiguration} from './configuration.js';
import type * as Evaluation from './evaluate.js';
import {isEquivalent, isPrivileged, modes, PolicyLabels, type PolicyOfLabels} from './policy.js';
import {isSameStandard, isStricter, standardText, type Standard} from './standard.js';

type Owner = {template?: PodTemplateSpec; spec?: {template?: PodTemplateSpec; jobTemplate?: {spec?: {template?: PodTemplateSpec}}}};

/** Types whose objects contain pod templates. */
const templateResources = [
  'replicationcontrollers',
  'podtemplates',
  'replicasets.apps',
  'deployments.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
  'cronjobs.batch',
] as const;

type Images = readonly {readonly name?: string; readonly image?: string}[] | null | undefined;

const namespaces: ResourceRef = {group: '', version: 'v1', resource: 'namespaces'};

/**
 * Checks pods against the Pod Security Standard that the labels of their namespace select. Pods that violate the enforced standard are
 * rejected. Pod templates only cause warnings and notes, since they may be completed later.
 */
@admission({
  operations: ['CREATE', 'UPDATE'],
  resources: ['namespaces', 'pods', 'pods/ephemeralcontainers', ...templateResources],
  order: 190,
  sideEffects: 'none',
})
export class PodSecurity implements AdmissionController {
  readonly #configuration: PodSecurityConfiguration;
  readonly #labels: PolicyLabels;
  readonly #keys: CheckedKeys;
  /** The checks, loaded with the first pod that is checked. */
  #evaluation: typeof Evaluation | undefined;
  /** Prefix of the audit annotations. */
  readonly #notes: string;

  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.AdmissionConfigurations) configurations: AdmissionConfigurations,
  ) {
    this.#resources = resources;
    this.#naming = naming;

    this.#configuration = readConfiguration(configurations.get('PodSecurity'), naming);
    this.#labels = new PolicyLabels(naming);
    this.#keys = {
      appArmorContainer: naming.key('container.apparmor.security.beta.orch/'),
      seccompPod: naming.key('seccomp.security.alpha.orch/pod'),
      seccompContainer: naming.key('container.seccomp.security.alpha.orch/'),
    };
    this.#notes = naming.key('pod-security.orch/');
  }

  validate(request: AdmissionRequest): Promise<void> | void {
    switch (request.resource.resource) {
      case 'namespaces':
        return this.#validateNamespace(request);
      case 'pods':
        return this.#validatePod(request);
      default:
        return this.#validateTemplate(request);
    }
  }

  async #validatePod(request: AdmissionRequest): Promise<void> {
    if (this.#isExempt(request)) return;
    const read = this.#labels.read(await this.#namespaceLabels(request), this.#configuration.defaults);
    if (read.faults.length === 0 && isPrivileged(read.policy)) {
      this.#note(request, 'enforce-policy', 'privileged:latest');
      return;
    }
    const pod = podOf(request.object!);
    if (request.operation === 'UPDATE' && !isSignificant(pod, podOf(request.oldObject!), this.#naming)) return;
    await this.#evaluate(request, pod, read, true);
  }

  async #validateTemplate(request: AdmissionRequest): Promise<void> {
    if (this.#isExempt(request)) return;
    const read = this.#labels.read(await this.#namespaceLabels(request), this.#configuration.defaults);
    const {warn, audit} = read.policy;
    if (read.faults.length === 0 && warn.level === 'privileged' && audit.level === 'privileged') return;
    const template = podTemplateOf(request.object!);
    if (template) await this.#evaluate(request, template, read, false);
  }

  async #evaluate(request: AdmissionRequest, pod: CheckedPod, {policy, faults}: PolicyOfLabels, enforces: boolean): Promise<void> {
    if (this.#configuration.exemptions.runtimeClasses.has(pod.spec.runtimeClassName ?? '')) {
      this.#note(request, 'exempt', 'runtimeClass');
      return;
    }
    if (faults.length > 0) this.#note(request, 'error', `Failed to parse policy: ${faultsText(faults.map(fieldErrorText))}`);
    const {violations, detailText} = (this.#evaluation ??= await import('./evaluate.js'));
    const known = new Map<string, Violation[]>();
    const violationsOf = (standard: Standard): Violation[] => {
      const key = standardText(standard);
      const found = known.get(key) ?? violations(standard, pod, this.#keys);
      known.set(key, found);
      return found;
    };
    const text = (standard: Standard) => `violate PodSecurity "${standardText(standard)}": ${detailText(violationsOf(standard))}`;

    if (enforces) this.#note(request, 'enforce-policy', standardText(policy.enforce));
    if (violationsOf(policy.audit).length > 0) this.#note(request, 'audit-violations', `would ${text(policy.audit)}`);
    if (enforces && violationsOf(policy.enforce).length > 0) {
      throw admissionForbidden(request, `violates${text(policy.enforce).slice('violate'.length)}`);
    }
    if (violationsOf(policy.warn).length > 0) request.warn(`would ${text(policy.warn)}`);
  }

  /** Labels must be valid. A user who makes a namespace stricter is warned about its pods that would no longer be admitted. */
  async #validateNamespace(request: AdmissionRequest): Promise<void> {
    const object = request.object!;
    const name = object.metadata.name ?? '';
    const {labels} = object.metadata;
    const {policy, faults} = this.#labels.read(labels, this.#configuration.defaults);
    const before =
      request.operation === 'UPDATE' ? this.#labels.read(request.oldObject!.metadata.labels, this.#configuration.defaults) : undefined;
    const isKnownFault = before !== undefined && faultsText(before.faults.map(fieldErrorText)) === faultsText(faults.map(fieldErrorText));
    if (faults.length > 0 && !isKnownFault) throw invalidObject({group: '', kind: 'Namespace'}, name, faults);

    const {enforce} = policy;
    if (before) {
      const old = before.policy.enforce;
      if (isSameStandard(enforce, old) || enforce.level === 'privileged') return;
      if (enforce.version === old.version && !isStricter(enforce.level, old.level)) return;
    }
    if (this.#configuration.exemptions.namespaces.has(name)) {
      const ignored = this.#ignoredText(policy, labels);
      if (ignored !== '') request.warn(`namespace "${name}" is exempt from Pod Security, and the policy (${ignored}) will be ignored`);
    } else if (before) {
      for (const warning of await this.#existingWarnings(name, enforce)) request.warn(warning);
    }
  }

  async #existingWarnings(namespace: string, standard: Standard): Promise<string[]> {
    const {ExistingPods} = await import('./existing-pods.js');
    const {runtimeClasses} = this.#configuration.exemptions;
    return new ExistingPods(this.#resources, this.#keys, (name) => runtimeClasses.has(name)).warnings(namespace, standard);
  }

  /** The warning about labels of an exempt namespace, which have no effect. */
  #ignoredText(policy: PolicyOfLabels['policy'], labels: Readonly<Record<string, string>> | undefined): string {
    if (isPrivileged(policy) || isEquivalent(policy, this.#configuration.defaults)) return '';
    return modes
      .filter((mode) => policy[mode].level !== 'privileged' && this.#labels.has(labels, mode))
      .map((mode) => `${mode}=${standardText(policy[mode])}`)
      .join(', ');
  }

  #isExempt(request: AdmissionRequest): boolean {
    const {namespaces: exemptNamespaces, usernames} = this.#configuration.exemptions;
    const reason = exemptNamespaces.has(request.namespace) ? 'namespace' : usernames.has(request.user.username) ? 'user' : undefined;
    if (reason !== undefined) this.#note(request, 'exempt', reason);
    return reason !== undefined;
  }

  async #namespaceLabels({namespace}: AdmissionRequest): Promise<Readonly<Record<string, string>> | undefined> {
    try {
      return (await readCachedFirst(this.#resources, namespaces, '', namespace)).metadata.labels;
    } catch (error) {
      throw internalError(`failed to lookup namespace "${namespace}"`, {cause: error});
    }
  }

  #note(request: AdmissionRequest, name: string, value: string): void {
    request.annotate(`${this.#notes}${name}`, value);
  }
}

function podOf({metadata, ...rest}: ApiObject): CheckedPod {
  return {annotations: metadata.annotations ?? {}, spec: (rest as {spec?: PodSpec}).spec ?? {}};
}

function faultsText(texts: readonly string[]): string {
  return texts.length > 1 ? `[${texts.join(', ')}]` : (texts[0] ?? '');
}

/**
 * Whether an update changes something that the standards check. Few such fields of a running pod can change. All other updates are
 * admitted, so that a pod that existed before its namespace became stricter can still be labelled, finalized and deleted.
 */
function isSignificant(pod: CheckedPod, old: CheckedPod, naming: NamingProfile): boolean {
  const seccomp = naming.key('container.seccomp.security.alpha.orch/');
  const differs = (name = '', image = '', oldImage = '') =>
    image !== oldImage || pod.annotations[seccomp + name] !== old.annotations[seccomp + name];
  const anyDiffers = (now: Images, before: Images) =>
    (now ?? []).length !== (before ?? []).length || (now ?? []).some(({name, image}, index) => differs(name, image, before![index]!.image));
  if (anyDiffers(pod.spec.containers, old.spec.containers) || anyDiffers(pod.spec.initContainers, old.spec.initContainers)) return true;
  return (pod.spec.ephemeralContainers ?? []).some(({name, image}) => {
    const before = (old.spec.ephemeralContainers ?? []).find((container) => container.name === name);
    return !before || differs(name, image, before.image);
  });
}

/** The pod template of an object of one of these types, if it has one. */
function podTemplateOf(object: ApiObject): CheckedPod | undefined {
  const {template, spec} = object as Owner;
  const found = template ?? spec?.template ?? spec?.jobTemplate?.spec?.template;
  return found && {annotations: found.metadata?.annotations ?? {}, spec: found.spec ?? {}};
}
