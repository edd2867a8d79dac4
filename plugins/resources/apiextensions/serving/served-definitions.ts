import type {FeatureGates, Logger, ResourceClient, ResourceTypes, Schemas} from '../../../../sdk/index.js';
import type {ConversionParts} from '../conversion/conversion-webhook.js';
import {isConditionTrue, type CustomResourceDefinition, type DefinitionStatus} from '../custom-resource-definition.js';
import {approvalCondition} from '../validation/approval.js';
import {acceptNames, type NamesVerdict} from './accept-names.js';
import {CustomResourceStrategy} from './custom-resource-strategy.js';
import {changedStatus, findingsOf} from './definition-status.js';
import {exceeds, GroupNames, type FixedNames} from './group-names.js';
import {resourceDefinition} from './resource-definition.js';

/** What is needed to serve definitions. */
export interface ServingParts extends ConversionParts {
  readonly resources: ResourceClient;
  readonly types: ResourceTypes;
  readonly schemas: Schemas;
  readonly featureGates: FeatureGates;
  readonly logger: Logger;
}

interface Known {
  readonly uid: string;
  readonly group: string;
  readonly plural: string;
  /** Resource version of the last processed state. */
  version: number;
  /** The input from which the served type was created; undefined while it is not served. */
  served: string | undefined;
  /** Whether clients find it in discovery: they take what is there for established. */
  isShown: boolean;
  hasConflict: boolean;
}

/**
 * The stored definitions as this server serves them. All servers reach the same verdicts, because they see the same definitions in the same
 * order. The status that they write shows the others what each has done.
 */
export class ServedDefinitions {
  readonly #known = new Map<string, Known>();
  readonly #groups = new Map<string, GroupNames>();
  #builtIns: ReadonlyMap<string, FixedNames> | undefined;
  readonly #rules: boolean;
  readonly #parts: ServingParts;

  constructor(parts: ServingParts) {
    this.#parts = parts;
    this.#rules = parts.featureGates.enabled('CustomResourceValidationExpressions');
  }

  /** Whether a definition exists. */
  knows({metadata}: CustomResourceDefinition): boolean {
    return this.#known.get(metadata.name!)?.uid === metadata.uid;
  }

  /** Whether the type of a definition is served here: objects of it may be there, also before its status says so. */
  serves(definition: CustomResourceDefinition): boolean {
    return this.knows(definition) && this.#known.get(definition.metadata.name!)!.served !== undefined;
  }

  /** Starts over with all existing definitions: records the names they already have before judging any of them. */
  restart(definitions: readonly CustomResourceDefinition[]): void {
    for (const known of this.#known.values()) known.version = 0;
    for (const definition of definitions) this.#group(definition.spec.group).claim(definition, definition.status?.acceptedNames);
  }

  /**
   * Processes the state of a definition and serves its type accordingly. A state older than one already processed has no effect.
   *
   * @returns the status to write, or undefined if it is up to date; and definitions that must be checked again
   */
  update(definition: CustomResourceDefinition): {status?: DefinitionStatus; recheck: readonly string[]} {
    const {metadata, spec} = definition;
    const name = metadata.name!;
    const before = this.#known.get(name);
    const recheck = before && before.uid !== metadata.uid ? this.remove(name) : [];
    const known = this.#known.get(name) ?? {
      uid: metadata.uid!,
      group: spec.group,
      plural: spec.names.plural,
      version: 0,
      served: undefined,
      isShown: false,
      hasConflict: false,
    };
    const version = Number(metadata.resourceVersion);
    if (version < known.version) return {recheck};
    known.version = version;
    this.#known.set(name, known);

    const names = this.#group(spec.group);
    const had = names.claimOf(name);
    names.claim(definition, definition.status?.acceptedNames);
    const verdict = acceptNames(definition, this.#inUse(names, definition));
    names.claim(definition, verdict.names);
    known.hasConflict = verdict.finding.status === 'False';
    const released = exceeds(had, names.claimOf(name)) ? this.#conflictsIn(names, name) : [];

    const findings = findingsOf(definition, verdict, approvalCondition(definition, this.#parts.naming));
    const isEstablished = findings.some(({type, status}) => type === 'Established' && status === 'True');
    this.#serve(definition, known, isEstablished ? verdict : undefined);
    if (metadata.deletionTimestamp) return {recheck: [...recheck, ...released]};
    const status = changedStatus(definition, verdict, findings, new Date());
    return {...(status ? {status} : {}), recheck: [...recheck, ...released]};
  }

  /** Stops serving a deleted definition. Returns the definitions that may now get names. */
  remove(name: string): readonly string[] {
    const known = this.#known.get(name);
    if (!known) return [];
    this.#known.delete(name);
    if (known.served !== undefined) this.#parts.types.delete(known.group, known.plural);
    const names = this.#group(known.group);
    names.release(name);
    if (names.isEmpty) this.#groups.delete(known.group);
    return this.#conflictsIn(names, name);
  }

  #serve(definition: CustomResourceDefinition, known: Known, verdict: NamesVerdict | undefined): void {
    if (!verdict) {
      if (known.served !== undefined) this.#parts.types.delete(known.group, known.plural);
      known.served = undefined;
      known.isShown = false;
      return;
    }
    // Served before its status says so, so that whoever waits for that finds it on all servers; shown afterwards, as in Kubernetes.
    const isShown = (known.isShown ||= isConditionTrue(definition, 'Established'));
    const {metadata} = definition;
    const state = JSON.stringify([metadata.generation, Boolean(metadata.deletionTimestamp), verdict.names]);
    const {types, schemas} = this.#parts;
    if (known.served === state) {
      if (isShown) types.show(known.group, known.plural);
      return;
    }
    const isColumnPath = (jsonPath: string) => schemas.jsonPathFault(jsonPath) === undefined;
    types.set(
      resourceDefinition(definition, {names: verdict.names, rules: this.#rules, isColumnPath}),
      new CustomResourceStrategy(definition, this.#parts),
      isShown,
    );
    known.served = state;
  }

  #inUse(names: GroupNames, definition: CustomResourceDefinition) {
    const inUse = names.inUseFor(definition.metadata.name!);
    const {group, names: wanted} = definition.spec;
    return {
      ...inUse,
      resource: (name: string) => inUse.resource(name) || (name === wanted.plural && this.#parts.types.isBuiltIn(group, name)),
    };
  }

  #conflictsIn(names: GroupNames, except: string): string[] {
    return [...names.definitions()].filter((name) => name !== except && this.#known.get(name)?.hasConflict);
  }

  #group(group: string): GroupNames {
    let names = this.#groups.get(group);
    if (!names) this.#groups.set(group, (names = new GroupNames(this.#fixedNames().get(group))));
    return names;
  }

  /** Recorded before the first type is added: all types served by then are built in. */
  #fixedNames(): ReadonlyMap<string, FixedNames> {
    if (this.#builtIns) return this.#builtIns;
    const groups = new Map<string, {resources: Set<string>; kinds: Set<string>}>();
    for (const {group, resource, kind} of this.#parts.resources.resources()) {
      if (!this.#parts.types.isBuiltIn(group, resource)) continue;
      const names = groups.get(group) ?? {resources: new Set(), kinds: new Set()};
      groups.set(group, names);
      names.resources.add(resource);
      names.kinds.add(kind).add(`${kind}List`);
    }
    return (this.#builtIns = groups);
  }
}
