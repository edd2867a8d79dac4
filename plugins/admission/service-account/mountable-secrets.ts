import type {Container, PodSpec, ServiceAccount} from '../../../sdk/types/unchecked/core/v1.js';

/** The values that Go's `strconv.ParseBool` takes for true. */
const truths = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

/** Whether pods of an account may only use the Secrets that it lists. */
export function limitsSecrets({metadata}: ServiceAccount, annotation: string): boolean {
  return truths.has(metadata.annotations?.[annotation] ?? '');
}

/** The first Secret in a new pod that its account does not list, as a sentence. */
export function foreignSecret(spec: PodSpec, account: ServiceAccount): string | undefined {
  const mountable = namesOf(account.secrets);
  const refuse = (what: string, secret = '') =>
    `${what} secret.secretName="${secret}" is not allowed because service account ${account.metadata.name!} does not reference that secret`;
  for (const {secret} of spec.volumes ?? []) {
    if (secret && !mountable.has(secret.secretName ?? '')) return refuse('volume with', secret.secretName);
  }
  const inContainers =
    foreignInContainers('init container', spec.initContainers, mountable, refuse) ??
    foreignInContainers('container', spec.containers, mountable, refuse);
  if (inContainers !== undefined) return inContainers;
  const pullable = namesOf(account.imagePullSecrets);
  const index = (spec.imagePullSecrets ?? []).findIndex(({name}) => !pullable.has(name ?? ''));
  if (index < 0) return undefined;
  const name = spec.imagePullSecrets![index]!.name ?? '';
  return `imagePullSecrets[${index}].name="${name}" is not allowed because service account ${account.metadata.name!} does not reference that imagePullSecret`;
}

/** The same for ephemeral containers that are added to a pod. */
export function foreignSecretOfEphemeral(spec: PodSpec, account: ServiceAccount): string | undefined {
  const refuse = (what: string, secret = '') =>
    `${what} secret.secretName="${secret}" is not allowed because service account ${account.metadata.name!} does not reference that secret`;
  return foreignInContainers('ephemeral container', spec.ephemeralContainers as Container[] | undefined, namesOf(account.secrets), refuse);
}

function foreignInContainers(
  kind: string,
  containers: readonly Container[] | null | undefined,
  mountable: ReadonlySet<string>,
  refuse: (what: string, secret?: string) => string,
): string | undefined {
  for (const container of containers ?? []) {
    for (const {name = '', valueFrom} of container.env ?? []) {
      const secret = valueFrom?.secretKeyRef;
      if (secret && !mountable.has(secret.name ?? '')) {
        return refuse(`${kind} ${container.name ?? ''} with envVar ${name} referencing`, secret.name);
      }
    }
    for (const {secretRef} of container.envFrom ?? []) {
      if (secretRef && !mountable.has(secretRef.name ?? '')) {
        return refuse(`${kind} ${container.name ?? ''} with envFrom referencing`, secretRef.name);
      }
    }
  }
  return undefined;
}

function namesOf(references: readonly {readonly name?: string}[] | null | undefined): Set<string> {
  return new Set((references ?? []).map(({name}) => name ?? ''));
}
