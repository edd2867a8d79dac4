import type {ConfigMap, Container, KeyToPath, PodSpec, Secret, Volume} from '../../../../sdk/types/unchecked/core/v1.js';

export type SourceKind = 'configmap' | 'secret';

/** What a pod refers to, as far as that is known: `published` is there and holds what is asked for, as nobody has to look. */
export type Source = Readonly<ConfigMap & Secret> | 'published';

/** Finds what a pod refers to, in its namespace; undefined if it is not there. */
export type FindSource = (kind: SourceKind, name: string) => Source | undefined;

interface Reference {
  readonly kind: SourceKind;
  readonly name: string;
  readonly optional: boolean;
  readonly items?: readonly KeyToPath[] | null | undefined;
}

/** Whether a pod refers to ConfigMaps or Secrets. @param published the name of a ConfigMap that does not count in projected volumes, as most pods have it */
export function hasSources(
  {volumes, initContainers, containers, ephemeralContainers, imagePullSecrets}: PodSpec,
  published: string,
): boolean {
  const ofVolume = ({configMap, secret, projected}: Volume) =>
    configMap ?? secret ?? projected?.sources?.some((source) => source.secret ?? (source.configMap && source.configMap.name !== published));
  const ofContainer = ({env, envFrom}: Container) =>
    envFrom?.length || env?.some(({valueFrom}) => valueFrom?.configMapKeyRef ?? valueFrom?.secretKeyRef);
  return (
    (imagePullSecrets ?? []).length > 0 ||
    (volumes ?? []).some(ofVolume) ||
    [...(initContainers ?? []), ...(containers ?? []), ...((ephemeralContainers ?? []) as Container[])].some(ofContainer)
  );
}

/** Why a volume of ConfigMaps and Secrets cannot be made, in the kubelet's words; undefined if it can, or is of another kind. */
export function volumeFault({configMap, secret, projected}: Volume, find: FindSource): string | undefined {
  if (configMap) return referenceFault(configMapOf(configMap), find);
  if (secret)
    return referenceFault({kind: 'secret', name: secret.secretName ?? '', optional: secret.optional === true, items: secret.items}, find);
  const faults = (projected?.sources ?? []).flatMap((source) => {
    const reference = source.configMap
      ? configMapOf(source.configMap)
      : source.secret && {...configMapOf(source.secret), kind: 'secret' as const};
    return (reference && referenceFault(reference, find)) ?? [];
  });
  // As Kubernetes writes several errors: each once.
  const different = [...new Set(faults)];
  return different.length > 1 ? `[${different.join(', ')}]` : different[0];
}

/** Why the environment of a container cannot be made, in the kubelet's words; undefined if it can. */
export function environmentFault({env, envFrom}: Container, namespace: string, find: FindSource): string | undefined {
  for (const {configMapRef, secretRef} of envFrom ?? []) {
    const reference = configMapRef ? configMapOf(configMapRef) : secretRef && {...configMapOf(secretRef), kind: 'secret' as const};
    const fault = reference && referenceFault(reference, find);
    if (fault !== undefined) return fault;
  }
  for (const {value, valueFrom} of env ?? []) {
    if (value) continue;
    const {configMapKeyRef, secretKeyRef} = valueFrom ?? {};
    const chosen = configMapKeyRef ?? secretKeyRef;
    if (!chosen) continue;
    const {name = '', key = ''} = chosen;
    const kind = configMapKeyRef ? 'configmap' : 'secret';
    const found = find(kind, name);
    if (chosen.optional === true || found === 'published' || (found && has(found.data, key))) continue;
    return found ? `couldn't find key ${key} in ${kind === 'secret' ? 'Secret' : 'ConfigMap'} ${namespace}/${name}` : notFound(kind, name);
  }
  return undefined;
}

/** The Secrets for pulling images that are not there. */
export function missingPullSecrets({imagePullSecrets}: PodSpec, find: FindSource): readonly string[] {
  return (imagePullSecrets ?? []).flatMap(({name = ''}) => (name === '' || find('secret', name) ? [] : [name]));
}

function configMapOf({name, optional, items}: {name?: string; optional?: boolean; items?: Reference['items']}): Reference {
  return {kind: 'configmap', name: name ?? '', optional: optional === true, items};
}

function referenceFault({kind, name, optional, items}: Reference, find: FindSource): string | undefined {
  const found = find(kind, name);
  if (optional || found === 'published') return undefined;
  if (!found) return notFound(kind, name);
  const missing = (items ?? []).find(({key = ''}) => !has(found.data, key) && !has(found.binaryData, key));
  if (!missing) return undefined;
  return kind === 'secret'
    ? `references non-existent secret key: ${missing.key}`
    : `configmap references non-existent config key: ${missing.key}`;
}

function has(data: object | null | undefined, key: string): boolean {
  return data !== null && data !== undefined && Object.hasOwn(data, key);
}

function notFound(kind: SourceKind, name: string): string {
  return `${kind} "${name}" not found`;
}
