import type {DeviceAttribute, DeviceConstraint} from '../../../../sdk/types/unchecked/resource/v1.js';
import type {PooledDevice} from './device-pools.js';
import type {DeviceWay} from './device-requests.js';

/** What the devices of a claim have in common, or not, as they are chosen one after the other. */
export class ChosenConstraint {
  readonly #requests: ReadonlySet<string>;
  readonly #attribute: string;
  readonly #isDistinct: boolean;
  readonly #values: string[] = [];

  constructor({requests, matchAttribute, distinctAttribute}: DeviceConstraint) {
    this.#requests = new Set(requests ?? []);
    this.#attribute = matchAttribute ?? distinctAttribute ?? '';
    this.#isDistinct = matchAttribute === undefined;
  }

  /** Takes a device that goes with those before. Answers whether it does. */
  add(way: DeviceWay, device: PooledDevice): boolean {
    if (!this.#concerns(way)) return true;
    const value = valueOf(attributeOf(device, this.#attribute));
    if (value === undefined) return false;
    const fits = this.#isDistinct ? !this.#values.includes(value) : this.#values.length === 0 || this.#values[0] === value;
    if (fits) this.#values.push(value);
    return fits;
  }

  /** Takes back the last one that was added. */
  remove(way: DeviceWay): void {
    if (this.#concerns(way)) this.#values.pop();
  }

  #concerns({name, request}: DeviceWay): boolean {
    return this.#requests.size === 0 || this.#requests.has(name) || this.#requests.has(request);
  }
}

function attributeOf({device, driver}: PooledDevice, name: string): DeviceAttribute | undefined {
  const attributes = device.attributes ?? {};
  if (Object.hasOwn(attributes, name)) return attributes[name];
  const [domain, own = ''] = name.split('/');
  return domain === driver && Object.hasOwn(attributes, own) ? attributes[own] : undefined;
}

/** Values of different types are never the same. */
function valueOf(attribute: DeviceAttribute | undefined): string | undefined {
  const {string, int, bool, version} = attribute ?? {};
  if (string !== undefined) return `string ${string}`;
  if (int !== undefined) return `int ${int}`;
  if (bool !== undefined) return `bool ${bool}`;
  return version === undefined ? undefined : `version ${version}`;
}
