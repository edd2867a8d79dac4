import {
  FieldPath,
  inject,
  strategy,
  Tokens,
  type ApiObject,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {validateNonNegativeMembers} from '../../../sdk/validation/index.js';
import type {HorizontalPodAutoscaler, HorizontalPodAutoscalerSpec} from '../../../sdk/types/unchecked/autoscaling/v2.js';
import type {HorizontalPodAutoscaler as HorizontalPodAutoscalerV1} from '../../../sdk/types/unchecked/autoscaling/v1.js';
import {autoscalerCells} from './autoscaler-cells.js';
import {
  autoscalerToV1,
  autoscalerToV2,
  hasOtherMetrics,
  roundTripAnnotations,
  withoutRoundTrip,
  type RoundTripAnnotations,
} from './autoscaler-conversion.js';
import {defaultBehavior, defaultCpuUtilization} from './autoscaler-defaults.js';
import {validateAutoscalerSpec} from './autoscaler-faults.js';
import {versionFaults} from './metric-faults.js';

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');

/**
 * HorizontalPodAutoscaler: keeps the number of a workload's pods between two bounds, based on metrics. Objects are stored as
 * `autoscaling/v2`. `v1` keeps what it has no fields for in annotations, and is validated by the rules of `v2`.
 */
@strategy()
export class HorizontalPodAutoscalerStrategy implements ResourceStrategy<ApiObject> {
  readonly #names: RoundTripAnnotations;
  readonly #gates: FeatureGates;
  readonly #naming: NamingProfile;

  constructor(@inject(Tokens.Naming) naming: NamingProfile, @inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#gates = gates;
    this.#naming = naming;
    this.#names = roundTripAnnotations(naming);
  }

  convert(object: ApiObject, to: {readonly group: string; readonly version: string}): ApiObject {
    const apiVersion = `${to.group}/${to.version}`;
    return to.version === 'v1' ? autoscalerToV1(object, this.#names, apiVersion) : autoscalerToV2(object, this.#names, apiVersion);
  }

  applyDefaults(object: ApiObject): void {
    if (isV1(object)) {
      const {spec} = object;
      if (spec && !hasOtherMetrics(object, this.#names)) spec.targetCPUUtilizationPercentage ??= defaultCpuUtilization;
      return;
    }
    const {behavior} = (object as HorizontalPodAutoscaler).spec ?? {};
    if (behavior) defaultBehavior(behavior);
  }

  prepareForCreate(object: ApiObject): void {
    if (isV1(object)) this.#keepAnnotations(object, undefined, ['currentMetrics', 'conditions']);
    this.#tidy(object, undefined);
  }

  prepareForUpdate(object: ApiObject, old: ApiObject, context: StrategyContext): void {
    if (isV1(object))
      this.#keepAnnotations(object, old, context.subresource === 'status' ? ['metrics', 'behavior'] : ['currentMetrics', 'conditions']);
    this.#tidy(object, this.#asV2(old));
  }

  validateCreate(object: ApiObject): FieldError[] {
    return this.#specFaults(this.#asV2(object), undefined);
  }

  validateUpdate(object: ApiObject, old: ApiObject, context: StrategyContext): FieldError[] {
    const wanted = this.#asV2(object);
    if (context.subresource !== 'status') return this.#specFaults(wanted, this.#asV2(old));
    return validateNonNegativeMembers(wanted.status, ['currentReplicas', 'desiredReplicas'], statusPath);
  }

  tableCells(object: ApiObject): Record<string, string | number> {
    return autoscalerCells(this.#asV2(object));
  }

  #asV2(object: ApiObject): HorizontalPodAutoscaler {
    return isV1(object) ? autoscalerToV2(object, this.#names, object.apiVersion!.replace(/v1$/, 'v2')) : object;
  }

  /** Versions that were accepted once may stay as they are. */
  #versionRules({scaleTargetRef: target}: HorizontalPodAutoscalerSpec, old: HorizontalPodAutoscalerSpec | undefined) {
    if (!this.#gates.enabled('AutoscalerTargetVersions')) return {targetVersion: 'any', objectVersion: 'any'} as const;
    const before = old?.scaleTargetRef;
    const isKept = old !== undefined && before?.apiVersion === target?.apiVersion && before?.kind === target?.kind;
    const hasOld = old?.metrics?.some(
      ({object}) => object && versionFaults(object.describedObject?.apiVersion ?? '', 'version').length > 0,
    );
    return {
      targetVersion: isKept ? 'any' : target?.kind === 'ReplicationController' ? 'version' : 'grouped',
      objectVersion: hasOld ? 'any' : 'version',
    } as const;
  }

  #specFaults({spec = {}}: HorizontalPodAutoscaler, old: HorizontalPodAutoscaler | undefined): FieldError[] {
    const toNothing = this.#gates.enabled('HPAScaleToZero') || old?.spec?.minReplicas === 0;
    return validateAutoscalerSpec(spec, specPath, {
      lowestMinimum: toNothing ? 0 : 1,
      requiresMaximum: this.#gates.enabled('RequiredMaxReplicas'),
      ...this.#versionRules(spec, old?.spec),
      containerMetrics: this.#gates.enabled('HPAContainerMetrics'),
      naming: this.#naming,
    });
  }

  /** In `v1`, annotations act as fields too: those of the part that clients cannot set at an endpoint keep their stored values. */
  #keepAnnotations({metadata}: ApiObject, old: ApiObject | undefined, parts: readonly (keyof RoundTripAnnotations)[]): void {
    const annotations = new Map(Object.entries(metadata.annotations ?? {}));
    for (const part of parts) {
      const name = this.#names[part];
      const stored = old?.metadata.annotations?.[name];
      if (stored === undefined) annotations.delete(name);
      else annotations.set(name, stored);
    }
    if (metadata.annotations || annotations.size > 0) metadata.annotations = Object.fromEntries(annotations);
  }

  /** Drops fields of disabled feature gates and, in `v2`, annotations that only `v1` may have. */
  #tidy(object: ApiObject, old: HorizontalPodAutoscaler | undefined): void {
    const {annotations} = object.metadata;
    if (!isV1(object)) {
      if (annotations) object.metadata.annotations = withoutRoundTrip(annotations, this.#names);
      this.#dropContainerMetrics(object, old);
      return;
    }
    const wanted = structuredClone(this.#asV2(object));
    if (!this.#dropContainerMetrics(wanted, old)) return;
    const {spec, metadata} = autoscalerToV1(wanted, this.#names, object.apiVersion!);
    Object.assign(object, {spec, metadata});
  }

  /** Returns whether something was dropped. */
  #dropContainerMetrics({spec}: HorizontalPodAutoscaler, old: HorizontalPodAutoscaler | undefined): boolean {
    if (this.#gates.enabled('HPAContainerMetrics') || usesContainerMetrics(old)) return false;
    const metrics = spec?.metrics?.filter(({containerResource}) => containerResource) ?? [];
    for (const metric of metrics) delete metric.containerResource;
    return metrics.length > 0;
  }
}

function usesContainerMetrics(object: HorizontalPodAutoscaler | undefined): boolean {
  return object?.spec?.metrics?.some(({containerResource}) => containerResource) ?? false;
}

function isV1(object: ApiObject): object is HorizontalPodAutoscalerV1 {
  return object.apiVersion?.endsWith('/v1') ?? false;
}
