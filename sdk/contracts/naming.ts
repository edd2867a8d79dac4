/** The names of a platform, as data from which a naming profile is built. */
export interface PlatformNames {
  readonly name: string;
  /** Suffix of the platform's API groups: `orch` or `k8s.io`. */
  readonly groupSuffix: string;
  /** Prefix of label keys, annotation keys, finalizers, secret types and signers: `orch` or `kubernetes.io`. */
  readonly keyPrefix: string;
  /** Media type of the binary form: `application/vnd.orch.protobuf`. */
  readonly protobufMediaType: string;
  /** Prefix of HTTP header names: `X-Orch` or `X-Kubernetes`. */
  readonly headerPrefix: string;
  readonly systemNamespace: string;
  readonly publicNamespace: string;
  readonly nodeLeaseNamespace: string;
  /** Signer names by the part after the slash of their neutral form: `apiserver-client` is `orch/apiserver-client` or `kubernetes.io/kube-apiserver-client`. */
  readonly signers: Readonly<Record<string, string>>;
  /** Defaults of feature gates that differ from the manifest's. */
  readonly featureGates: Readonly<Record<string, boolean>>;
}

/**
 * How the platform's own names are spelled. Code, manifests and schemas are written in the neutral `orch` form;
 * a profile turns that form into the one that clients see. Two are built in (`orch`, `kubernetes`); a configuration may define another.
 */
export interface NamingProfile extends PlatformNames {
  /** An API group: `storage.orch` becomes `storage.k8s.io`; groups without the suffix are unchanged. */
  group(neutral: string): string;
  /** A reserved key: `orch/metadata.name` becomes `kubernetes.io/metadata.name`, `bootstrap.orch/token` `bootstrap.kubernetes.io/token`. */
  key(neutral: string): string;
}

/**
 * The finalizer in `spec.finalizers` of a namespace that keeps it until its content is deleted: `orch` or `kubernetes`. It is the first
 * word of the key prefix. It is the only finalizer without a slash that a namespace may have.
 */
export function namespaceFinalizer(naming: NamingProfile): string {
  return naming.keyPrefix.split('.', 1)[0]!;
}

/**
 * Prefix of the names of the platform's own objects in users' namespaces: `orch` or `kube`. It is the name of the public namespace without
 * its last word.
 */
export function componentPrefix(naming: Pick<NamingProfile, 'publicNamespace'>): string {
  return naming.publicNamespace.replace(/-[^-]*$/, '');
}
