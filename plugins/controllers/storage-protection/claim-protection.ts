import {controller, inject, Tokens, type Logger, type Metrics, type NamingProfile, type ResourceClient} from '../../../sdk/index.js';
import {isClaimUsed} from './claim-users.js';
import {FinalizerKeeper} from './finalizer-keeper.js';

/**
 * Claims that are being deleted are kept as long as a pod uses them. Pods are not watched, because that would make every write of a pod
 * more expensive: the pods of the claim's namespace are checked again after a quarter of the time waited so far.
 */
@controller()
export class ClaimProtection extends FinalizerKeeper {
  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
  ) {
    super({
      resources,
      naming,
      logger,
      figures: {metrics, name: 'pvcprotection'},
      ref: {group: '', version: 'v1', resource: 'persistentvolumeclaims'},
      finalizer: naming.key('orch/pvc-protection'),
      isUsed: (claim) => isClaimUsed(resources, claim),
      pauseAfter: (waitedMillis) => Math.min(Math.max(waitedMillis / 4, 50), 5000),
    });
  }
}
