import type {VersionLifetime} from './lifetimes.js';

/**
 * A resource type as data: what a plugin manifest contributes under `resources`, and what a
 * CustomResourceDefinition is turned into. Group names are in the neutral `orch` form.
 */
export interface ResourceDefinition {
  readonly group: string;
  readonly names: ResourceNames;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly versions: readonly ResourceVersionDefinition[];
  /** Verbs that are served; all eight by default. */
  readonly verbs?: readonly ResourceVerb[];
  /** Name of the exported class with the type's behaviour, decorated with `@strategy`. */
  readonly strategy?: string;
  /** Name of the exported class, decorated with `@virtualResource`, that serves a type of which nothing is stored. */
  readonly handler?: string;
  /**
   * The type whose objects these are: another view of the same things (events of two groups). Both share storage and
   * versions; the strategy's `convert` translates. The other type is always served.
   */
  readonly storedAs?: {readonly group: string; readonly resource: string};
  readonly behaviour?: ResourceBehaviour;
  /** Order of the group in discovery: the higher the earlier (Kubernetes' group priority); 1000 by default. */
  readonly groupPriority?: number;
}

export type ResourceVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

export interface ResourceNames {
  readonly plural: string;
  readonly singular?: string;
  readonly kind: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface ResourceVersionDefinition {
  readonly name: string;
  /**
   * Whether the version is served unless `--runtime-config` says otherwise. By default stable versions are, those named
   * alpha are not, and those named beta are if their `lifetime` begins before release 1.22.
   */
  readonly served?: boolean;
  /** Exactly one version of a type is the storage version; the only one is it by default. */
  readonly storage?: boolean;
  readonly lifetime?: VersionLifetime;
  /** Whether answers carry a `Warning`; by default what `lifetime` says of the present release. */
  readonly deprecated?: boolean;
  /** Text of the warning; by default it is made from `lifetime`. */
  readonly deprecationWarning?: string;
  /** Where the schema is: `FILE#/definitions/NAME`, FILE relative to the manifest; or the schema itself. */
  readonly schema: string | Readonly<Record<string, unknown>>;
  readonly subresources?: Readonly<Record<string, SubresourceDefinition>>;
  readonly printerColumns?: readonly PrinterColumn[];
  /** Field paths (`spec.nodeName`) that field selectors may use, besides `metadata.name` and `metadata.namespace`. */
  readonly selectableFields?: readonly string[];
}

/** `status` and `scale` are generic, and so is every subresource with `writes`; others have a `handler`. */
export interface SubresourceDefinition {
  readonly verbs?: readonly ('get' | 'create' | 'update' | 'patch' | 'delete')[];
  /** Kind of the body where it is not the type's own. */
  readonly kind?: {readonly group: string; readonly version: string; readonly kind: string};
  /** Further versions of `kind` in which bodies may be sent. */
  readonly acceptedVersions?: readonly string[];
  /** Schema of the body where `kind` is given: `FILE.json#/definitions/NAME`, or `DOCUMENT#/definitions/NAME` (`policy/v1#/definitions/Eviction`). */
  readonly schema?: string;
  /** Name of the exported class, decorated with `@virtualResource`, that carries the operation out. */
  readonly handler?: string;
  /** The handler writes responses itself (`connect`): the subresource is not negotiated, and paths below it belong to it. */
  readonly connect?: boolean;
  /**
   * Makes the subresource a view of the object itself: requests and responses carry the whole object, and a write takes
   * only these paths from the request (`status`, `spec.finalizers`; `metadata` for what a client may change there).
   * Everything else stays as stored. The strategy sees such a write as an update with `context.subresource` set.
   * A `status` without it takes everything but the paths that `resetFields.status` names.
   */
  readonly writes?: readonly string[];
  /** For `scale`: JSON paths as in a CustomResourceDefinition. */
  readonly specReplicasPath?: string;
  readonly statusReplicasPath?: string;
  readonly labelSelectorPath?: string;
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, higher ones in the wide form. */
  readonly priority?: number;
  /**
   * Where the cell is: a JSON path (`.spec.replicas`). Left out when the strategy's `tableCells` computes it.
   */
  readonly jsonPath?: string;
}

/** What of a type is accepted though nothing enforces it. */
export interface WithoutEffect {
  /** Why, as `quotas are not enforced`. */
  readonly reason: string;
  /** Beginning of the keys of labels that have no effect (`pod-security.orch/`); the whole object has none where this is left out. */
  readonly labels?: string;
}

/** How writes of a type behave (Kubernetes' REST strategy flags). */
export interface ResourceBehaviour {
  /** Rule for `metadata.name`; `dns-subdomain` by default. */
  readonly nameFormat?: 'dns-subdomain' | 'dns-label' | 'dns-1035-label' | 'path-segment';
  /** PUT to a name that does not exist creates the object. */
  readonly createOnUpdate?: boolean;
  /** PUT without `metadata.resourceVersion` is accepted: the last write wins. True by default. */
  readonly unconditionalUpdate?: boolean;
  /** What happens to dependents when a delete request does not say. */
  readonly defaultDelete?: 'Background' | 'Orphan';
  /** `spec`: starts at 1 and grows when anything outside metadata and status changes. `none`: not maintained. */
  readonly generation?: 'spec' | 'none';
  /** A delete that takes effect at once answers the object rather than a Status. */
  readonly deleteReturnsObject?: boolean;
  /** Paths whose value a client cannot set, by endpoint (`main` or the subresource): the stored value stays. */
  readonly resetFields?: Readonly<Record<string, readonly string[]>>;
  /** Objects vanish this many seconds after their last write. */
  readonly ttlSeconds?: number;
  /** Objects, or labels of theirs, are kept and do nothing: whoever writes some is warned. */
  readonly withoutEffect?: WithoutEffect;
}
