import {controller, inject, Tokens, type Controller, type Logger, type NamingProfile, type ResourceClient} from '@orch-api/orch/sdk';
import type {Reconciler} from '@orch-api/orch/sdk/controllers';
import {backupsController} from './backups.js';

/** The controller inside the server. */
@controller()
export class Backups implements Controller {
  readonly #loop: Reconciler;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.#loop = backupsController({resources, naming, logger});
  }

  async start(signal: AbortSignal): Promise<void> {
    await this.#loop.start(signal);
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }
}
