import {methodNotAllowed, type ApiObject, type FieldError, type ResourceStrategy, type StrategyContext} from '../../../../sdk/index.js';
import {ConversionWebhook, type ConversionParts} from '../conversion/conversion-webhook.js';
import {versionsOf, type CustomResourceDefinition, type ScaleSubresource} from '../custom-resource-definition.js';
import {scaleSpecFaults, scaleStatusFaults} from './scale-faults.js';

/**
 * Conversion strategy `None`. A single function for all types and definitions, so that a comparison shows that conversion did not change.
 */
const renamed: NonNullable<ResourceStrategy['convert']> = (object, to) => ({...object, apiVersion: `${to.group}/${to.version}`});

/** Behaviour of custom resources beyond their schema. */
export class CustomResourceStrategy implements ResourceStrategy {
  readonly #scales: ReadonlyMap<string, ScaleSubresource>;
  readonly #target: {readonly group: string; readonly resource: string};
  readonly #isTerminating: boolean;
  /** One of the two is defined: `convertMany` if a webhook converts. */
  readonly convert?: ResourceStrategy['convert'];
  readonly convertMany?: ResourceStrategy['convertMany'];

  constructor(definition: CustomResourceDefinition, parts: ConversionParts) {
    const {spec, metadata} = definition;
    this.#target = {group: spec.group, resource: spec.names.plural};
    this.#isTerminating = Boolean(metadata.deletionTimestamp);
    this.#scales = new Map(
      versionsOf(definition).flatMap(({name, subresources}) => (subresources?.scale ? [[name, subresources.scale]] : [])),
    );
    // Objects that only wait for deletion need no real conversion.
    if (spec.conversion?.strategy === 'Webhook' && !this.#isTerminating) {
      const webhook = new ConversionWebhook(definition, parts);
      this.convertMany = (objects, to) => webhook.convertMany(objects, to);
    } else this.convert = renamed;
  }

  /** @throws 405 while the definition is being deleted */
  prepareForCreate(): void {
    if (this.#isTerminating) throw methodNotAllowed(this.#target, 'create');
  }

  validateCreate(object: ApiObject, context: StrategyContext): FieldError[] {
    return this.#scaleFaults(object, context);
  }

  validateUpdate(object: ApiObject, _old: ApiObject, context: StrategyContext): FieldError[] {
    return this.#scaleFaults(object, context);
  }

  /** The fields that `scale` reads must have the right types; those of the spec are not judged where only the status is written. */
  #scaleFaults(object: ApiObject, {version, subresource}: StrategyContext): FieldError[] {
    const scale = this.#scales.get(version);
    if (!scale) return [];
    return [...(subresource === 'status' ? [] : scaleSpecFaults(object, scale)), ...scaleStatusFaults(object, scale)];
  }
}
