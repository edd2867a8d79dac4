import type {Expression, ExpressionScope, FeatureGates, Expressions, JsonValue} from '../../../../sdk/index.js';
import type {Device, ResourceClaim} from '../../../../sdk/types/unchecked/resource/v1.js';
import type {PooledDevice} from './device-pools.js';
import {DeviceError, type DeviceWay} from './device-requests.js';

/** Of one selector for one device, in Kubernetes' units. */
const maximumCost = 1_000_000;
const mostCompiled = 200;
const maximumProperties = 32;

const domains = (values: object) => ({
  type: 'object',
  maxProperties: maximumProperties,
  additionalProperties: {type: 'object', maxProperties: maximumProperties, additionalProperties: values, 'x-orch-expression-default': {}},
});

/** Evaluates the expressions by which classes and requests select devices. */
export class DeviceSelection {
  readonly #scope: ExpressionScope;
  /** What cannot be compiled is kept as its error. */
  readonly #compiled = new Map<string, Expression | Error>();

  private constructor(scope: ExpressionScope) {
    this.#scope = scope;
  }

  static async open(expressions: Expressions, gates: Pick<FeatureGates, 'enabled'>): Promise<DeviceSelection> {
    const hasLists = gates.enabled('DRAListTypeAttributes');
    const device = {
      type: 'object',
      properties: {
        driver: {type: 'string', 'x-orch-expression-type': 'string', maxLength: 63},
        attributes: domains({'x-orch-expression-type': 'kubernetes.DeviceAttribute', maxLength: 64}),
        capacity: domains({type: 'string', 'x-orch-expression-type': 'kubernetes.Quantity'}),
        ...(gates.enabled('DRAConsumableCapacity') ? {allowMultipleAllocations: {type: 'boolean'}} : {}),
      },
    };
    const libraries = ['bindings', 'semver', ...(hasLists ? (['includes'] as const) : [])] as const;
    return new DeviceSelection(await expressions.scope({device}, {libraries}));
  }

  /** Whether a device is what a class and a request select. @throws DeviceError where an expression fails */
  selects(device: PooledDevice, {deviceClass, selectors}: DeviceWay, {metadata}: ResourceClaim): boolean {
    const ofClass = (deviceClass.spec?.selectors ?? []).map(({cel}) => cel?.expression ?? '');
    return (
      this.#all(ofClass, device, `class ${deviceClass.metadata.name}`) &&
      this.#all(selectors, device, `claim ${metadata.namespace}/${metadata.name}`)
    );
  }

  #all(texts: readonly string[], device: PooledDevice, of: string): boolean {
    const values = this.#scope.bind({device: deviceValue(device)});
    return texts.every((text, index) => {
      const compiled = this.#compile(text);
      if (compiled instanceof Error) throw new DeviceError(`${of}: selector #${index}: CEL compile error: ${compiled.message}`);
      let answer: unknown;
      try {
        answer = compiled.evaluate(values, {left: maximumCost});
      } catch (error) {
        throw new DeviceError(`${of}: selector #${index}: CEL runtime error: ${(error as Error).message}`, {cause: error});
      }
      return answer === true;
    });
  }

  #compile(text: string): Expression | Error {
    let known = this.#compiled.get(text);
    if (!known) {
      try {
        known = this.#scope.compile(text, 'any');
      } catch (error) {
        known = error as Error;
      }
      if (this.#compiled.size >= mostCompiled) this.#compiled.clear();
      this.#compiled.set(text, known);
    }
    return known;
  }
}

/** A device as expressions see it: names without a domain are the driver's own. */
function deviceValue({driver, device}: PooledDevice): JsonValue {
  const {allowMultipleAllocations} = device;
  return {
    driver,
    attributes: byDomain(device.attributes, driver, (attribute) => attribute as JsonValue),
    capacity: byDomain(device.capacity, driver, (capacity) => (capacity as NonNullable<Device['capacity']>[string]).value as JsonValue),
    allowMultipleAllocations: allowMultipleAllocations ?? false,
  };
}

function byDomain(
  members: Readonly<Record<string, unknown>> | undefined,
  driver: string,
  valueOf: (member: unknown) => JsonValue,
): JsonValue {
  const domainsOf: Record<string, Record<string, JsonValue>> = {};
  for (const [name, member] of Object.entries(members ?? {})) {
    const slash = name.indexOf('/');
    const domain = slash < 0 ? driver : name.slice(0, slash);
    (domainsOf[domain] ??= {})[name.slice(slash + 1)] = valueOf(member);
  }
  return domainsOf;
}
