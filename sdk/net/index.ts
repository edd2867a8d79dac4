/** `@orch-api/orch/sdk/net`: IP addresses and blocks of them. */
export {
  cidrContains,
  cidrSize,
  formatIp,
  ipFamily,
  parseCidr,
  parseIp,
  validateCidr,
  validateIp,
  type Cidr,
  type IpAddress,
  type IpFamily,
} from './ip-address.js';
export {isGlobalUnicast, isLoopback, validateNonSpecialIp} from './special-addresses.js';
export {readInSmallParts} from './small-reads.js';
