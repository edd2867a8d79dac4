import type {Environment} from '@marcbachmann/cel-js';
import {isCidr, isIpAddress} from '../../schema/formats/addresses.js';

const sync = {async: false};

/** Kubernetes' `isIP` and `isCIDR`. */
export function addAddressFunctions(environment: Environment): void {
  environment
    .registerFunction('isIP(string): bool', isIpAddress, sync)
    .registerFunction('isCIDR(string): bool', (text: string) => isCidr(text, false), sync);
}
