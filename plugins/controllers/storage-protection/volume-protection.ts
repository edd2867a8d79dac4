import {
  controller,
  inject,
  Tokens,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
  type Unchecked,
} from '../../../sdk/index.js';
import type * as core from '../../../sdk/types/core/v1.js';
import {FinalizerKeeper} from './finalizer-keeper.js';

/** Volumes that are being deleted are kept as long as they are bound to a claim. */
@controller()
export class VolumeProtection extends FinalizerKeeper {
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
      figures: {metrics, name: 'pvprotection'},
      ref: {group: '', version: 'v1', resource: 'persistentvolumes'},
      finalizer: naming.key('orch/pv-protection'),
      isUsed: (object) => (object as Unchecked<core.PersistentVolume>).status?.phase === 'Bound',
    });
  }
}
