import type {InjectionToken} from 'tsyringe';
import type {ControllerContribution} from '../../sdk/plugin/manifest.js';

/** Creates the value of a token for a plugin; called with the plugin's name, once per plugin, on first use. */
export type ValueFactory<T = unknown> = (plugin: string) => T;

/** Creates the value of a token for a controller, in place of that of its plugin; called once per instance. */
export type ControllerValueFactory<T = unknown> = (plugin: string, controller: ControllerContribution) => T;

/** The values that constructors of plugins can inject, by token. A value of another type than the token's does not compile. */
export class Bindings {
  readonly #plugins = new Map<InjectionToken, ValueFactory>();
  readonly #controllers = new Map<InjectionToken, ControllerValueFactory>();

  /** The same value for all plugins. */
  value<T>(token: InjectionToken<T>, value: NoInfer<T>): this {
    return this.perPlugin(token, () => value);
  }

  /** A value for each plugin. */
  perPlugin<T>(token: InjectionToken<T>, make: ValueFactory<NoInfer<T>>): this {
    this.#plugins.set(token, make);
    return this;
  }

  /** A value for each instance of a controller, in place of its plugin's. */
  perController<T>(token: InjectionToken<T>, make: ControllerValueFactory<NoInfer<T>>): this {
    this.#controllers.set(token, make);
    return this;
  }

  get forPlugins(): ReadonlyMap<InjectionToken, ValueFactory> {
    return this.#plugins;
  }

  get forControllers(): ReadonlyMap<InjectionToken, ControllerValueFactory> {
    return this.#controllers;
  }
}
