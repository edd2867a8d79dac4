import {invalid, type FieldError} from '../errors/field-error.js';
import type {FieldPath} from '../errors/field-path.js';
import {cidrContains, parseCidr, parseIp, type Cidr, type IpAddress} from './ip-address.js';

const kinds = [
  {blocks: ['0.0.0.0/32', '::/128'], detail: (text: string) => `may not be unspecified (${text})`},
  {blocks: ['127.0.0.0/8', '::1/128'], detail: () => 'may not be in the loopback range (127.0.0.0/8, ::1/128)'},
  {blocks: ['169.254.0.0/16', 'fe80::/10'], detail: () => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'},
  {blocks: ['224.0.0.0/24', 'ff02::/16'], detail: () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'},
];

/** Whether an address is that of the machine itself, as only the machine itself sees it. */
export function isLoopback(address: IpAddress): boolean {
  return isWithin(address, kinds[1]!.blocks);
}

/** Errors in an address that traffic is sent to: invalid, or not that of a single machine. */
export function validateNonSpecialIp(text: string, path: FieldPath): FieldError[] {
  const address = parseIp(text);
  if (!address) return [invalid(path, text, 'must be a valid IP address')];
  return kinds.filter(({blocks}) => isWithin(address, blocks)).map(({detail}) => invalid(path, text, detail(text)));
}

/** Addresses that do not belong to a single machine: unspecified, loopback, link-local, multicast and broadcast addresses. */
const notUnicast = [
  '0.0.0.0/32',
  '::/128',
  '127.0.0.0/8',
  '::1/128',
  '169.254.0.0/16',
  'fe80::/10',
  '224.0.0.0/4',
  'ff00::/8',
  '255.255.255.255/32',
];

/** Whether an address belongs to a single machine anywhere (Go's global unicast). */
export function isGlobalUnicast(address: IpAddress): boolean {
  return !isWithin(address, notUnicast);
}

/** The blocks above, each parsed when it is first needed: an object may have tens of thousands of addresses. */
const parsed = new Map<string, Cidr>();

function parsedBlock(block: string): Cidr {
  let cidr = parsed.get(block);
  if (!cidr) parsed.set(block, (cidr = parseCidr(block)!));
  return cidr;
}

function isWithin(address: IpAddress, blocks: readonly string[]): boolean {
  return blocks.some((block) => cidrContains(parsedBlock(block), address));
}
