import type {VersionLifetime} from './lifetimes.js';

/**
 * A resource type as data: what a plugin manifest contributes under `resources`, and what a
 * CustomResourceDefinition is converted to. Group names are in the neutral `orch` form.
 */
export interface ResourceDefinition {
  readonly group: string;
  readonly names: ResourceNames;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly versions: readonly ResourceVersionDefinition[];
  /** The verbs served; all eight by default. */
  readonly verbs?: readonly ResourceVerb[];
  /** Name of the exported class with the type's behaviour, decorated with `@strategy`. */
  readonly strategy?: string;
  /** Name of the exported class, decorated with `@virtualResource`, that serves a type without stored objects. */
  readonly handler?: string;
  /**
   * The type whose objects this type shares, as another view of them (events of two groups). Both share storage and
   * versions; the strategy's `convert` translates. The other type is always served.
   */
  readonly storedAs?: {readonly group: string; readonly resource: string};
  readonly behaviour?: ResourceBehaviour;
  /** Priority of the group in discovery: higher comes first (Kubernetes' group priority); 1000 by default. */
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
   * alpha are not, and those named beta are if their `lifetime` starts before release 1.22.
   */
  readonly served?: boolean;
  /** Exactly one version of a type is the storage version; a single version is by default. */
  readonly storage?: boolean;
  readonly lifetime?: VersionLifetime;
  /** Feature gate without which it is not served, whatever `--runtime-config` says. */
  readonly featureGate?: string;
  /** Whether responses carry a `Warning`; by default what `lifetime` says about the current release. */
  readonly deprecated?: boolean;
  /** Text of the warning; by default derived from `lifetime`. */
  readonly deprecationWarning?: string;
  /** Reference to the schema, `FILE#/definitions/NAME` with FILE relative to the manifest; or the schema itself. */
  readonly schema: string | Readonly<Record<string, unknown>>;
  readonly subresources?: Readonly<Record<string, SubresourceDefinition>>;
  readonly printerColumns?: readonly PrinterColumn[];
  /** Field paths (`spec.nodeName`) that field selectors may use, in addition to `metadata.name` and `metadata.namespace`. */
  readonly selectableFields?: readonly string[];
  /**
   * What is said of a field that selectors may not use, where the type has words of its own: `field label not supported for {apiVersion}, Kind={kind}: {field}`;
   * `{quoted}` is the field in quotes.
   */
  readonly unselectableField?: string;
}

/** `status` and `scale` are generic, and so is every subresource with `writes`; others have a `handler`. */
export interface SubresourceDefinition {
  /** The first release that has it; by default it came with the version. */
  readonly introduced?: string;
  /** The first release that does not have it any more. */
  readonly removed?: string;
  /** Feature gate without which it is not served. */
  readonly featureGate?: string;
  readonly verbs?: readonly ('get' | 'create' | 'update' | 'patch' | 'delete')[];
  /** Kind of the body, if not the type's own. */
  readonly kind?: {readonly group: string; readonly version: string; readonly kind: string};
  /** Further versions of `kind` in which bodies may be sent. */
  readonly acceptedVersions?: readonly string[];
  /** Schema of the body if `kind` is given: `FILE.json#/definitions/NAME`, or `DOCUMENT#/definitions/NAME` (`policy/v1#/definitions/Eviction`). */
  readonly schema?: string;
  /** Name of the exported class, decorated with `@virtualResource`, that performs the operation. */
  readonly handler?: string;
  /** The handler writes responses itself (`connect`): there is no content negotiation, and paths below the subresource belong to it. */
  readonly connect?: boolean;
  /** Whether its answers may last for as long as their clients stay: without a deadline, counted like watches. False by default, but for upgraded connections. */
  readonly longRunning?: boolean;
  /**
   * Makes the subresource a view of the object itself: requests and responses carry the whole object, and a write takes
   * only these paths from the request (`status`, `spec.finalizers`; `metadata` for what a client may change there). `*` stands for every item of
   * a list (`spec.containers.*.resources`), by position; a list whose items have other names is taken as it is, for the strategy to refuse.
   * Everything else keeps its stored value. The strategy sees such a write as an update with `context.subresource` set.
   * Without it, `status` takes everything except the paths that `resetFields.status` names.
   */
  readonly writes?: readonly string[];
  /** For `scale`: JSON paths as in a CustomResourceDefinition. */
  readonly specReplicasPath?: string;
  readonly statusReplicasPath?: string;
  readonly labelSelectorPath?: string;
}

export interface PrinterColumn {
  readonly name: string;
  /** The first release that has it; by default it came with the version. */
  readonly introduced?: string;
  /** The first release that does not have it any more. */
  readonly removed?: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  /** Columns of priority 0 are always shown, others only in wide output. */
  readonly priority?: number;
  /**
   * The cell's JSON path (`.spec.replicas`). Omitted if the strategy's `tableCells` computes the cell.
   */
  readonly jsonPath?: string;
}

/** A part of a type that is accepted although nothing enforces it. */
export interface WithoutEffect {
  /** The reason, such as `quotas are not enforced`. */
  readonly reason: string;
  /** Name of the admission controller that enforces it; if that is enabled, objects do have their effect. */
  readonly unlessAdmission?: string;
}

/** How writes of a type behave (Kubernetes' REST strategy flags). */
export interface ResourceBehaviour {
  /** Rule for `metadata.name`; `dns-subdomain` by default. */
  readonly nameFormat?: 'dns-subdomain' | 'dns-label' | 'dns-1035-label' | 'data-key' | 'path-segment';
  /** Another rule where a feature gate is on. */
  readonly nameFormatWith?: {readonly featureGate: string; readonly nameFormat: NonNullable<ResourceBehaviour['nameFormat']>};
  /** Finalizers need no domain, whoever knows them; otherwise only those of the platform need none. */
  readonly unqualifiedFinalizers?: boolean;
  /** PUT to a name that does not exist creates the object. */
  readonly createOnUpdate?: boolean;
  /** PUT without `metadata.resourceVersion` is accepted: the last write wins. True by default. */
  readonly unconditionalUpdate?: boolean;
  /** What happens to dependents if a delete request does not say. `Unsupported`: whatever it says, as there are none. */
  readonly defaultDelete?: 'Background' | 'Orphan' | 'Unsupported';
  /** Warns a client that deletes without saying what happens to dependents. */
  readonly defaultDeleteWarning?: string;
  /** `spec`: starts at 1 and increases when anything outside metadata and status changes. `none`: not maintained. */
  readonly generation?: 'spec' | 'none';
  /** The first release in which the generation is counted; all by default. */
  readonly generationIntroduced?: string;
  /** A delete that takes effect at once returns the object rather than a Status. */
  readonly deleteReturnsObject?: boolean;
  /** Paths that a client cannot set, by endpoint (`main` or the subresource): they keep their stored value. */
  readonly resetFields?: Readonly<Record<string, readonly string[]>>;
  /** Paths that a client sets when it makes an object, and not after that: they keep their stored value, and nobody owns them. */
  readonly setOnce?: readonly string[];
  /**
   * In which version the schema's rules and the strategy's `validate…` see an object: `storage`, the default, so that a rule holds whichever version a client
   * speaks; `request`: the version of the request, for strategies that know all versions.
   */
  readonly validation?: 'storage' | 'request';
  /** Objects are removed this many seconds after their last write. */
  readonly ttlSeconds?: number;
  /** Name of a setting of the plugin that says so instead: a string with a duration such as `1h`, of a second or more, or `0` for ever. */
  readonly ttlSetting?: string;
  /** Objects are stored but do nothing: whoever writes them gets a warning. */
  readonly withoutEffect?: WithoutEffect;
}
