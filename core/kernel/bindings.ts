import type {InjectionToken} from 'tsyringe';
import type {ControllerContribution} from '../../sdk/plugin/manifest.js';

/** Creates what a plugin's constructors inject for a token; called with the plugin's name, once per plugin, on first use. */
export type ValueFactory<T = unknown> = (plugin: string) => T;

/** Creates what a controller injects for a token in place of what its plugin does; called once for each instance. */
export type ControllerValueFactory<T = unknown> = (plugin: string, controller: ControllerContribution) => T;

/** What constructors of plugins can inject, by token. A value whose type is not the token's does not compile. */
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
