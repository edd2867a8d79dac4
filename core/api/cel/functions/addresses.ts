import type {Environment} from '@marcbachmann/cel-js';
import {isOfFormat} from '../../schema/string-formats.js';

const sync = {async: false};

/** Whether texts are addresses: Kubernetes' `isIP` and `isCIDR`. */
export function addAddressFunctions(environment: Environment): void {
  environment
    .registerFunction('isIP(string): bool', (text: string) => isOfFormat('ipv4', text) || isOfFormat('ipv6', text), sync)
    .registerFunction('isCIDR(string): bool', (text: string) => isOfFormat('cidr', text), sync);
}
