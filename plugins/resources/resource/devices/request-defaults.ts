import type {ResourceClaimSpec} from '../../../../sdk/types/unchecked/resource/v1.js';
import type {ResourceClaimSpec as FlatSpec} from '../../../../sdk/types/unchecked/resource/v1beta1.js';
import {hasFlatRequests} from './claim-conversion.js';

interface Amount {
  allocationMode?: string;
  count?: number | bigint;
}

/** Sets how many devices requests ask for: one, unless they say otherwise. Changes `spec`. */
export function defaultRequests(spec: ResourceClaimSpec | FlatSpec | undefined, version: string): void {
  const isFlat = hasFlatRequests(version);
  for (const request of spec?.devices?.requests ?? []) {
    // Without a class it has alternatives.
    if (!isFlat) defaultAmount((request as {exactly?: Amount}).exactly);
    else if ((request as {deviceClassName?: string}).deviceClassName) defaultAmount(request as Amount);
    for (const alternative of request.firstAvailable ?? []) defaultAmount(alternative as Amount);
  }
}

function defaultAmount(request: Amount | undefined | null): void {
  if (!request) return;
  request.allocationMode ||= 'ExactCount';
  if (request.allocationMode === 'ExactCount' && Number(request.count ?? 0) === 0) request.count = 1;
}
