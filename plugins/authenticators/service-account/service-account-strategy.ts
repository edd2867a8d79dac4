import {age, strategy, type ResourceStrategy, type Unchecked} from '../../../sdk/index.js';
import type * as core from '../../../sdk/types/core/v1.js';

type ServiceAccount = Unchecked<core.ServiceAccount>;

/** ServiceAccount: an identity for programs. Only the names of the secrets it lists have a meaning. */
@strategy()
export class ServiceAccountStrategy implements ResourceStrategy<ServiceAccount> {
  prepareForCreate(object: ServiceAccount): void {
    keepNames(object);
  }

  prepareForUpdate(object: ServiceAccount): void {
    keepNames(object);
  }

  tableCells({secrets, metadata}: ServiceAccount, now: Date): Record<string, string | number> {
    return {Secrets: secrets?.length ?? 0, Age: age(metadata.creationTimestamp, now)};
  }
}

function keepNames(object: ServiceAccount): void {
  if (object.secrets) object.secrets = object.secrets.map(({name}) => (name === undefined ? {} : {name}));
}
