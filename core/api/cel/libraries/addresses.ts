import {boolType, CelType, intType, stringType} from '../types/cel-type.js';
import {Fault, noSuchOverload} from '../values/fault.js';
import {OpaqueValue} from '../values/opaque.js';
import {addressText, parseAddress} from './go-address.js';
import {quotedText} from '../../json/quoted-text.js';
import {form, functionsOf, method, type Library} from './overload.js';

export const ipType = new CelType('opaque', 'net.IP');
export const cidrType = new CelType('opaque', 'net.CIDR');

class IpValue extends OpaqueValue {
  constructor(readonly bytes: readonly number[]) {
    super();
  }

  override get type() {
    return ipType;
  }

  override equals(other: IpValue): boolean {
    return addressText(this.bytes) === addressText(other.bytes);
  }
}

class CidrValue extends OpaqueValue {
  constructor(
    readonly address: readonly number[],
    readonly length: number,
  ) {
    super();
  }

  override get type() {
    return cidrType;
  }

  override equals(other: CidrValue): boolean {
    return this.toString() === other.toString();
  }

  contains(bytes: readonly number[]): boolean {
    return bytes.length === this.address.length && bytes.every((byte, at) => ((byte ^ this.address[at]!) & maskOf(at, this.length)) === 0);
  }

  override toString(): string {
    return `${addressText(this.address)}/${this.length}`;
  }
}

/** The bits of a byte of an address that belong to a prefix. */
function maskOf(at: number, length: number): number {
  return (0xff00 >> Math.min(8, Math.max(0, length - 8 * at))) & 0xff;
}

const ofIp = (is: (bytes: readonly number[]) => boolean) => [method([ipType], boolType, ({bytes}: IpValue) => is(bytes))];
const isLong = ({length}: readonly number[]) => length === 16;
const all = (bytes: readonly number[], value: number) => bytes.every((byte) => byte === value);
const isUnspecified = (bytes: readonly number[]) => all(bytes, 0);
const isLoopback = (bytes: readonly number[]) => (isLong(bytes) ? all(bytes.slice(0, -1), 0) && bytes[15] === 1 : bytes[0] === 127);
const isMulticast = (bytes: readonly number[]) => (isLong(bytes) ? bytes[0] === 0xff : bytes[0]! >> 4 === 0xe);
const isLinkLocal = (bytes: readonly number[]) =>
  isLong(bytes) ? bytes[0] === 0xfe && bytes[1]! >> 6 === 2 : bytes[0] === 169 && bytes[1] === 254;
const isLocalMulticast = (bytes: readonly number[]) =>
  isLong(bytes) ? bytes[0] === 0xff && (bytes[1]! & 0x0f) === 2 : bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0;

/** Kubernetes' functions of addresses. */
export const addressLibrary: Library = {
  feature: 'addresses',
  types: [ipType, cidrType],
  functions: functionsOf({
    ip: [form([stringType], ipType, ipOf), method([cidrType], ipType, ({address}: CidrValue) => new IpValue(address))],
    family: [method([ipType], intType, ({bytes}: IpValue) => (isLong(bytes) ? 6n : 4n))],
    'ip.isCanonical': [
      form([stringType], boolType, (text: string) => {
        const ip = ipOf(text);
        return ip instanceof Fault ? ip : addressText(ip.bytes) === text;
      }),
    ],
    isUnspecified: ofIp(isUnspecified),
    isLoopback: ofIp(isLoopback),
    isLinkLocalMulticast: ofIp(isLocalMulticast),
    isLinkLocalUnicast: ofIp(isLinkLocal),
    isGlobalUnicast: ofIp(
      (bytes) =>
        !isUnspecified(bytes) && !isLoopback(bytes) && !isMulticast(bytes) && !isLinkLocal(bytes) && !(!isLong(bytes) && all(bytes, 255)),
    ),
    isIP: [form([stringType], boolType, (text: string) => ipOf(text) instanceof IpValue)],
    cidr: [form([stringType], cidrType, cidrOf)],
    containsIP: [
      method([cidrType, stringType], boolType, (cidr: CidrValue, text: string) => {
        const ip = ipOf(text);
        return ip instanceof Fault ? noSuchOverload() : cidr.contains(ip.bytes);
      }),
      method([cidrType, ipType], boolType, (cidr: CidrValue, ip: IpValue) => cidr.contains(ip.bytes)),
    ],
    containsCIDR: [
      method([cidrType, stringType], boolType, (cidr: CidrValue, text: string) => {
        const other = cidrOf(text);
        return other instanceof Fault ? other : containsCidr(cidr, other);
      }),
      method([cidrType, cidrType], boolType, containsCidr),
    ],
    prefixLength: [method([cidrType], intType, ({length}: CidrValue) => BigInt(length))],
    masked: [
      method(
        [cidrType],
        cidrType,
        ({address, length}: CidrValue) =>
          new CidrValue(
            address.map((byte, at) => byte & maskOf(at, length)),
            length,
          ),
      ),
    ],
    isCIDR: [form([stringType], boolType, (text: string) => cidrOf(text) instanceof CidrValue)],
    string: [
      form([ipType], stringType, ({bytes}: IpValue) => addressText(bytes)),
      form([cidrType], stringType, (cidr: CidrValue) => cidr.toString()),
    ],
  }),
};

function containsCidr(cidr: CidrValue, other: CidrValue): boolean {
  return cidr.contains(other.address) && cidr.length <= other.length;
}

function ipOf(text: string): IpValue | Fault {
  const address = parseAddress(text);
  if ('fault' in address) return new Fault(`IP Address ${quotedText(text)} parse error during conversion from string: ${address.fault}`);
  if (address.zone !== '') return new Fault(`IP address ${quotedText(text)} with zone value is not allowed`);
  return isMapped(address.bytes) ? new Fault(`IPv4-mapped IPv6 address ${quotedText(text)} is not allowed`) : new IpValue(address.bytes);
}

function isMapped(bytes: readonly number[]): boolean {
  return isLong(bytes) && all(bytes.slice(0, 10), 0) && bytes[10] === 0xff && bytes[11] === 0xff;
}

function cidrOf(text: string): CidrValue | Fault {
  const words = 'network address parse error during conversion from string: ';
  const failed = (message: string) => new Fault(`${words}${words}netip.ParsePrefix(${quotedText(text)}): ${message}`);
  const slash = text.lastIndexOf('/');
  if (slash < 0) return failed("no '/'");
  const address = parseAddress(text.slice(0, slash));
  if ('fault' in address) return failed(address.fault);
  if (address.zone !== '') return failed('IPv6 zones cannot be present in a prefix');
  const bits = text.slice(slash + 1);
  if (!/^(?:\d|[1-9]\d*)$/.test(bits)) return failed(`bad bits after slash: ${quotedText(bits)}`);
  if (Number(bits) > address.bytes.length * 8) return failed('prefix length out of range');
  return isMapped(address.bytes)
    ? new Fault(`${words}IPv4-mapped IPv6 address ${quotedText(text)} is not allowed`)
    : new CidrValue(address.bytes, Number(bits));
}
