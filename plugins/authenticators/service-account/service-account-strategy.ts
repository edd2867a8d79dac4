import {strategy, type ResourceStrategy} from '../../../sdk/index.js';
import type {ServiceAccount} from '../../../sdk/types/unchecked/core/v1.js';

/** ServiceAccount: an identity for programs. Only the names of the secrets it lists have a meaning. */
@strategy()
export class ServiceAccountStrategy implements ResourceStrategy<ServiceAccount> {
  prepareForCreate(object: ServiceAccount): void {
    keepNames(object);
  }

  prepareForUpdate(object: ServiceAccount): void {
    keepNames(object);
  }

  tableCells({secrets}: ServiceAccount): Record<string, string | number> {
    return {Secrets: secrets?.length ?? 0};
  }
}

function keepNames(object: ServiceAccount): void {
  if (object.secrets) object.secrets = object.secrets.map(({name}) => (name === undefined ? {} : {name}));
}
