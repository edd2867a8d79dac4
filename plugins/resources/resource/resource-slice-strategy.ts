import {
  FieldPath,
  inject,
  strategy,
  Tokens,
  type ApiObject,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import type {Device, ResourceSlice} from '../../../sdk/types/unchecked/resource/v1.js';
import type {Device as BasicDevice} from '../../../sdk/types/unchecked/resource/v1beta1.js';
import type {ResourceSlice as ClassicSlice} from '../../../sdk/types/unchecked/resource/v1alpha2.js';
import {isNativeResource} from '../../families/pods/resource-names.js';
import {isClassic, versionOf} from './api-version.js';
import {ClassicSlices} from './classic/classic-slices.js';
import {convertSliceSpec, hasBasicDevices, sliceSpecToV1} from './devices/slice-conversion.js';
import {sliceSpecFaults} from './devices/slice-faults.js';
import {defaultTaint} from './devices/taints.js';

const specPath = FieldPath.of('spec');

/** ResourceSlice: devices of a driver, in a pool that may consist of several slices. In 1.30 named instances with attributes. */
@strategy()
export class ResourceSliceStrategy implements ResourceStrategy<ResourceSlice> {
  readonly #classic = new ClassicSlices();
  readonly #isNative: (name: string) => boolean;

  constructor(@inject(Tokens.Naming) naming: NamingProfile) {
    this.#isNative = (name) => isNativeResource(name, naming);
  }

  convert(object: ResourceSlice, to: {readonly group: string; readonly version: string}): ApiObject {
    // Instances of structured parameters cannot be said in devices.
    if (isClassic(versionOf(object)) || isClassic(to.version))
      return {apiVersion: `${to.group}/${to.version}`, kind: object.kind, metadata: object.metadata} as ApiObject;
    return {
      ...object,
      apiVersion: `${to.group}/${to.version}`,
      spec: convertSliceSpec(object.spec, versionOf(object), to.version),
    } as ApiObject;
  }

  applyDefaults(object: ResourceSlice): void {
    const now = new Date();
    const isBasic = hasBasicDevices(versionOf(object));
    for (const each of object.spec?.devices ?? []) {
      const device: Device = isBasic ? ((each as BasicDevice).basic ??= {}) : each;
      for (const taint of device.taints ?? []) defaultTaint(taint, now);
      for (const mapping of Object.values(device.nodeAllocatableResourceMappings ?? {})) mapping.allocationMultiplier ??= '1';
    }
  }

  validateCreate(object: ResourceSlice, {version}: StrategyContext): FieldError[] {
    if (isClassic(version)) return this.#classic.validateCreate(object as unknown as ClassicSlice);
    return sliceSpecFaults(sliceSpecToV1(object.spec, version), undefined, specPath, this.#isNative);
  }

  validateUpdate(object: ResourceSlice, old: ResourceSlice, {version}: StrategyContext): FieldError[] {
    if (isClassic(version)) return this.#classic.validateUpdate(object as unknown as ClassicSlice, old as unknown as ClassicSlice);
    return sliceSpecFaults(sliceSpecToV1(object.spec, version), sliceSpecToV1(old.spec, version), specPath, this.#isNative);
  }

  prepareForCreate({spec}: ResourceSlice, context: StrategyContext): void {
    warnOfCapitals(spec?.driver, context);
  }

  prepareForUpdate({spec}: ResourceSlice, _old: ResourceSlice, context: StrategyContext): void {
    warnOfCapitals(spec?.driver, context);
  }

  selectableFields(object: ResourceSlice): Record<string, string> {
    if (isClassic(versionOf(object))) return this.#classic.selectableFields(object as unknown as ClassicSlice);
    const {spec} = object;
    return {'spec.nodeName': spec?.nodeName ?? '', 'spec.driver': spec?.driver ?? ''};
  }

  tableCells(object: ResourceSlice): Record<string, string> {
    const {nodeName} = isClassic(versionOf(object)) ? (object as unknown as ClassicSlice) : (object.spec ?? {});
    return {Node: nodeName ?? ''};
  }
}

function warnOfCapitals(driver: string | undefined, context: StrategyContext): void {
  if (driver === undefined || driver === driver.toLowerCase()) return;
  context.warn(`spec.driver: driver names should be lowercase; ${JSON.stringify(driver)} contains uppercase characters`);
}
