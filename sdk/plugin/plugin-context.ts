import type {InjectionToken} from 'tsyringe';
import type {Logger} from '../contracts/logger.js';

/** What a contribution that is defined by a function is created with. */
export interface PluginContext<C = Readonly<Record<string, unknown>>> {
  /** The plugin's own settings, validated, with defaults. */
  readonly config: C;
  /** A log with the plugin's name. */
  readonly logger: Logger;
  /**
   * What constructors of classes get with `@inject`.
   *
   * @throws Error for a token that this server does not offer
   */
  inject<T>(token: InjectionToken<T>): T;
}
